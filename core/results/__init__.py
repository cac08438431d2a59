"""What a journal says: trials, metrics, statistics, timelines."""
