"""Shapes that leave or enter the server. Wire names are the specification's; names inside the code are plain."""
