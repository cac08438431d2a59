"""The model on disk: finding it, its facts, its notes."""
