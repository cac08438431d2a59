"""Before anything is loaded: what stands in the way, how much memory."""
