"""The window: PySide6 widgets over a Session. It never imports torch or the engine."""
