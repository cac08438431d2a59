"""Experts of a mixture: finding, multiplying, dropping them."""
