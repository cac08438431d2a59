"""Generic widgets; no run, no result."""
