"""What happened, line by line."""
