"""What is offered most, and from what price."""

from dataclasses import dataclass

import numpy as np
from sqlmodel import Session

from rental_app.models import Listing
from rental_app.schemas.search import EVERYTHING
from rental_app.services import throttle
from rental_app.services.search.listings import listed_today, listings_by_id
from rental_app.services.throttle import Caller


@dataclass(frozen=True, slots=True)
class Popular:
    """A model: its cheapest vehicle, and how many can be booked."""

    cheapest: Listing
    count: int


def popular(session: Session, caller: Caller, most: int) -> list[Popular]:
    """The models with the most vehicles that can be booked; those with equally many are ordered by price."""
    throttle.count("look", caller)
    matches = listed_today(session, EVERYTHING)
    places = np.flatnonzero(matches.fitting())
    # Each model's cheapest comes first.
    places = places[np.argsort(matches.prices[places], kind="stable")]
    codes, first, counts = np.unique(matches.index.groups["model"].codes[places], return_index=True, return_counts=True)
    cheapest = places[first]
    order = np.lexsort((codes, matches.prices[cheapest], -counts))[:most]
    cars = listings_by_id(session, matches.index.ids[cheapest[order]].tolist())
    return [Popular(car, count) for car, count in zip(cars, counts[order].tolist(), strict=True)]
