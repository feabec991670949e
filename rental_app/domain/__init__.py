"""Pure rules: no database, no framework, and no time but the instant passed in."""
