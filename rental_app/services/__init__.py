"""What the product does: functions `fn(session, ...)` that authorise and decide. Edges open the transaction."""
