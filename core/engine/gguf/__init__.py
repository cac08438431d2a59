"""Converts a GGUF file into a folder that transformers loads."""
