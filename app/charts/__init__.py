"""Generic charts and what can be done with each."""
