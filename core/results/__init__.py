"""The journal, folded: trials, metrics, statistics, timelines."""
