"""Opening, dropping, recent, exporting."""
