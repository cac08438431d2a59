"""A loaded model with all that belongs to it, and how loading fails."""
