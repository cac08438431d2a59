"""What optimization costs in quality: distributions, answers, suites, interface."""
