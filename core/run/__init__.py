"""Drives engines through an experiment."""
