"""Icons, fonts, themes, translations, prompt sets, regression suites: data files, read through importlib.resources."""
