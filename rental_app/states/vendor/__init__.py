"""The vendor area's states: every handler asks the token again whether a vendor is behind it."""
