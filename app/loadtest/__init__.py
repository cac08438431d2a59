"""Speed and latency over the load."""
