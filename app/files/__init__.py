"""Opening, dropping, recent files, exporting."""
