"""What operators decide: each act goes through the services of the people it concerns, and they are notified."""
