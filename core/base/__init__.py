"""Knows nothing of Dyno: values, files, text, numbers."""
