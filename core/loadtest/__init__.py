"""Sweeps over the load, and their latency-throughput curve."""
