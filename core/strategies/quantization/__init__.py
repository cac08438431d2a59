"""Quantization: fewer bits per weight, one file per family of formats."""
