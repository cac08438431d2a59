"""The state behind all views, and its threads."""
