"""The engine: a child process that loads one variant and measures it, started as `python -m core.engine`."""
