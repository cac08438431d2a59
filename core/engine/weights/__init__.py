"""Reads checkpoints of every format, and writes one."""
