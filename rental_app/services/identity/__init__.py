"""Documents by which customers prove who they are."""
