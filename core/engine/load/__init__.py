"""From a command to a loaded, transformed model."""
