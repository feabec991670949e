"""Long texts: the terms by version, privacy and security, and the blog."""
