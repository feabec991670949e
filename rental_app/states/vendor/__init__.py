"""The vendor area's states: every handler checks again that a vendor's token is behind it."""
