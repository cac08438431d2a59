"""From a GGUF file to a folder that transformers loads."""
