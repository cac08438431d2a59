"""What a loaded model does: exactness, its operators, its parts."""
