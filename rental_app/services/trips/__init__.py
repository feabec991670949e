"""A booking from the request to the settled account: every function finds it by id or reference for its two sides."""
