"""Which vehicles match a query, their prices and distances, and what every other choice would return; and their order,
in pages by key, so that no vehicle is returned twice or left out."""

import base64
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import orjson
from numpy.typing import NDArray

from rental_app.domain.errors import InvalidInputError
from rental_app.domain.money import PAISE_PER_RUPEE
from rental_app.domain.pricing import Numbers
from rental_app.schemas.search import SEATS, STARS, AvailabilityRequest, FacetCount, Facets, PageRequest
from rental_app.schemas.wire import is_given
from rental_app.services.catalogue import unknown_location
from rental_app.services.search.index import Group, Mask, SearchIndex

# Fields with known choices: any other value is refused.
CHOSEN = ("location", "types", "transmission", "fuel", "model")
METRES = 1000
FACETS = ("types", "transmission", "fuel", "location")
# Filters that are not groups, with the values offered as choices.
LEAST: dict[str, tuple[float, ...]] = {"seats": SEATS, "rating": STARS, "delivery": (1,), "unlimited": (1,)}


@dataclass(frozen=True, eq=False)
class Matches:
    """The search index as a query sees it: what is available at all (`had`), at which price (paise)."""

    index: SearchIndex
    request: AvailabilityRequest
    prices: Numbers
    had: Mask

    @cached_property
    def km(self) -> NDArray[np.float64] | None:
        """How far each vehicle is from the place of the query; None if it names none."""
        places = self.index.groups["location"]
        if not self.request.origin:
            return None
        away: NDArray[np.float64] = self.index.km[places.names.index(self.request.origin)]
        return away[places.codes]

    @cached_property
    def _masks(self) -> dict[str, Mask]:
        """The vehicles that match each filter."""
        return {name: FILTERS[name](self, value) for name, value in filters_in(self.request).items()}

    def fitting(self, *, without: str = "") -> Mask:
        """The available vehicles that match all filters, or all but one."""
        remaining = self.had
        for name, mask in self._masks.items():
            if name != without:
                remaining = remaining & mask
        return remaining

    @property
    def exists(self) -> bool:
        """Whether any vehicle matches all filters, available or not."""
        every = np.ones(len(self.index.ids), dtype=bool)
        return bool(np.logical_and.reduce([every, *self._masks.values()]).any())

    def wanted(self, *, wide: bool) -> Mask:
        """The vehicles that match all filters; if `wide`, also those that match all but any one of them."""
        names = self._masks if wide else ()
        matching = self.fitting()
        for name in names:
            matching = matching | self.fitting(without=name)
        return matching

    def keep(self, ids: Sequence[int]) -> None:
        """Mark all but these vehicles as unavailable."""
        np.logical_and(self.had, self.index.mask_for_ids(ids), out=self.had)

    @property
    def facets(self) -> Facets:
        """What each choice of a group would return, with all other groups as they are."""
        chosen = {name: self._values(name, values) for name, values in LEAST.items()}
        models = [choice for choice in self._choices("model") if choice.count]
        return Facets(**{name: self._choices(name) for name in FACETS}, **chosen, model=models)

    def _values(self, name: str, values: Sequence[float]) -> list[FacetCount]:
        fitting = self.fitting(without=name)
        return [self._choice(f"{value:g}", fitting & FILTERS[name](self, value)) for value in values]

    def _choice(self, value: str, fitting: Mask) -> FacetCount:
        prices = self.prices[fitting]
        return FacetCount(value=value, count=len(prices), least_paise=int(prices.min()) if len(prices) else None)

    def _choices(self, name: str) -> list[FacetCount]:
        group, fitting = self.index.groups[name], self.fitting(without=name)
        codes, prices = group.codes[fitting], self.prices[fitting]
        counts = np.bincount(codes, minlength=len(group.names)).tolist()
        least = np.full(len(group.names), np.iinfo(np.int64).max)
        np.minimum.at(least, codes, prices)
        return [
            FacetCount(value=value, count=count, least_paise=paise if count else None)
            for value, count, paise in zip(group.names, counts, least.tolist(), strict=True)
        ]

    @property
    def without(self) -> dict[str, int]:
        """For each filter without which any vehicles would match, how many would."""
        counts = {name: int(np.count_nonzero(self.fitting(without=name))) for name in self._masks}
        return {name: count for name, count in counts.items() if count}


def filters_in(request: AvailabilityRequest) -> dict[str, Any]:
    """The filters for which a query has a value, with that value."""
    values = {name: getattr(request, name) for name in FILTERS}
    return {name: value for name, value in values.items() if is_given(value)}


def check_choices(index: SearchIndex, request: AvailabilityRequest) -> None:
    """Refuse values that are not choices; raises InvalidInputError naming the field."""
    for name in (*CHOSEN, "near"):
        value = getattr(request, name)
        _check(index.groups["location" if name == "near" else name], name, value if name == "types" else (value,))


def _check(group: Group, field: str, values: Sequence[str]) -> None:
    unknown = next((value for value in values if value and value not in group.names), None)
    if unknown is None:
        return
    if field in ("location", "near"):
        raise unknown_location(unknown, field)
    name = AvailabilityRequest.model_fields[field].alias or field
    choices = "a model of the catalogue" if field == "model" else ", ".join(group.names)
    raise InvalidInputError(f"There is no {name} {unknown[:60]}", fields={name: f"Choose from {choices}"})


def _one_of(name: str) -> Callable[[Matches, str], Mask]:
    return lambda matches, value: matches.index.groups[name].among([value])


# What a query may require of a vehicle: one condition per field, which applies if the field is given.
FILTERS: dict[str, Callable[[Matches, Any], Mask]] = {
    "location": _one_of("location"),
    "text": lambda matches, text: matches.index.matching_text(text),
    "types": lambda matches, names: matches.index.groups["types"].among(names),
    "transmission": _one_of("transmission"),
    "fuel": _one_of("fuel"),
    "seats": lambda matches, least: matches.index.seats >= least,
    "model": _one_of("model"),
    "min_price": lambda matches, rupees: matches.prices >= rupees * PAISE_PER_RUPEE,
    "max_price": lambda matches, rupees: matches.prices <= rupees * PAISE_PER_RUPEE,
    "max_deposit": lambda matches, rupees: matches.index.deposits <= rupees * PAISE_PER_RUPEE,
    "rating": lambda matches, stars: np.maximum(matches.index.ratings, matches.index.vendor_ratings) >= stars * 10,
    "delivery": lambda matches, _: matches.index.delivered,
    "unlimited": lambda matches, _: matches.index.unlimited,
    "within_km": lambda matches, km: matches.km <= km,
}


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
    part = ranks[: page.limit]
    more = len(part) < len(ranks)
    cursor = _written(mark, [int(key[part[-1]]) for key in keys]) if more and page.limit else None
    return ResultsPage(fitting[part], len(fitting), cursor)


def _keys(matches: Matches, order: str) -> Sequence[Numbers]:
    """The sort keys before the id, ascending."""
    if order == "distance" and matches.km is not None:
        return (matches.km * METRES).astype(np.int64), matches.prices
    index = matches.index
    keys: dict[str, Sequence[Numbers]] = {
        "price": (matches.prices,),
        "-price": (-matches.prices,),
        "rating": (-index.ratings, -index.vendor_ratings),
        "newest": (-index.ids,),
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
    search = request.model_dump_json(include=names) + order
    return hashlib.sha256(search.encode()).hexdigest()[:12]


def _written(mark: str, keys: Sequence[int]) -> str:
    return base64.urlsafe_b64encode(orjson.dumps([mark, *keys])).decode().rstrip("=")


def _read(cursor: str, mark: str, many: int) -> list[int]:
    """The keys of the last vehicle returned."""
    # The start, as in lists paged by id.
    if cursor in ("", "0"):
        return []
    try:
        written_mark, *keys = orjson.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, TypeError):
        written_mark, keys = "", []
    if written_mark != mark or len(keys) != many or not all(type(key) is int and abs(key) < 2**62 for key in keys):
        message = "This cursor belongs to another search: start again without it"
        raise InvalidInputError(message, fields={"cursor": message})
    return list(keys)
