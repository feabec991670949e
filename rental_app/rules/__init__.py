"""Pure rules: no database, no framework, no clock but the one handed in."""
