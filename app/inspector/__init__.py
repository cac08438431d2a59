"""The right dock: the selected variant, the machine."""
