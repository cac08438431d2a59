"""What it costs in quality."""
