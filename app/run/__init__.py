"""Starting, stopping and queueing runs."""
