"""The REST edge, through the real application."""
