"""A variant with its evidence."""
