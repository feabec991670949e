"""Names in addresses that people can read, with the id that they are found by."""

import re
import unicodedata

_LONGEST = 60
# Nine digits fit into what databases take for an id.
_ID = re.compile(r"(?:^|-)([0-9]{1,9})$")


def slug_of(name: str, number: int) -> str:
    """A name and an id in an address: 'Sai Kiran Reddy' and 3 as 'sai-kiran-reddy-3'."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    words = "-".join(re.findall("[a-z0-9]+", plain))[:_LONGEST].strip("-")
    return f"{words}-{number}" if words else str(number)


def id_in(slug: str) -> int:
    """The id that a slug ends with; 0, which nothing has, where it has none."""
    found = _ID.search(slug)
    return int(found[1]) if found else 0
