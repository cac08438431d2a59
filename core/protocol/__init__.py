"""Both ends of the pipe between driver and engine."""
