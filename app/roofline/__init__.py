"""The distance to the machine's limits."""
