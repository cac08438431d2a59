"""Several runs over the load, and their curve."""
