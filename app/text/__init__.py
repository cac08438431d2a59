"""The window's texts, without widgets."""
