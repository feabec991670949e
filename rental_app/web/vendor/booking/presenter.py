"""A booking in full, as its vendor sees it."""

from datetime import datetime, timedelta

from pydantic import BaseModel

from rental_app.domain import clock
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.cancellation import absent_from
from rental_app.domain.clock import Window
from rental_app.domain.handover import handover_refusal, is_noted_afterwards
from rental_app.domain.money import format_rupees, grouped
from rental_app.domain.settlement import BREAKDOWN, chargeable_until
from rental_app.schemas.trips import Extension, ReadingView, TripView
from rental_app.services.accounts.profile import Payee
from rental_app.services.bookings.guests import CodeSent
from rental_app.services.bookings.ledger import is_open
from rental_app.web.parts.presenters.links import wall_text
from rental_app.web.parts.presenters.texts import Fact, kilometres
from rental_app.web.parts.presenters.trip import PickerTimes, TripFacts, eighths, picker_times, trip_facts
from rental_app.web.parts.reviews.presenter import CustomerRating, TripReview, customer_rating, trip_review
from rental_app.web.vendor.booking.account_presenter import Payments, payments

_STAGES = {
    "booked": "Confirmed, not handed over yet",
    "out": "On the road",
    "returned": "Returned, not settled yet",
    "settled": "Settled",
    "no_show": "The customer did not come",
}
_STATUSES = {"pending": "Waiting for your answer", "cancelled": "Cancelled"}
_EXTRAS = {"helmet": "second helmet", "drop_off": "bring it to the customer", "pick_up": "fetch it from the customer"}


class HandoverFigures(BaseModel):
    """What was read at the handover, with which a return is compared; `read` and `filled` as people say it."""

    odometer: int
    fuel: int
    helmets: int
    read: str
    filled: str


class VendorTrip(BaseModel):
    """What the page says besides the facts; texts are blank where there is nothing to say.

    `reading` is what can be recorded now: handover, return or ''. `wait` says from when what cannot be done yet is
    possible. `out_at` is when the vehicle went out unless its vendor says otherwise, for a rental that had begun when
    it was booked, in the pickers' format.
    """

    id: int
    facts: TripFacts
    times: PickerTimes
    payments: Payments
    review: TripReview | None
    rating: CustomerRating | None
    stage: str
    customer: str
    plate: str
    details: list[Fact]
    reading: str
    wait: str
    can_mark_absent: bool
    can_extend: bool
    can_give_up: bool
    is_guests: bool
    charges_until: str
    continue_url: str
    out_at: str
    due_back: str
    helmets_due: str
    before: HandoverFigures | None


def trip_page(trip: TripView, vendor: Payee, instant: datetime) -> VendorTrip:
    """A booking as its vendor sees it at an instant."""
    stage = trip.stage if trip.status == BookingStatus.CONFIRMED else ""
    is_due = stage == TripStage.BOOKED and (
        was_over(trip) or not handover_refusal(trip.pickup, trip.return_at, instant)
    )
    return VendorTrip(
        id=trip.id,
        facts=trip_facts(trip, instant, for_customer=False),
        times=picker_times(trip),
        payments=payments(trip, vendor),
        review=trip_review(trip.reviews),
        rating=customer_rating(trip.reviews.customer),
        stage=_stage(trip),
        customer=trip.customer_name,
        plate=trip.rc_number,
        details=_details(trip),
        reading="return" if stage == TripStage.OUT else "handover" if is_due else "",
        wait=_wait(trip, instant) if stage == TripStage.BOOKED else "",
        can_mark_absent=stage == TripStage.BOOKED and instant >= absent_from(trip.pickup),
        can_extend=stage in (TripStage.BOOKED, TripStage.OUT),
        can_give_up=stage == TripStage.BOOKED,
        is_guests=trip.source == "counter",
        charges_until=_charges_until(trip, instant),
        continue_url=_continue_url(trip),
        out_at=wall_text(trip.pickup) if is_noted_afterwards(trip.pickup, trip.created_at) else "",
        due_back=clock.brief(trip.return_at),
        helmets_due=str(trip.helmets),
        before=_figures(trip.handover),
    )


def _figures(handover: ReadingView | None) -> HandoverFigures | None:
    if handover is None:
        return None
    return HandoverFigures(
        odometer=handover.odometer,
        fuel=handover.fuel_eighths,
        helmets=handover.helmets,
        read=f"{grouped(handover.odometer)} km",
        filled=eighths(handover.fuel_eighths),
    )


def _stage(trip: TripView) -> str:
    if trip.status != BookingStatus.CONFIRMED:
        return _STATUSES.get(trip.status, "")
    # A settled account is open again once a line is reversed.
    stage = "returned" if trip.stage == TripStage.SETTLED and is_open(trip) else trip.stage
    return _STAGES.get(stage, "")


def extension_text(extension: Extension) -> str:
    """What a later return costs, and how far it goes."""
    cost = f"{format_rupees(extension.extra)} more" if extension.extra else "nothing more"
    price = f"Until {clock.friendly(extension.return_at)}: {cost}, {format_rupees(extension.total)} total"
    return f"{price}. Kilometres included: {kilometres(extension.kms_included)}"


def code_sent_text(sent: CodeSent) -> str:
    """Where a code has gone, and until when it works."""
    return f"A code went to {sent.to}. It works until {clock.indian(sent.until):%-I:%M %p}, for this proposal alone."


def _continue_url(trip: TripView) -> str:
    """Where another vehicle is booked for the rest of a trip that broke down; '' if it did not, or one was."""
    if trip.returned is None or trip.returned.reason != BREAKDOWN or trip.followed_by:
        return ""
    return f"/vendor/new-booking?continues={trip.reference}"


def _charges_until(trip: TripView, instant: datetime) -> str:
    """The last day on which something can be charged for a trip that is back; '' if none is left."""
    if trip.returned is None or instant >= (end := chargeable_until(trip.returned.at)):
        return ""
    return clock.friendly_day(clock.indian_today(end - timedelta(seconds=1)))


def _details(trip: TripView) -> list[Fact]:
    # From the confirmation on, the account says what is owed.
    price = {} if trip.ledger else {"Price": format_rupees(trip.price), "Deposit": format_rupees(trip.deposit)}
    facts = {
        "Pickup": clock.friendly(trip.pickup),
        "Return": clock.friendly(trip.return_at),
        "Length": Window(trip.pickup, trip.return_at).label,
        "Kilometres included": kilometres(trip.kms_included),
        "Extras": ", ".join(_EXTRAS.get(extra, extra) for extra in trip.extras).capitalize(),
        "Address": trip.address,
        "Offer": trip.offer or "",
        "Receipt number": trip.receipt_number or "",
        **price,
    }
    return [Fact(label=label, value=value) for label, value in facts.items() if value]


def was_over(trip: TripView) -> bool:
    """Whether the rental was over when it was booked: its handover and return are noted afterwards."""
    return trip.created_at >= trip.return_at


def _wait(trip: TripView, instant: datetime) -> str:
    """What can be done later and from when, or why the vehicle can no longer be handed over."""
    if was_over(trip):
        return ""
    if refusal := handover_refusal(trip.pickup, trip.return_at, instant):
        return f"{refusal[1]}."
    if instant < (absent := absent_from(trip.pickup)):
        return f"If the customer does not come, a no-show can be marked from {clock.friendly(absent)}."
    return ""
