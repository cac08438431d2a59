"""Checks of a loaded model: exactness, operators, sizes."""
