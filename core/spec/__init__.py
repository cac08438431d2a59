"""What to run: workload, variants, experiment, and what a strategy is."""
