"""The run in progress."""
