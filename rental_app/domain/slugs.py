"""Readable names in URLs, with the id that they are looked up by."""

import re
import unicodedata

_LONGEST = 60
# Nine digits fit the databases' type for ids.
_ID = re.compile(r"(?:^|-)([0-9]{1,9})$")


def slug_of(name: str, number: int) -> str:
    """A name and an id as part of a URL: 'Sai Kiran Reddy' and 3 become 'sai-kiran-reddy-3'."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    words = "-".join(re.findall("[a-z0-9]+", plain))[:_LONGEST].strip("-")
    return f"{words}-{number}" if words else str(number)


def id_in(slug: str) -> int:
    """The id that a slug ends with; if it has none, 0, which is nothing's id."""
    found = _ID.search(slug)
    return int(found[1]) if found else 0
