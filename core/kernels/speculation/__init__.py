"""Guessing tokens and verifying them."""
