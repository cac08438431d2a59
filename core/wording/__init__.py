"""Sentences about results, and the translation of core's texts."""
