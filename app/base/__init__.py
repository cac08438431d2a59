"""Theme, language, and how drawing is scheduled."""
