"""Reading reviews: everybody can read those by customers; a customer's vendors can read those by other vendors."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, Row, exists, func, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.bookings import BookingSource
from rental_app.domain.policies import Policies
from rental_app.domain.reviews import STARS, rating, review_until, short_name
from rental_app.models import Booking, Columns, Review, Snapshot, User, Vehicle
from rental_app.schemas.reviews import (
    CustomerRated,
    OwnReview,
    ReceivedReview,
    ReviewsAnswer,
    ReviewView,
    TripReviews,
    VendorReply,
)
from rental_app.schemas.wire import Page
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor, require_manager
from rental_app.services.bookings.access import Trip
from rental_app.services.paging import paged
from rental_app.services.search import listings
from rental_app.services.throttle import Caller

# How many of vendors' reviews of a customer are shown.
MOST_SHOWN = 10
Kind = TypeVar("Kind", bound=ReviewView)
Customer, Vendor = aliased(User), aliased(User)
SHOWN = (col(Review.shown_at).is_not(None), col(Review.is_hidden).is_(False))
_BY_CUSTOMERS = (*SHOWN, col(Review.side) == "customer")
_BY_VENDORS = (*SHOWN, col(Review.side) == "vendor")
_ITS_BOOKING = col(Booking.id) == Review.booking_id


class ReviewRow(NamedTuple):
    """What is shown of a review and of those who wrote it and got it; `text` and `answer` may be ''."""

    id: int
    side: str
    stars: int
    text: str
    written_at: datetime
    shown_at: datetime | None
    is_hidden: bool
    answer: str
    answered_at: datetime | None
    customer_name: str
    vendor_name: str

    @classmethod
    def of(cls, row: Row[Any]) -> "ReviewRow":
        """The review in a row of `rows`, which may have more columns at its end."""
        return cls(**{name: getattr(row, name) for name in cls._fields})


def of_vehicle(session: Session, caller: Caller, vehicle_id: int, page: Page) -> ReviewsAnswer:
    """What customers said about trips with a vehicle; raises NotFoundError for one that is not listed."""
    throttle.count("look", caller)
    listings.get_listing(session, caller, vehicle_id)
    return listed(session, caller, col(Review.vehicle_id) == vehicle_id, page)


@dataclass(frozen=True, slots=True)
class ReceivedReviews:
    """What customers said about a vendor's trips, the newest of `total` first; `rating` is the average of all."""

    rating: float | None
    total: int
    reviews: list[ReceivedReview]


def of_vendor(session: Session, actor: Actor, page: Page) -> ReceivedReviews:
    """What customers said about the actor's trips; raises ForbiddenError."""
    throttle.count("list", actor)
    require_manager(actor)
    own = (col(Review.vendor_id) == actor.vendor, *_BY_CUSTOMERS)
    each = _each(session, *own)
    theirs = (
        rows()
        .add_columns(col(Booking.reference), col(Booking.booked), col(Vehicle.rc_number))
        .join(Booking, _ITS_BOOKING)
        .join(Vehicle, col(Vehicle.id) == Review.vehicle_id)
        .where(*own)
    )
    part = paged(session, actor, theirs, col(Review.id), page, _received, newest_first=True)
    return ReceivedReviews(_average(each), sum(each.values()), part.items)


def _received(row: Row[Any]) -> ReceivedReview:
    return _view(
        ReviewRow.of(row),
        ReceivedReview,
        vehicle=f"{Snapshot(**row.booked).title}, {row.rc_number}",
        reference=row.reference,
    )


def listed(session: Session, caller: Caller, whose: ColumnElement[bool], page: Page) -> ReviewsAnswer:
    """What customers said about one vehicle or one vendor; the calling function has counted the call."""
    each = dict.fromkeys(STARS, 0) | _each(session, whose, *_BY_CUSTOMERS)
    part = paged(
        session, caller, rows().where(whose, *_BY_CUSTOMERS), col(Review.id), page, ReviewRow.of, newest_first=True
    )
    return ReviewsAnswer(
        rating=_average(each), distribution=each, reviews=[review_view(row) for row in part.items], **part.tail
    )


def _each(session: Session, *which: ColumnElement[bool]) -> dict[int, int]:
    """How many reviews there are for each number of stars."""
    counted: Columns = select(col(Review.stars), func.count()).where(*which).group_by(col(Review.stars))
    return {stars: count for stars, count in session.execute(counted)}


def _average(each: dict[int, int]) -> float | None:
    return rating(sum(stars * count for stars, count in each.items()), sum(each.values()))


def rows() -> Columns:
    """SELECT of what `ReviewRow.of` reads."""
    return (
        select(
            col(Review.id),
            col(Review.side),
            col(Review.stars),
            col(Review.text),
            col(Review.written_at),
            col(Review.shown_at),
            col(Review.is_hidden),
            col(Review.answer),
            col(Review.answered_at),
            col(Customer.name).label("customer_name"),
            col(Vendor.name).label("vendor_name"),
        )
        .join(Customer, col(Customer.id) == Review.customer_id)
        .join(Vendor, col(Vendor.id) == Review.vendor_id)
    )


def of_id(session: Session, review_id: int | None) -> ReviewView:
    """A review that is known to be shown, as everybody sees it."""
    return review_view(ReviewRow.of(session.execute(rows().where(col(Review.id) == review_id)).one()))


def review_view(row: ReviewRow) -> ReviewView:
    """A review as everybody sees it."""
    return _view(row, ReviewView)


def _view(row: ReviewRow, kind: type[Kind], **more: Any) -> Kind:
    return kind(
        id=row.id,
        stars=row.stars,
        text=row.text,
        by=short_name(row.customer_name) if row.side == "customer" else row.vendor_name,
        at=row.written_at,
        answer=VendorReply(text=row.answer, at=row.answered_at) if row.answered_at else None,
        **more,
    )


def of_trip(session: Session, trip: Trip, back: datetime | None) -> TripReviews:
    """The two sides' reviews of each other, as one side sees them; `back` is when the vehicle was returned."""
    own = rows().where(col(Review.booking_id) == trip.id)
    by_side = {row.side: ReviewRow.of(row) for row in session.execute(own)} if back else {}
    own_review = by_side.pop(trip.side, None)
    theirs = next((row for row in by_side.values() if row.shown_at and not row.is_hidden), None)
    until = review_until(back, Policies.of(trip.booking.policies)) if back and trip.side != "operator" else None
    may_be = trip.booking.source == BookingSource.ONLINE and not (own_review and own_review.shown_at)
    is_open = until is not None and clock.now() < until and may_be
    return TripReviews(
        until=until if is_open else None,
        mine=_view(own_review, OwnReview, shown=own_review.shown_at is not None, hidden=own_review.is_hidden)
        if own_review
        else None,
        theirs=review_view(theirs) if theirs else None,
        customer=_customer(session, trip.booking.customer_id) if trip.side == "vendor" else None,
    )


def _customer(session: Session, customer_id: int) -> CustomerRated:
    """What vendors said about a customer."""
    which = (col(Review.customer_id) == customer_id, *_BY_VENDORS)
    each = _each(session, *which)
    newest = rows().where(*which).order_by(col(Review.id).desc()).limit(MOST_SHOWN) if each else None
    latest = session.execute(newest).all() if newest is not None else []
    views = [review_view(ReviewRow.of(row)) for row in latest]
    return CustomerRated(rating=_average(each), reviews=sum(each.values()), said=views)


def may_see(session: Session, review: Review, actor: Actor) -> bool:
    """Whether somebody may see a review: one by a vendor is only for the customer and the vendors they book with."""
    if review.shown_at is None or review.is_hidden:
        return False
    if review.side == "customer" or actor.id == review.customer_id:
        return True
    own = exists().where(col(Booking.customer_id) == review.customer_id, col(Booking.vehicle_id) == Vehicle.id)
    return bool(session.scalar(select(own.where(col(Vehicle.vendor_id) == actor.vendor))))
