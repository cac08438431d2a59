"""The settings and their page."""
