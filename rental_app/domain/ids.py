"""Ids as texts: in addresses, forms and lists, behind readable names in URLs, and of favourites in browsers."""

import re
import unicodedata
from collections.abc import Iterable

MAX_ID = 2**31 - 1


def read_id(text: str) -> int:
    """The id that a text names; 0, which is nothing's id, for anything else."""
    number = int(text) if text.isascii() and text.isdecimal() and len(text) <= len(str(MAX_ID)) else 0
    return number if number <= MAX_ID else 0


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
    match = _ID.search(slug)
    return int(match[1]) if match else 0


MOST_FAVOURITES, COMPARED = 200, 3
_LISTED_ID = re.compile(r"[1-9][0-9]{0,9}", re.ASCII)


def read_ids(text: str, most: int = MOST_FAVOURITES) -> list[int]:
    """The distinct ids in a comma-separated text; anything else is skipped, since anybody may have written it."""
    words = text[: most * 11].split(",")
    ids = dict.fromkeys(int(word) for word in words if _LISTED_ID.fullmatch(word))
    return [each for each in ids if each <= MAX_ID][:most]


def written_ids(ids: Iterable[int]) -> str:
    """Ids in the format that `read_ids` reads."""
    return ",".join(map(str, ids))
