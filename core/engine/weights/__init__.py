"""Reading checkpoints of every format, and writing one."""
