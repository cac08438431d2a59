"""The window: its parts, its menus, its life."""
