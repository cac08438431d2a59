"""Speculative decoding: one file per source of drafts."""
