"""Dyno's core: what to run, running it, what came out."""

__version__ = "0.1.0"
