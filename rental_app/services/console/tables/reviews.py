"""What the sides of trips say about each other."""

from typing import Any

from sqlalchemy import and_, case, join
from sqlalchemy.orm import aliased
from sqlmodel import col

from rental_app.models import Booking, Review, User, Vehicle
from rental_app.services.console.table import (
    WHY,
    Action,
    Column,
    Filter,
    Option,
    RowStanding,
    Table,
    by,
    state_filter,
    state_of,
)
from rental_app.services.operating import acts


class ReviewStanding(RowStanding):
    """How a review stands."""

    REPORTED = "reported", "Reported", "waits"
    REMOVED = "removed", "Removed", "bad"
    SHOWN = "shown", "Shown", "good"
    UNSEEN = "unseen", "Not shown yet", "plain"


_Customer: Any = aliased(User)
_Vendor: Any = aliased(User)
_IS_REPORTED = and_(col(Review.reported_at).is_not(None), col(Review.judged_at).is_(None))
_STATE = state_of(
    (
        (col(Review.is_hidden), ReviewStanding.REMOVED),
        (_IS_REPORTED, ReviewStanding.REPORTED),
        (col(Review.shown_at).is_not(None), ReviewStanding.SHOWN),
    ),
    ReviewStanding.UNSEEN,
)
_BY = case((col(Review.side) == "customer", _Customer.name), else_=_Vendor.name)
_OF = case((col(Review.side) == "customer", _Vendor.name), else_=_Customer.name)
_BOOKED = join(Review, Booking, col(Review.booking_id) == col(Booking.id))

REVIEWS = Table(
    name="reviews",
    title="Reviews",
    one="review",
    under="of",
    subject="review",
    versioned=True,
    key=col(Review.id),
    source=_BOOKED.join(Vehicle, col(Review.vehicle_id) == col(Vehicle.id))
    .join(_Customer, col(Review.customer_id) == _Customer.id)
    .join(_Vendor, col(Review.vendor_id) == _Vendor.id),
    columns=(
        Column("by", "By", _BY),
        Column("of", "Of", _OF),
        Column("stars", "Stars", col(Review.stars), "number", sortable=True),
        Column("text", "Words", col(Review.text)),
        Column("reference", "Booking", col(Booking.reference)),
        Column("written", "Written", col(Review.written_at), "moment", sortable=True),
        Column("state", "State", _STATE, "state", states=ReviewStanding),
        Column("answer", "Vendor's answer", col(Review.answer), listed=False),
        Column("report", "Reported because", col(Review.report_note), listed=False),
        Column("reported", "Reported", col(Review.reported_at), "moment", listed=False),
        Column("judged", "Judged", col(Review.judged_at), "moment", listed=False),
        Column("plate", "RC number", col(Vehicle.rc_number), "plate", listed=False),
    ),
    sort="-written",
    search=(col(Booking.reference), _Customer.name, _Vendor.name, col(Review.text)),
    plates=(col(Vehicle.rc_number),),
    filters=(
        state_filter(
            {
                ReviewStanding.REPORTED: _IS_REPORTED,
                ReviewStanding.REMOVED: col(Review.is_hidden),
                ReviewStanding.SHOWN: and_(col(Review.shown_at).is_not(None), col(Review.is_hidden).is_(False)),
                ReviewStanding.UNSEEN: col(Review.shown_at).is_(None),
            }
        ),
        Filter(
            "stars", "Stars", tuple(Option(str(stars), f"{stars}", col(Review.stars) == stars) for stars in range(1, 6))
        ),
        Filter("person", "Person", owners=(col(Review.customer_id), col(Review.vendor_id))),
        Filter("vehicle", "Vehicle", owners=(col(Review.vehicle_id),)),
        Filter("booking", "Booking", owners=(col(Review.booking_id),)),
    ),
    state="state",
    actions=(
        Action(
            "keep",
            "Keep",
            by(acts.DECIDE_REVIEW, decision="keep"),
            {ReviewStanding.REPORTED, ReviewStanding.REMOVED},
            key="a",
        ),
        Action(
            "remove",
            "Remove",
            by(acts.DECIDE_REVIEW, decision="remove"),
            {ReviewStanding.REPORTED, ReviewStanding.SHOWN},
            WHY,
            danger=True,
            key="r",
        ),
    ),
)
