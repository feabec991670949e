"""The services, on both databases."""
