"""One request step by step; memory over time."""
