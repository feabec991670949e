"""Ids as texts: in addresses, forms and lists."""

MAX_ID = 2**31 - 1


def read_id(text: str) -> int:
    """The id that a text names; 0, which is nothing's id, for anything else."""
    number = int(text) if text.isascii() and text.isdecimal() and len(text) <= len(str(MAX_ID)) else 0
    return number if number <= MAX_ID else 0
