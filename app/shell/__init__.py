"""The main window: its parts, its menus, its lifecycle."""
