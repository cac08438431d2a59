"""The proof of every strategy."""
