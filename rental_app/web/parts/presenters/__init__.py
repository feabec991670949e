"""Turns what services return into what pages show, in a state or in a page as served."""
