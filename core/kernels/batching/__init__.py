"""Several requests at once."""
