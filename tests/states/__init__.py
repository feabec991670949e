"""The event handlers behind the pages."""
