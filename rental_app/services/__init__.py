"""What the product does: functions `fn(session, ...)` that authorise and decide. The edges open the transaction."""
