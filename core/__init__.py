"""Dyno's core: what to run, running it, what came out. Knows nothing of Qt."""

__version__ = "0.1.0"
