"""The query of a vendor's fleet table."""

from typing import Annotated, Literal

from pydantic import Field

from rental_app.domain.ids import MAX_ID
from rental_app.schemas.wire import Text, WholeNumber, Wire

Shown = Literal["all", "available", "unavailable", "active", "inactive", "expiring"]
Order = Literal["newest", "name", "rc", "papers"]


class FleetQuery(Wire):
    """Which vehicles of the fleet, in which order, and which page of them."""

    text: Text = ""
    shown: Shown = "all"
    type_id: Annotated[WholeNumber, Field(ge=0, le=MAX_ID)] = 0
    order: Order = "newest"
    page: Annotated[WholeNumber, Field(ge=1, le=100_000)] = 1
