"""Is it still the same model: distributions, answers, suites, interface."""
