"""Handlers behind the pages."""
