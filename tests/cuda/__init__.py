"""The code for graphics cards, tried without a card: graphs that are recorded and replayed, and a device that is not
there."""
