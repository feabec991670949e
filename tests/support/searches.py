"""Calling the search and reading its response."""

import json
from typing import Any

from rental_app.infrastructure.db import read
from rental_app.schemas.search import AvailabilityRequest, PageRequest
from rental_app.services.search import search
from tests.support.shop import VISITOR, moment, wire

WINDOW = {"pickupDate": wire(moment(4)), "returnDate": wire(moment(6))}

ALL = PageRequest()


def found(request: AvailabilityRequest) -> list[int]:
    return [car["id"] for car in answered(request)["availableCars"]]


def answered(request: AvailabilityRequest, turn: PageRequest = ALL) -> dict[str, Any]:
    """Return a search's response as it is sent."""
    said: dict[str, Any] = json.loads(read(search.answer, VISITOR, request, turn))
    return said
