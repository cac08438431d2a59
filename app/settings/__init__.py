"""What can be set, and the page that sets it."""
