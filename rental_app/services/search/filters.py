"""Which vehicles match a query, their prices and distances, and what every other choice would return."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rental_app.domain.errors import InvalidInputError
from rental_app.domain.money import PAISE_PER_RUPEE
from rental_app.domain.pricing import Numbers
from rental_app.schemas.search import SEATS, STARS, AvailabilityRequest, FacetCount, Facets
from rental_app.schemas.wire import is_given
from rental_app.services.catalogue import unknown_location
from rental_app.services.search.index import Group, Mask, SearchIndex

# Fields with known choices: any other value is refused.
CHOSEN = ("location", "types", "transmission", "fuel", "model")
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
        found = self.had
        for name, mask in self._masks.items():
            if name != without:
                found = found & mask
        return found

    @property
    def exists(self) -> bool:
        """Whether any vehicle matches all filters, available or not."""
        every = np.ones(len(self.index.ids), dtype=bool)
        return bool(np.logical_and.reduce([every, *self._masks.values()]).any())

    def wanted(self, *, wide: bool) -> Mask:
        """The vehicles that match all filters; if `wide`, also those that match all but any one of them."""
        names = self._masks if wide else ()
        found = self.fitting()
        for name in names:
            found = found | self.fitting(without=name)
        return found

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
