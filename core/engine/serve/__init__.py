"""Runs a loaded model: warm-up, trials, answers, quality."""
