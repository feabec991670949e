"""How what services return becomes what pages show, in a state or in a page as served."""
