"""Guessing several tokens and verifying them in one pass: one file per source of guesses."""
