"""Sentences and meanings, in English and translated."""
