"""Fewer weights: masks, and parts that are taken out."""
