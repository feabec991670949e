"""Demo data for an empty database: a Hyderabad to try the product in, dated around the day it is filled."""

from datetime import datetime

from sqlmodel import Session, select

from rental_app import db
from rental_app.models import Location
from rental_app.rules import clock
from rental_app.security import hash_password
from rental_app.seed.bookings import add_bookings
from rental_app.seed.catalogue import add_models, add_places
from rental_app.seed.fleet import add_vehicles
from rental_app.seed.offers import add_offers
from rental_app.seed.people import DEMO_PASSWORD, add_customers, add_vendors


def seed_if_empty() -> bool:
    """Fill a migrated database that holds no locality yet; True when it did."""
    return db.write(_fill_if_empty)


def _fill_if_empty(session: Session) -> bool:
    if session.exec(select(Location.id).limit(1)).first() is not None:
        return False
    fill(session, clock.now())
    return True


def fill(session: Session, now: datetime) -> None:
    """Insert the whole demo, as of `now` (UTC); the caller's transaction makes it all or nothing."""
    # One slow hash for every demo account.
    password_hash = hash_password(DEMO_PASSWORD)
    locations = add_places(session)
    models = add_models(session)
    vendors = add_vendors(session, now, password_hash, locations)
    customers = add_customers(session, now, password_hash)
    fleet = add_vehicles(session, now, vendors, models, locations)
    add_bookings(session, now, fleet, customers)
    add_offers(session, now)
