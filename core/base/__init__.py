"""Values, files, text and numbers: what every other room builds on."""
