"""What to run: workload, variants, experiment; what a strategy is."""
