"""What fills an empty database: the catalogue, and a demo Hyderabad, dated around the day of seeding."""

from collections.abc import Callable
from datetime import datetime

from sqlmodel import Session, select

from rental_app.domain import clock
from rental_app.infrastructure import db
from rental_app.infrastructure.security import hash_password
from rental_app.models import AssetModel, Location
from rental_app.seed.blocks import add_blocks
from rental_app.seed.bookings import add_bookings
from rental_app.seed.catalogue import add_models, add_places
from rental_app.seed.counter import add_counter
from rental_app.seed.drafts import add_drafts
from rental_app.seed.fleet import add_vehicles
from rental_app.seed.offers import add_offers, put_offers_back
from rental_app.seed.papers import add_papers
from rental_app.seed.people import (
    CUSTOMER_EMAIL,
    DEMO_PASSWORD,
    VENDOR_EMAIL,
    add_confirmations,
    add_customers,
    add_devices,
    add_operator,
    add_request,
    add_staff,
    add_vendors,
)
from rental_app.seed.photos import add_photos
from rental_app.seed.reviews import add_reviews
from rental_app.seed.work import add_work
from rental_app.seed.yard import add_yard

Catalogue = tuple[dict[str, Location], dict[tuple[str, str, str], AssetModel]]


def seed_if_empty(*, people: bool = True) -> bool:
    """Fill a migrated database that has no localities yet; without `people` only the catalogue. Returns whether it did.

    A demo filled before offers reduced a price, which lost its offers when it was migrated, gets offers again.
    """
    filled = db.write(_fill_if_empty, fill if people else fill_catalogue)
    if people and not filled:
        db.write(put_offers_back, clock.now())
    return filled


def _fill_if_empty(session: Session, filling: Callable[[Session, datetime], object]) -> bool:
    if session.exec(select(Location.id).limit(1)).first() is not None:
        return False
    filling(session, clock.now())
    return True


def fill_catalogue(session: Session, _now: datetime) -> Catalogue:
    """Insert localities, banks, and the models with their price plans."""
    return add_places(session), add_models(session)


def fill(session: Session, now: datetime) -> None:
    """Insert the whole demo, as of `now` (UTC); the caller's transaction makes it all or nothing."""
    # One slow hash for all demo accounts.
    password_hash = hash_password(DEMO_PASSWORD)
    locations, models = fill_catalogue(session, now)
    vendors = add_vendors(session, now, password_hash, locations)
    customers = add_customers(session, now, password_hash)
    add_operator(session, now, password_hash)
    vendor = next(each for each in vendors.values() if each.email == VENDOR_EMAIL)
    add_confirmations(session, vendors)
    add_staff(session, now, password_hash, vendor)
    add_devices(session, now, [vendor, customers[CUSTOMER_EMAIL]])
    add_request(session, now, vendor)
    fleet = add_vehicles(session, now, vendors, models, locations)
    add_photos(session, fleet)
    add_bookings(session, now, fleet, customers)
    add_blocks(session, now, fleet, vendors)
    add_reviews(session, now)
    add_counter(session, now)
    add_offers(session, now)
    add_work(session, now)
    add_yard(session, now, fleet, vendor)
    add_drafts(session, now, vendor)
    add_papers(session, now, customers[CUSTOMER_EMAIL])
