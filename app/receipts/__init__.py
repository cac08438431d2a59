"""Proof of every strategy."""
