"""Starting, stopping, queueing."""
