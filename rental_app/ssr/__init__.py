"""Public pages as the server answers them: built documents with their content and their head filled in."""
