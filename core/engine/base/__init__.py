"""A loaded model with its runtime state, and the failures of loading."""
