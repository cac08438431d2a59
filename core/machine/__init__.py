"""The computer: what it is, what it can do."""
