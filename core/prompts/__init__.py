"""Prompt sets and files."""
