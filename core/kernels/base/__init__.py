"""Inspecting a loaded model and replacing parts of it."""
