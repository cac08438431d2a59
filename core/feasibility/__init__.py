"""Checks before a load: conflicts, requirements, memory."""
