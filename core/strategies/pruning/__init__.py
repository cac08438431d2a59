"""Pruning: masks, and removal of whole parts."""
