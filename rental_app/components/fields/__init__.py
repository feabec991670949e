"""What is typed or chosen, with its label and what is wrong with it."""
