"""How many vehicles people may keep as favourites or compare, and how browsers and URLs list their ids."""

import re
from collections.abc import Iterable

from rental_app.domain.ids import MAX_ID

MOST, COMPARED = 200, 3
_ID = re.compile(r"[1-9][0-9]{0,9}", re.ASCII)


def read_ids(text: str, most: int = MOST) -> list[int]:
    """The distinct ids in a comma-separated text; anything else is skipped, since anybody may have written it."""
    words = text[: most * 11].split(",")
    ids = dict.fromkeys(int(word) for word in words if _ID.fullmatch(word))
    return [each for each in ids if each <= MAX_ID][:most]


def written(ids: Iterable[int]) -> str:
    """Ids in the format that `read_ids` reads."""
    return ",".join(map(str, ids))
