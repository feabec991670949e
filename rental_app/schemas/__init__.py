"""Shapes of data that enters or leaves the server. Wire names are the specification's; names in the code are plain."""
