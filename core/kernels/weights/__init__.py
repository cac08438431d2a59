"""Fewer bits per weight, fused projections."""
