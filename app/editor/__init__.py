"""The left dock: variants and their strategies."""
