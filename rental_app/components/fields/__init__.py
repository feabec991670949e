"""What people type or choose, with its label and what is wrong with it."""
