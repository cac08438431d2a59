"""Words of the window; no widget."""
