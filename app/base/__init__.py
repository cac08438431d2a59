"""Theme, language, and the scheduling of drawing."""
