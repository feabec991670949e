"""Moving a confirmed booking to another of the vendor's vehicles before its handover."""

from datetime import datetime

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.booking_events import EventKind
from rental_app.domain.clock import Window
from rental_app.domain.errors import ConflictError
from rental_app.domain.pricing import PriceLine, sorted_extras
from rental_app.models import Booking, Snapshot, Vehicle
from rental_app.models.booking import BOOKED
from rental_app.schemas.counter import CounterChoice
from rental_app.schemas.trips import MoveRequest, TripView
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor, require_own, require_staff
from rental_app.services.availability import holds
from rental_app.services.bookings import counter, events, ledger, proposals, requests
from rental_app.services.bookings.access import Trip, find, hold, require_side, require_stage
from rental_app.services.bookings.free_dates import DatesUnavailableError
from rental_app.services.pricing.promotions import Redemption
from rental_app.services.pricing.quotes import PAPERS_EXPIRE, Priced, Rental, priced, rentable
from rental_app.services.trips import changes, showing

DONE = "The customer is told: another model waits for their yes"
NOT_AS_IT_WAS = "What was proposed has changed: look at it again"


def move(session: Session, actor: Actor, ref: str, request: MoveRequest) -> TripView:
    """Give a booking another vehicle of the vendor's: one of the same model at once, another model once the customer
    agrees.

    Price, deposit and penalties are the lower ones of both vehicles, kilometres the more generous. Raises
    NotFoundError, ForbiddenError (not the vendor) and ConflictError (not confirmed, handed over, same vehicle, taken,
    papers, another proposal open).
    """
    throttle.count("amend", actor)
    require_staff(actor)
    trip, instant = hold_with(session, actor, ref, request.vehicle), clock.now()
    booking = trip.booking
    require_stage(booking, BOOKED)
    if booking.vehicle_id == request.vehicle:
        raise ConflictError("The booking is for this vehicle already", code="same_vehicle")
    if booking.pickup_at <= instant and booking.return_at <= instant:
        raise ConflictError("The time of this booking is over", code="window_over")
    price = _price(session, booking, request.vehicle, instant)
    _require_free(session, booking, request.vehicle, instant)
    models = {vehicle: session.get_one(Vehicle, vehicle).model_id for vehicle in (booking.vehicle_id, request.vehicle)}
    if len(set(models.values())) == 1:
        proposals.withdraw(session, booking, instant)
        take(session, actor, trip, price, instant, "vendor", request.note)
    else:
        _propose(session, actor, booking, price, instant, request.note)
    return showing.trip_view(session, trip)


def choices(session: Session, actor: Actor, ref: str) -> list[CounterChoice]:
    """The vendor's vehicles that are free for a booking's dates. Raises NotFoundError, ForbiddenError and ConflictError
    (not confirmed, handed over)."""
    throttle.count("list", actor)
    trip, instant = find(session, actor, ref), clock.now()
    require_side(trip, "vendor")
    require_stage(trip.booking, BOOKED)
    window = Window(max(trip.booking.pickup_at, instant), trip.booking.return_at)
    if window.return_at <= window.pickup:
        return []
    found = counter.choices_for(session, actor, window, instant)
    return [one for one in found if one.taken_until is None and one.id != trip.booking.vehicle_id]


def hold_with(session: Session, actor: Actor, ref: str, vehicle_id: int) -> Trip:
    """A booking of the vendor's with another of their vehicles, both vehicles locked in the order of their ids: two
    moves at once never wait for each other.

    Raises NotFoundError and ForbiddenError (not the vendor).
    """
    before = find(session, actor, ref)
    require_own(session, actor, vehicle_id)
    ids = sorted({before.booking.vehicle_id, vehicle_id})
    session.execute(select(col(Vehicle.id)).where(col(Vehicle.id).in_(ids)).order_by(col(Vehicle.id)).with_for_update())
    return hold(session, actor, ref, "vendor")


def _price(session: Session, booking: Booking, vehicle_id: int, instant: datetime) -> Priced:
    found = rentable(session, vehicle_id)
    if found.papers < clock.indian_today(booking.return_at):
        raise ConflictError(PAPERS_EXPIRE, code="papers_expire")
    window = Window(booking.pickup_at, booking.return_at)
    wish = Rental(found.vehicle, found.tariff, found.booked, window, sorted_extras(booking.extras or []))
    return priced(session, wish, Redemption(instant))


def _require_free(session: Session, booking: Booking, vehicle_id: int, instant: datetime) -> None:
    requests.expire_stale(session, instant, vehicle_id)
    proposals.lapse(session, instant, vehicle_id=vehicle_id)
    if holds.windows(session, vehicle_id, Window(booking.pickup_at, booking.return_at), instant, besides=booking.id):
        raise DatesUnavailableError(changes.TAKEN, [])


def take(
    session: Session, actor: Actor, trip: Trip, price: Priced, instant: datetime, side: str, note: str = ""
) -> None:
    """Move a locked booking to a vehicle: what it costs less is a discount, and the account says so.

    Of what was waived nothing is taken off again: the vendor would owe money that nobody paid.
    """
    booking, wish = trip.booking, price.wish
    total, deposit, kms = terms_of(booking, price)
    less = total - booking.price_paise
    line = PriceLine("Another vehicle", 1, less, less, "discount")._asdict()
    before = Snapshot(**booking.booked).title
    charged = max(0, ledger.standing(session, booking).charged)
    changes.move_row(
        session,
        booking,
        vehicle_id=wish.vehicle.id,
        price_paise=total,
        deposit_paise=deposit,
        kms_included=kms,
        full_day_paise=min(booking.daily_paise, wish.vehicle.daily_paise),
        booked=snapshot(booking, price),
        lines=[*booking.lines, line] if less else booking.lines,
    )
    told = f"{wish.vehicle.title} in place of {before}" + (f": {note}" if note else "")
    if discount := max(less, -charged):
        ledger.post(session, booking, "discount", discount, instant, actor, note=told)
    events.record(session, booking, EventKind.MOVED, side, instant, actor.id, told)


def terms_of(booking: Booking, price: Priced) -> tuple[int, int, int | None]:
    """Price and deposit (paise), the lower ones, and kilometres, the more generous, None for unlimited."""
    kms = (booking.kms_included, price.quote.kms_included)
    return (
        min(booking.price_paise, price.quote.total),
        min(booking.deposit_paise, price.quote.deposit),
        None if None in kms else max(each for each in kms if each is not None),
    )


def snapshot(booking: Booking, price: Priced) -> dict[str, object]:
    """Another vehicle for a booking as it is now, at penalties no higher than those agreed."""
    before, now = Snapshot(**booking.booked), price.wish.booked
    lower = {
        name: min(getattr(before, name), getattr(now, name))
        for name in ("late_penalty_paise", "distance_penalty_paise")
    }
    return now.model_copy(update=lower).model_dump()


def _propose(session: Session, actor: Actor, booking: Booking, price: Priced, instant: datetime, note: str) -> None:
    vehicle, (total, deposit, _) = price.wish.vehicle, terms_of(booking, price)
    terms = {
        "vehicle": vehicle.id,
        "title": vehicle.title,
        "total": total,
        "deposit": deposit,
        "note": note,
    }
    # Its pickup may have passed while the vendor looked for a vehicle.
    answer_by = min(instant + proposals.TIME_TO_ANSWER, max(booking.pickup_at, instant + clock.HOUR))
    window = Window(booking.pickup_at, booking.return_at)
    told = f"{vehicle.title} in place of {Snapshot(**booking.booked).title}" + (f": {note}" if note else "")
    held = (vehicle.id, window)
    proposals.propose(session, actor, booking, "move", terms, answer_by, instant, told, held)


def agreed(session: Session, actor: Actor, trip: Trip, terms: dict[str, object], instant: datetime) -> None:
    """Move as the customer has agreed; raises ConflictError if that is no longer what was proposed."""
    price = _price(session, trip.booking, int(str(terms["vehicle"])), instant)
    total, deposit, _ = terms_of(trip.booking, price)
    if (total, deposit) != (terms["total"], terms["deposit"]):
        raise ConflictError(NOT_AS_IT_WAS, code="terms_changed")
    _require_free(session, trip.booking, price.wish.vehicle.id, instant)
    take(session, actor, trip, price, instant, "customer")
