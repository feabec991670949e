"""Shapes of the vendor's own fleet: the table, its filters, and what the vehicle form offers."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from rental_app.schemas.wire import MAX_ID, Text, WholeNumber, Wire

Shown = Literal["all", "available", "unavailable", "active", "inactive", "expiring"]
Order = Literal["newest", "name", "rc", "papers"]


class FleetQuery(Wire):
    """Which vehicles of the fleet, in which order, and which page of them."""

    text: Text = ""
    shown: Shown = "all"
    type_id: Annotated[WholeNumber, Field(ge=0, le=MAX_ID)] = 0
    order: Order = "newest"
    page: Annotated[WholeNumber, Field(ge=1, le=100_000)] = 1


class FleetVehicle(Wire):
    """A vehicle as the table's row."""

    id: int
    title: str
    image: str
    seating_capacity: int
    transmission_type: str
    body_type: str
    rc_number: str
    service_location: str
    is_available: bool
    is_active: bool
    is_priced: bool
    insurance_expiry_date: date
    pollution_expiry_date: date


class FleetPage(Wire):
    """One page of the fleet; `total` counts the vehicles that fit, `size` the whole fleet."""

    vehicles: list[FleetVehicle]
    page: int
    pages: int
    total: int
    size: int


class FleetLine(Wire):
    """A row as it is shown."""

    id: int
    title: str
    image: str
    details: str
    category: str
    rc_number: str
    location: str
    is_available: bool
    is_active: bool
    notes: list[str]


class Choice(Wire):
    """An option of a drop-down."""

    value: str
    label: str


class PlanRow(Wire):
    """A row of the pricing table as the form first shows it."""

    index: int
    name: str
    info: str
    price: str
    kms_limit: str
    active: bool
