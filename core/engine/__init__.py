"""The engine: a child process that loads one variant and measures it. Started as `python -m core.engine`."""
