"""What optimization costs in quality."""
