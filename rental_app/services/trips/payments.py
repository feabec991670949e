"""Payments, their reversal, and charges after the return."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import account as kinds
from rental_app.domain import clock, handover
from rental_app.domain.account import LedgerKind
from rental_app.domain.booking_events import EventKind
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.errors import ConflictError, InvalidInputError
from rental_app.domain.money import counted, format_rupees
from rental_app.domain.policies import Policies
from rental_app.domain.settlement import chargeable_until, needs_proof, stored_kind
from rental_app.domain.uploads import DAMAGE_GROUP, trip_group, trip_upload
from rental_app.models import Booking, BookingEvent, DiscountTerms, LedgerEntry, TripPhoto, TripReading
from rental_app.schemas.trips import ChargeRequest, PaymentRequest, ReverseRequest, TripView
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import events, ledger, proposals
from rental_app.services.bookings.access import Trip, hold, not_confirmed, require_stage
from rental_app.services.bookings.ledger import Balances
from rental_app.services.files import limits, uploads
from rental_app.services.files.storage import CheckedFile
from rental_app.services.trips import detail, readings

# From this many lines on an account takes no more payments and corrections: they could go back and forth for ever, and
# pages and PDFs show all lines. Extensions, returns and cancellations are never refused for it: they come to an end.
MOST_LINES = 200
NOTED, REVERSED = "Noted", "Line reversed"
# What is paid of all, in this order.
OF_ALL = ("rent", "deposit")
KINDS = {
    ("rent", "in"): LedgerKind.PAYMENT,
    ("rent", "out"): LedgerKind.REFUND,
    ("deposit", "in"): LedgerKind.DEPOSIT_TAKEN,
    ("deposit", "out"): LedgerKind.DEPOSIT_RETURNED,
}


_LEFT: dict[str, str] = {
    LedgerKind.PAYMENT: "left to pay",
    LedgerKind.REFUND: "left to pay back",
    LedgerKind.DEPOSIT_TAKEN: "of the deposit left to take",
    LedgerKind.DEPOSIT_RETURNED: "of the deposit left to return",
}
CHARGED = "Charged: the customer is told"


def record(session: Session, actor: Actor, ref: str, request: PaymentRequest, key: str = "") -> TripView:
    """Record money that changed hands; with a `key` a retry records nothing again.

    Raises NotFoundError, ForbiddenError (not the vendor), InvalidInputError (paid in the future, too early, or in a
    month that is settled), ConflictError (request not confirmed, more than is owed or held, key used for another
    payment, no room for a line).
    """
    throttle.count("change", actor)
    trip, instant = hold(session, actor, ref, "vendor", finishes=True), clock.now()
    if _is_recorded(session, trip, request, key):
        return detail.trip_view(session, trip)
    require_room(ledger.lines(session, trip.booking))
    first = min(trip.booking.created_at, trip.booking.pickup_at)
    paid_at = handover.paid_at(request.paid_on, first, instant)
    ledger.require_open(session, trip.vendor_id, paid_at, instant)
    parts = _parts(ledger.standing(session, trip.booking), trip, request)
    for number, (kind, paise) in enumerate(parts):
        # A key belongs to one line: the second one of a payment has a key of its own.
        more = {"request_key": f"{key}{'+' * number}" if key else None, "paid_at": paid_at, "method": request.method}
        line = ledger.post(session, trip.booking, kind, paise, instant, actor, note=request.note, **more)
        events.record(session, trip.booking, EventKind(kind), "vendor", instant, actor.id, request.note, line.id)
    ledger.settle_if_even(session, trip.booking, trip.vendor_id, instant)
    return detail.trip_view(session, trip)


def _is_recorded(session: Session, trip: Trip, request: PaymentRequest, key: str) -> bool:
    """Whether a call with this key has recorded this; raises ConflictError if it recorded another payment."""
    own = (col(LedgerEntry.booking_id) == trip.id, col(LedgerEntry.request_key).in_((key, f"{key}+")))
    earlier = session.scalars(select(LedgerEntry).where(*own)).all() if key else []
    if not earlier:
        return False
    same = {KINDS[of, request.direction] for of in (OF_ALL if request.of == "all" else (request.of,))}
    is_same = all(line.kind in same and line.method == request.method for line in earlier)
    days = {clock.indian_today(line.paid_at or line.at) for line in earlier}
    is_of_day = not request.paid_on or days == {request.paid_on}
    if not (is_same and is_of_day and sum(line.paise for line in earlier) == request.amount):
        raise ConflictError("This Idempotency-Key was used for another payment", code="idempotency_key_reused")
    return True


def _parts(now: Balances, trip: Trip, request: PaymentRequest) -> list[tuple[str, int]]:
    """The lines that a payment becomes, each a kind and an amount: of all, rent comes first and then the deposit.

    Money moves towards balance: nobody pays or returns more than there is to pay or return.
    """
    if trip.booking.status == BookingStatus.PENDING:
        raise not_confirmed()
    if request.of != "all":
        kind = KINDS[request.of, request.direction]
        most = max(0, _most(now)[kind])
        if request.amount > most:
            raise _too_much(most, _LEFT[kind])
        return [(kind, request.amount)]
    kinds_of_all = [KINDS[of, request.direction] for of in OF_ALL]
    room = [max(0, _most(now)[kind]) for kind in kinds_of_all]
    if request.amount > sum(room):
        raise _too_much(sum(room), "left to pay" if request.direction == "in" else "left to pay back and return")
    rent = min(request.amount, room[0])
    return [(kind, paise) for kind, paise in zip(kinds_of_all, (rent, request.amount - rent), strict=True) if paise]


def require_room(lines: Sequence[LedgerEntry]) -> None:
    """Raise ConflictError if an account takes no more lines."""
    if len(lines) >= MOST_LINES:
        raise ConflictError(f"This account has {MOST_LINES} lines, which is the limit", code="too_many_lines")


def _most(now: Balances) -> dict[str, int]:
    """The most that may change hands, for each kind of line (paise)."""
    return {
        LedgerKind.PAYMENT: now.rent,
        LedgerKind.REFUND: -now.rent,
        LedgerKind.DEPOSIT_TAKEN: now.deposit,
        LedgerKind.DEPOSIT_RETURNED: now.held,
    }


def _too_much(most: int, left: str) -> ConflictError:
    message = f"That is more than the {format_rupees(most)} {left}"
    return ConflictError(message, code="more_than_owed", fields={"amount": message})


def reverse(session: Session, actor: Actor, ref: str, request: ReverseRequest) -> TripView:
    """Correct a wrong line by adding its reverse; reversing a reversal restores the line. What the customer would owe
    more is proposed to them, and the account stays as it is until they agree.

    Raises NotFoundError (booking or line), ForbiddenError (not the vendor), ConflictError (already reversed, replaced
    by what a cancellation or a no-show keeps, decided by an operator, more than is charged, another proposal open, no
    room for a line).
    """
    throttle.count("change", actor)
    trip, instant = hold(session, actor, ref, "vendor", finishes=True), clock.now()
    lines = ledger.lines(session, trip.booking)
    line = next((one for one in lines if one.id == request.entry), None)
    if line is None:
        raise ledger.unknown_line()
    require_reversible(trip.booking, line, lines)
    _require_vendors(session, trip.booking, line)
    require_room(lines)
    room = trip.booking.price_paise - ledger.standing(session, trip.booking).charged
    if kinds.needs_consent(line.kind, line.paise, line.reverses, line.at, instant, room):
        _propose(session, actor, trip, line, request.note, instant)
        return detail.trip_view(session, trip)
    _reverse(session, actor, trip, line, request.note, instant)
    return detail.trip_view(session, trip)


def outcome(entry: int, view: TripView) -> str:
    """What has come of reversing a line of a booking: it is, or the customer is asked."""
    return REVERSED if any(line.reverses == entry for line in view.ledger) else proposals.AWAITS_CUSTOMER


def _propose(session: Session, actor: Actor, trip: Trip, line: LedgerEntry, note: str, instant: datetime) -> None:
    """Ask the customer for what they would owe more."""
    charged = ledger.standing(session, trip.booking).charged
    terms = DiscountTerms(
        entry=line.id or 0, label=ledger.named(line), extra=-line.paise, total=charged - line.paise, note=note
    )
    message = f"{format_rupees(-line.paise)} more, without the line {ledger.named(line)} ({note})"
    answer_by = instant + proposals.TIME_TO_ANSWER
    proposals.propose(session, actor, trip.booking, terms, answer_by, instant, message)


def agreed(session: Session, actor: Actor, trip: Trip, terms: DiscountTerms, instant: datetime) -> None:
    """Reverse a line as the customer has agreed; raises ConflictError if it was reversed meanwhile."""
    lines = ledger.lines(session, trip.booking)
    line = next(one for one in lines if one.id == terms.entry)
    require_reversible(trip.booking, line, lines)
    _require_vendors(session, trip.booking, line)
    _reverse(session, actor, trip, line, terms.note, instant)


def _reverse(session: Session, actor: Actor, trip: Trip, line: LedgerEntry, note: str, instant: datetime) -> None:
    """Add the reverse of a line of a locked booking; its customer is told."""
    before = ledger.standing(session, trip.booking).charged
    ledger.reverse(session, trip.booking, line, instant, actor, note)
    if before >= 0 and line.kind in kinds.RENT_CHARGES and line.paise > 0:
        _end_discounts(session, actor, trip, line, note, instant)
    message = f"{ledger.named(line)} ({note})"
    events.record(
        session, trip.booking, EventKind.REVERSED, trip.side, instant, actor.id, note, line.id, message=message
    )
    ledger.settle_if_even(session, trip.booking, trip.vendor_id, instant)


def _require_vendors(session: Session, booking: Booking, line: LedgerEntry) -> None:
    """Raise ConflictError (`decided_by_operator`) for a line that an operator wrote, or reversed by it."""
    theirs = (col(BookingEvent.booking_id) == booking.id, col(BookingEvent.side) == "operator")
    if line.who_id and line.who_id in set(session.scalars(select(col(BookingEvent.who_id)).where(*theirs))):
        message = "We have decided about this line: write to us if you do not agree"
        raise ConflictError(message, code="decided_by_operator")


def _end_discounts(session: Session, actor: Actor, trip: Trip, line: LedgerEntry, note: str, instant: datetime) -> None:
    """Take discounts back with the charge they were given on, the newest first: nobody is owed what was never charged.

    Raises ConflictError if the customer would pay more for it, or it is a discount that has nothing to be given on.
    """
    lines, room = ledger.lines(session, trip.booking), line.paise
    gone = {one.reverses for one in lines}
    discounts = [
        one for one in reversed(lines) if one.kind == LedgerKind.DISCOUNT and one.paise < 0 and one.id not in gone
    ]
    while (charged := ledger.standing(session, trip.booking).charged) < 0:
        discount = discounts.pop(0) if discounts and line.kind != LedgerKind.DISCOUNT else None
        if discount is None or -discount.paise > room:
            message = f"Only {format_rupees(charged + line.paise)} is charged for the vehicle"
            raise ConflictError(message, code="more_than_charged")
        ledger.reverse(session, trip.booking, discount, instant, actor, note)
        room += discount.paise


def require_reversible(booking: Booking, line: LedgerEntry, lines: Sequence[LedgerEntry]) -> None:
    """Raise ConflictError if a line was reversed already, or replaced for good by what a cancellation keeps."""
    if line.id in {one.reverses for one in lines}:
        raise ConflictError("This line was reversed already", code="already_reversed")
    if kinds.is_replaced(line.kind, status=booking.status, stage=booking.stage):
        raise ConflictError("This trip did not take place: its rent stays reversed", code="already_decided")


def charge(
    session: Session, actor: Actor, ref: str, request: ChargeRequest, photos: Sequence[CheckedFile], key: str = ""
) -> TripView:
    """Charge something after the return, up to seven days later; with a `key` a retry charges nothing again.

    The stage stays: an account that was settled is open again. Raises NotFoundError, ForbiddenError (not the vendor),
    InvalidInputError (no photo, several) and ConflictError (not returned, too late, no room for a line or the photo, a
    key that was used for something else).
    """
    throttle.count("change", actor)
    trip = hold(session, actor, ref, "vendor")
    if _is_charged(session, trip, request, key):
        return detail.trip_view(session, trip)
    return _charge(session, actor, trip, request, photos, key)


def _charge(
    session: Session, actor: Actor, trip: Trip, request: ChargeRequest, photos: Sequence[CheckedFile], key: str
) -> TripView:
    require_stage(trip.booking, TripStage.RETURNED, TripStage.SETTLED)
    own = (col(TripReading.booking_id) == trip.id, col(TripReading.kind) == "return")
    reading, instant = session.scalars(select(TripReading).where(*own)).one(), clock.now()
    policies = Policies.of(trip.booking.policies)
    if instant >= chargeable_until(reading.at, policies):
        days = counted(policies.charge_days, "day")
        raise ConflictError(f"Charges are possible for {days} after the return", code="too_late_to_charge")
    if needs_proof(request.kind) and not photos:
        raise InvalidInputError("Take a photo of what proves it", fields={DAMAGE_GROUP: "Take a photo"})
    if len(photos) > 1:
        message = "Send one photo: a line has room for one"
        raise InvalidInputError(message, code="too_many_files", fields={DAMAGE_GROUP: message})
    require_room(ledger.lines(session, trip.booking))
    photo = _keep_photo(session, trip, reading, photos)
    stored = stored_kind(request.kind)
    line = ledger.post(
        session,
        trip.booking,
        stored,
        request.amount,
        instant,
        actor,
        note=request.note,
        detail=request.kind if stored != request.kind else None,
        photo_id=photo.id if photo else None,
        request_key=key or None,
    )
    readings.keep_of_deposit(session, actor, trip, instant)
    notice = f"{ledger.named(line)} ({request.note})"
    events.record(
        session, trip.booking, EventKind.CHARGED, "vendor", instant, actor.id, request.note, line.id, message=notice
    )
    ledger.settle_if_even(session, trip.booking, trip.vendor_id, instant)
    return detail.trip_view(session, trip)


def charge_with(session: Session, actor: Actor, ref: str, request: ChargeRequest, photo_id: int, key: str) -> TripView:
    """The same with a photo that was uploaded ahead, 0 for none."""
    throttle.count("change", actor)
    trip = hold(session, actor, ref, "vendor")
    # Its photo cannot be claimed again.
    if _is_charged(session, trip, request, key):
        return detail.trip_view(session, trip)
    chosen = {trip_upload(DAMAGE_GROUP): [photo_id]} if photo_id else {}
    files = uploads.claim(session, actor, chosen) if chosen else []
    return _charge(session, actor, trip, request, [file.of_group(trip_group(file.group)) for file in files], key)


def _is_charged(session: Session, trip: Trip, request: ChargeRequest, key: str) -> bool:
    """Whether a call with this key has charged this; raises ConflictError if it noted something else."""
    own = (col(LedgerEntry.booking_id) == trip.id, col(LedgerEntry.request_key) == key)
    line = session.scalars(select(LedgerEntry).where(*own)).first() if key else None
    if line and (line.shown_kind, line.paise) != (request.kind, request.amount):
        raise ConflictError("This Idempotency-Key was used for something else", code="idempotency_key_reused")
    return line is not None


def _keep_photo(session: Session, trip: Trip, reading: TripReading, photos: Sequence[CheckedFile]) -> TripPhoto | None:
    """Keep the photo of a charge with those of the return."""
    if not photos:
        return None
    sent = photos[0]
    photo = TripPhoto(reading_id=reading.id or 0, group_name=DAMAGE_GROUP, key=sent.key, content_type=sent.content_type)
    with limits.room(session, trip.vendor_id, photos):
        limits.count_trip_photos(session, trip.vendor_id, photos)
    session.add(photo)
    session.flush()
    return photo
