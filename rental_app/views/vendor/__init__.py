"""The vendor's screens."""
