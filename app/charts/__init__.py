"""Generic charts, and the actions of every chart."""
