"""The computer: its description and its measured limits."""
