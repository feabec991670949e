"""The page of a guest's booking, for whoever has its link."""

from datetime import datetime

from pydantic import BaseModel
from sqlmodel import Session

from rental_app.domain import clock
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.money import format_rupees
from rental_app.schemas.trips import TripView
from rental_app.services.throttle import Caller
from rental_app.services.trips import guest_page
from rental_app.web.parts.presenters.progress import Countdown, Step, countdown, steps
from rental_app.web.parts.presenters.texts import Fact, facts, kilometres, lines
from rental_app.web.parts.presenters.trip import TripFacts, trip_facts


class GuestTrip(BaseModel):
    """What the page says besides the facts; `code_to` is where codes are texted."""

    facts: TripFacts
    countdown: Countdown | None
    steps: list[Step]
    details: list[Fact]
    code_to: str
    may_cancel: bool
    bring: list[str]
    terms: list[str]


def guest_trip(session: Session, caller: Caller, secret: str) -> GuestTrip:
    """The page of a secret; raises NotFoundError for one that is wrong or has ended."""
    return trip_page(guest_page.trip_for(session, caller, secret), clock.now())


def trip_page(view: TripView, instant: datetime) -> GuestTrip:
    """The page of a guest's booking at an instant."""
    is_booked = view.status == BookingStatus.CONFIRMED and view.stage == TripStage.BOOKED
    details = {
        "Pickup": clock.friendly(view.pickup),
        "Return": clock.friendly(view.return_at),
        "Kilometres included": kilometres(view.kms_included),
        "Total": format_rupees(view.price),
        "Security deposit": format_rupees(view.deposit),
        "Receipt number": view.receipt_number or "",
    }
    return GuestTrip(
        facts=trip_facts(view, instant),
        countdown=countdown(view, instant),
        steps=steps(view),
        details=facts(details),
        code_to=view.code_to,
        may_cancel=is_booked,
        bring=view.bring if is_booked else [],
        terms=lines(view.terms) + lines(view.vendor_terms),
    )
