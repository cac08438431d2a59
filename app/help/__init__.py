"""Guide, reference, tour, about."""
