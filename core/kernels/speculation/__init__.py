"""Speculative decoding: drafting tokens and verifying them."""
