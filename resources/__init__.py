"""Icons, fonts, themes, translations and prompt sets: data files, read through importlib.resources."""
