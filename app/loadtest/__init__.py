"""Sweeps over the load, and their curves."""
