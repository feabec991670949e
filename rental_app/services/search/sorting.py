"""The sort orders of search results, and their pages: by key, so that no vehicle is returned twice or left out."""

import base64
import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import orjson

from rental_app.domain.errors import InvalidInputError
from rental_app.domain.pricing import Numbers
from rental_app.schemas.search import AvailabilityRequest, PageRequest
from rental_app.services.search.filters import Matches
from rental_app.services.search.index import Mask

METRES = 1000


class ResultsPage(NamedTuple):
    """The results as places in the search index, sorted; how many there are in all; where the next page starts."""

    places: Numbers
    total: int
    next_cursor: str | None = None


def part_of(matches: Matches, order: str, page: PageRequest) -> ResultsPage:
    """The vehicles that match a query, in an order, or the requested page of them; raises InvalidInputError for a
    cursor of another search."""
    fitting = np.flatnonzero(matches.fitting())
    keys = [key[fitting] for key in (*_keys(matches, order), matches.index.ids)]
    # A complete list needs no cursor.
    mark = _mark(matches.request, order) if page.limit or page.cursor else ""
    left = _after(keys, _read(page.cursor, mark, len(keys)))
    ranks = np.flatnonzero(left)[np.lexsort([key[left] for key in reversed(keys)])]
    given = ranks[: page.limit]
    more = len(given) < len(ranks)
    cursor = _written(mark, [int(key[given[-1]]) for key in keys]) if more and page.limit else None
    return ResultsPage(fitting[given], len(fitting), cursor)


def _keys(matches: Matches, order: str) -> Sequence[Numbers]:
    """The sort keys before the id, ascending."""
    if order == "distance" and matches.km is not None:
        return (matches.km * METRES).astype(np.int64), matches.prices
    known = matches.index
    keys: dict[str, Sequence[Numbers]] = {
        "price": (matches.prices,),
        "-price": (-matches.prices,),
        "rating": (-known.ratings, -known.vendor_ratings),
        "newest": (-known.ids,),
    }
    return keys.get(order, ())


def _after(keys: Sequence[Numbers], last: Sequence[int]) -> Mask:
    """Which vehicles come after the last one returned; all of them if there is none."""
    after, level = np.zeros(len(keys[-1]), dtype=bool), np.ones(len(keys[-1]), dtype=bool)
    for key, value in zip(keys, last, strict=False):
        after |= level & (key > value)
        level &= key == value
    return after if last else level


def _mark(request: AvailabilityRequest, order: str) -> str:
    """A digest of the search that a cursor is bound to."""
    names = set(AvailabilityRequest.model_fields) - {"facets"}
    asked = request.model_dump_json(include=names) + order
    return hashlib.sha256(asked.encode()).hexdigest()[:12]


def _written(mark: str, keys: Sequence[int]) -> str:
    return base64.urlsafe_b64encode(orjson.dumps([mark, *keys])).decode().rstrip("=")


def _read(cursor: str, mark: str, many: int) -> list[int]:
    """The keys of the last vehicle returned."""
    # The start, as in lists paged by id.
    if cursor in ("", "0"):
        return []
    try:
        found, *keys = orjson.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, TypeError):
        found, keys = "", []
    if found != mark or len(keys) != many or not all(type(key) is int and abs(key) < 2**62 for key in keys):
        message = "This cursor belongs to another search: start again without it"
        raise InvalidInputError(message, fields={"cursor": message})
    return list(keys)
