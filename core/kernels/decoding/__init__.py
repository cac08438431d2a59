"""One token after another: decoders, sampling."""
