"""The model on disk: finding it, its facts, what a folder says of itself."""
