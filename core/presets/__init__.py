"""Presets: a variant with its evidence."""
