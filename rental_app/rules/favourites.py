"""How many vehicles people may keep to come back to, or compare, and how browsers and addresses name them."""

import re
from collections.abc import Iterable

MOST, COMPARED = 200, 3
MAX_ID = 2**31 - 1
_ID = re.compile(r"[1-9][0-9]{0,9}", re.ASCII)


def read_ids(text: str, most: int = MOST) -> list[int]:
    """The ids that a text names, by commas, each once; what is none is left out: anybody may have written it."""
    words = text[: most * 11].split(",")
    found = dict.fromkeys(int(word) for word in words if _ID.fullmatch(word))
    return [each for each in found if each <= MAX_ID][:most]


def written(ids: Iterable[int]) -> str:
    """Ids as `read_ids` reads them."""
    return ",".join(map(str, ids))
