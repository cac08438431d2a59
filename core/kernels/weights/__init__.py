"""Fewer bits a weight, joined projections."""
