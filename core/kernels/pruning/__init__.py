"""Fewer weights, heads and layers."""
