"""Generic widgets, independent of runs and results."""
