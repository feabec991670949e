"""What operators decide: each act goes through the services of the people it concerns, and is told to them."""
