"""The comparison: table, forest, charts, trials, other runs."""
