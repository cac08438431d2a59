"""Tables, files and the HTML page."""
