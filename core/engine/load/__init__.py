"""Loads and transforms a model as a command asks."""
