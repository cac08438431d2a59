"""Layers whose weights are packed codes."""
