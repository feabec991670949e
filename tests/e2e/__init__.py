"""Journeys through the real app in a real browser."""
