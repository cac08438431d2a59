"""The run while it goes on."""
