"""Looking into a loaded model."""
