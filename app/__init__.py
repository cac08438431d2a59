"""The window: PySide6 widgets over a Session. Never imports torch or the engine."""
