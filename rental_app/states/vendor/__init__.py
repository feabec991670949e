"""The vendor area's states: every handler checks again that a vendor, or one of their members, sent the event."""
