"""One prompt, answered by every variant."""
