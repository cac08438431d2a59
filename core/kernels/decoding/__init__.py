"""Decoding token by token: decoders, sampling."""
