"""Prompt sets and prompt files."""
