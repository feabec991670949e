"""Reviews: writing, showing, reading and judging what the sides of a trip say about each other."""
