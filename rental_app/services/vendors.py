"""A vendor as everybody may see them: vehicles, ratings and response time, but no phone, home address or bank."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import func, select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.bookings import BookingSource, TripStage
from rental_app.domain.errors import NotFoundError
from rental_app.domain.hours import OpeningHours
from rental_app.domain.ids import id_in, slug_of
from rental_app.models import (
    Booking,
    Listing,
    Review,
    User,
    Vehicle,
    VehiclePrice,
    listing,
    listings,
    offers,
)
from rental_app.schemas.reviews import ReviewsAnswer
from rental_app.schemas.vendors import VendorAnswer, VendorView
from rental_app.schemas.wire import Page
from rental_app.services import throttle
from rental_app.services.bookings import events
from rental_app.services.paging import Slice, counted
from rental_app.services.reviews import reading
from rental_app.services.search.cache import cache_of
from rental_app.services.search.eligibility import bookable
from rental_app.services.search.listings import public_vehicles
from rental_app.services.throttle import Caller
from rental_app.services.trips import cancellations

NEWEST = 20


@dataclass(frozen=True, slots=True)
class PublicVendor:
    """The content of a vendor's page; half of the latest requests waited no longer than `answers_in`.

    `cancelled` is how many bookings they gave up in the last twelve months after confirming them.
    """

    id: int
    name: str
    slug: str
    image: str
    since: datetime
    hours: OpeningHours
    delivers: bool
    terms: str
    trips: int
    answers_in: timedelta | None
    cancelled: int
    vehicles: Slice[Listing]
    reviews: ReviewsAnswer


def vendor(session: Session, caller: Caller, vendor_id: int, vehicles: Page, reviews: Page) -> PublicVendor:
    """A vendor with a page of vehicles and one of reviews; raises NotFoundError for everyone else, and
    for one who is blocked or leaves."""
    throttle.count("look", caller)
    user = session.get(User, vendor_id)
    shown = ("Vendor", "active", False, None)
    if user is None or (user.role, user.status, user.is_deleted, user.erase_asked_at) != shown:
        raise NotFoundError("There is no such vendor", code="unknown_vendor")
    return PublicVendor(
        id=vendor_id,
        name=user.name,
        slug=slug_of(user.name, vendor_id),
        image=user.image,
        since=user.created_at,
        hours=user.hours,
        delivers=user.delivery_supported,
        terms=user.notes,
        trips=_trips_of(session, [vendor_id]).get(vendor_id, 0),
        answers_in=events.answers_in(session, vendor_id),
        cancelled=cancellations.counted(session, vendor_id, clock.now()),
        vehicles=_vehicles(session, caller, vendor_id, vehicles),
        reviews=reading.listed(session, caller, col(Review.vendor_id) == vendor_id, reviews),
    )


@dataclass(frozen=True, slots=True)
class Host:
    """What a card says of its vendor besides name and rating: `answers_in` as on the vendor's page."""

    trips: int
    answers_in: timedelta | None


def hosts(session: Session, vendor_ids: Iterable[int]) -> dict[int, Host]:
    """Vendors by their ids, as cards show them; they are cached until the end of the hour."""
    cache = cache_of(session)
    key = ("hosts", clock.now().replace(minute=0, second=0, microsecond=0))
    by_id: dict[int, Host] = cache.get(key) or {}
    if unknown := sorted({*vendor_ids} - by_id.keys()):
        trips, answered = _trips_of(session, unknown), events.answers_of(session, unknown)
        by_id = by_id | {each: Host(trips.get(each, 0), answered.get(each)) for each in unknown}
        cache.put(key, by_id)
    return by_id


def host(session: Session, vendor_id: int) -> Host:
    """A vendor as cards show them."""
    return hosts(session, [vendor_id])[vendor_id]


def slugs(session: Session, caller: Caller) -> list[str]:
    """The slugs of the pages of all vendors who have a vehicle to rent."""
    throttle.count("look", caller)
    renting = offers(col(User.id), col(User.name)).where(*bookable(clock.indian_today(clock.now())))
    vendors = renting.distinct().order_by(col(User.id))
    return [slug_of(row.name, row.id) for row in session.execute(vendors)]


def _vehicles(session: Session, caller: Caller, vendor_id: int, page: Page) -> Slice[Listing]:
    """The vehicles that can be booked at all, the best rated first."""
    stars = func.coalesce(col(Vehicle.stars_total) * 1.0 / func.nullif(col(Vehicle.reviews), 0), 0)
    order = (stars.desc(), col(VehiclePrice.price_paise), col(Vehicle.id))
    own = (col(Vehicle.vendor_id) == vendor_id, *bookable(clock.indian_today(clock.now())))
    return counted(session, caller, listings().where(*own).order_by(*order), page, partial(listing, kind=Listing))


def _trips_of(session: Session, vendor_ids: Sequence[int]) -> dict[int, int]:
    """How many trips vendors have made, without those who have made none."""
    vendor = col(Vehicle.vendor_id)
    made = (
        select(vendor, func.count())
        .select_from(Booking)
        .join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
        .where(
            vendor.in_(vendor_ids),
            col(Booking.stage).in_((TripStage.RETURNED, TripStage.SETTLED)),
            col(Booking.source) == BookingSource.ONLINE,
        )
        .group_by(vendor)
    )
    return {row[0]: row[1] for row in session.execute(made)}


def answer(session: Session, caller: Caller, slug: str, vehicles: Page) -> VendorAnswer:
    """A vendor for the wire with all vehicles or a page of them, by the slug of their page; raises NotFoundError."""
    throttle.count("look", caller)
    page = vendor(session, caller, id_in(slug), vehicles, Page(limit=NEWEST))
    return VendorAnswer(vendor=_view(session, page), **page.vehicles.tail)


def _view(session: Session, page: PublicVendor) -> VendorView:
    return VendorView(
        id=page.id,
        name=page.name,
        slug=page.slug,
        image=page.image,
        since=page.since,
        open_time=page.hours.open,
        close_time=page.hours.close,
        closing_days=page.hours.closed,
        delivery_supported=page.delivers,
        terms=page.terms,
        trips=page.trips,
        answers_in_minutes=page.answers_in // timedelta(minutes=1) if page.answers_in is not None else None,
        cancelled_confirmed=page.cancelled,
        rating=page.reviews.rating,
        distribution=page.reviews.distribution,
        reviews=page.reviews.reviews,
        vehicles=public_vehicles(session, page.vehicles.items),
    )
