"""A locality: which vehicles are there, on what terms, and where else to look."""

from dataclasses import dataclass
from datetime import date, time
from typing import Any

from sqlalchemy import ColumnElement, func, select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.city_map import distance_km
from rental_app.domain.errors import NotFoundError
from rental_app.domain.hours import DEFAULT_CLOSE, DEFAULT_OPEN
from rental_app.domain.pricing import TWO_WHEELER_SEATS
from rental_app.models import (
    AssetModel,
    Columns,
    Listing,
    Location,
    User,
    Vehicle,
    VehiclePrice,
    listing,
    listings,
    offers,
)
from rental_app.services import throttle
from rental_app.services.search.eligibility import bookable
from rental_app.services.throttle import Caller

SHOWN, NEIGHBOURS = 12, 4


@dataclass(frozen=True, slots=True)
class LocalTerms:
    """How many vehicles of a locality can be rented, and the bounds of their terms (paise, Indian time)."""

    count: int
    cheapest: int
    least_deposit: int
    most_deposit: int
    least_late: int
    most_late: int
    opens: time
    closes: time


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A locality nearby with vehicles, `km` away."""

    name: str
    slug: str
    km: float


@dataclass(frozen=True, slots=True)
class City:
    """A locality with its cheapest vehicles, two-wheelers first; `terms` is None if no vehicle can be rented."""

    name: str
    slug: str
    vehicles: list[Listing]
    terms: LocalTerms | None
    neighbours: list[Neighbour]


def city(session: Session, caller: Caller, slug: str) -> City:
    """The content of a locality's page, in four SQL statements; raises NotFoundError for an unknown slug."""
    throttle.count("look", caller)
    place = session.scalars(select(Location).where(col(Location.slug) == slug)).first()
    if place is None:
        raise NotFoundError("There is no such locality", code="unknown_locality")
    today = clock.indian_today(clock.now())
    here = col(Vehicle.location_id) == place.id
    # Two-wheelers first: the page's title is "Bike on rent in ...".
    order = (col(AssetModel.seating_capacity) > TWO_WHEELER_SEATS, col(VehiclePrice.price_paise), col(Vehicle.id))
    cheapest = listings().where(here, *bookable(today)).order_by(*order).limit(SHOWN)
    shown = [listing(row, Listing) for row in session.connection().execute(cheapest)]
    return City(place.name, place.slug, shown, _terms(session, here, today), _neighbours(session, place, today))


def _listed(today: date, *columns: Any) -> Columns:
    """SELECT of columns over the vehicles that can be booked at all."""
    return offers(*columns).where(*bookable(today))


def _terms(session: Session, here: ColumnElement[bool], today: date) -> LocalTerms | None:
    statement = _listed(
        today,
        func.count().label("count"),
        func.min(VehiclePrice.price_paise).label("cheapest"),
        func.min(Vehicle.deposit_paise).label("least_deposit"),
        func.max(Vehicle.deposit_paise).label("most_deposit"),
        func.min(Vehicle.late_penalty_paise).label("least_late"),
        func.max(Vehicle.late_penalty_paise).label("most_late"),
        func.min(func.coalesce(User.open_time, DEFAULT_OPEN)).label("opens"),
        func.max(func.coalesce(User.close_time, DEFAULT_CLOSE)).label("closes"),
    )
    terms = session.execute(statement.where(here)).one()._mapping
    return LocalTerms(**terms) if terms["count"] else None


def _neighbours(session: Session, place: Location, today: date) -> list[Neighbour]:
    """The nearest other localities in which a vehicle can be rented."""
    some = _listed(today, col(Vehicle.id)).where(col(Vehicle.location_id) == Location.id).correlate(Location).exists()
    others = session.scalars(select(Location).where(some, col(Location.id) != place.id)).all()
    centre = (place.latitude, place.longitude)
    neighbours = [
        Neighbour(name=other.name, slug=other.slug, km=distance_km(centre, (other.latitude, other.longitude)))
        for other in others
    ]
    return sorted(neighbours, key=lambda other: other.km)[:NEIGHBOURS]
