"""A vendor's calendar: what occupies every vehicle over some days."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from itertools import chain

from sqlalchemy import and_, func, or_, select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.clock import Window
from rental_app.domain.errors import InvalidInputError
from rental_app.domain.pictures import from_the_side
from rental_app.domain.pricing import FULL_DAY
from rental_app.models import (
    SIDE_PHOTOS,
    TITLE,
    Block,
    Booking,
    Columns,
    IcalImport,
    TripReading,
    User,
    Vehicle,
    VehiclePrice,
    titled,
)
from rental_app.schemas.calendars import (
    CalendarEntry,
    CalendarSpan,
    CalendarVehicle,
    Clash,
    EntryKind,
    OpenFrom,
    VendorCalendarAnswer,
)
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor, require_staff
from rental_app.services.availability.holds import HANDED_OVER, RETURNED, Handover, lasts_past, standing
from rental_app.services.files.safe_http import host_of
from rental_app.services.search.eligibility import in_fleet

USUAL, LONGEST = timedelta(days=14), timedelta(days=62)
Entries = dict[int, list[CalendarEntry]]


def of_vendor(session: Session, actor: Actor, request: CalendarSpan) -> VendorCalendarAnswer:
    """What occupies the vendor's vehicles over some days. Raises ForbiddenError and InvalidInputError (days)."""
    throttle.count("list", actor)
    require_staff(actor)
    throttle.check_rows(actor)
    instant = clock.now()
    entries: Entries = defaultdict(list)
    span = _span(request, instant)
    trips = _bookings(session, actor, span, instant)
    for vehicle_id, entry in chain(trips, _blocks(session, actor, span)):
        entries[vehicle_id].append(entry)
    vehicles = _vehicles(session, actor, entries, _clashes(session, actor, span))
    throttle.count_rows(actor, len(vehicles) + sum(map(len, entries.values())))
    vendor = session.get_one(User, actor.vendor)
    return VendorCalendarAnswer(
        vehicles=vehicles,
        closed=vendor.hours.closed,
        hours=OpenFrom.of(vendor.hours),
        buffer=vendor.buffer_hours,
    )


def _span(request: CalendarSpan, instant: datetime) -> Window:
    first: date = request.first_day or clock.indian_today(instant)
    last = request.last_day or first + USUAL - timedelta(days=1)
    if not timedelta() <= last - first < LONGEST:
        message = f"Choose a last day from the first to {LONGEST.days - 1} days later"
        raise InvalidInputError(message, fields={"to": message})
    return Window(clock.at(first, time()), clock.at(last + timedelta(days=1), time()))


def _vehicles(
    session: Session, actor: Actor, entries: Entries, clashes: dict[int, list[Clash]]
) -> list[CalendarVehicle]:
    """The vendor's vehicles, active ones first, each by name."""
    columns = (
        *(Vehicle.id, Vehicle.rc_number, Vehicle.is_active, Vehicle.is_approved, Vehicle.image),
        *(Vehicle.insurance_expiry_date, Vehicle.pollution_expiry_date, VehiclePrice.price_paise),
    )
    of_a_day = and_(col(VehiclePrice.vehicle_id) == Vehicle.id, col(VehiclePrice.price_name) == FULL_DAY)
    own = (
        titled(select(*map(col, columns), TITLE.label("title"), SIDE_PHOTOS.label("photos")))
        .outerjoin(VehiclePrice, of_a_day)
        .where(col(Vehicle.vendor_id) == actor.vendor, in_fleet())
        .order_by(col(Vehicle.is_active).desc(), TITLE, col(Vehicle.rc_number))
    )
    return [
        CalendarVehicle(
            id=row.id,
            title=row.title,
            rc_number=row.rc_number,
            is_active=row.is_active,
            entries=sorted(entries[row.id], key=lambda entry: entry.begin),
            clashes=clashes.get(row.id, []),
            image=from_the_side(row.photos, row.image) or row.image,
            daily_paise=row.price_paise or 0,
            is_approved=row.is_approved,
            paper="Insurance" if row.insurance_expiry_date <= row.pollution_expiry_date else "Pollution",
            valid_to=min(row.insurance_expiry_date, row.pollution_expiry_date),
        )
        for row in session.execute(own)
    ]


def _booked(actor: Actor, span: Window, instant: datetime) -> Columns:
    """SELECT of bookings that hold a vehicle, from their begin or handover to their end or return."""
    begin = func.coalesce(col(Handover.at), col(Booking.pickup_at))
    return (
        select(
            col(Booking.vehicle_id),
            col(Booking.reference),
            col(Booking.status),
            col(Booking.stage),
            begin.label("begin"),
            func.coalesce(col(TripReading.at), col(Booking.return_at)).label("end"),
            col(Booking.held_until),
            col(User.name).label("customer"),
        )
        .join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
        .join(User, col(User.id) == Booking.customer_id)
        .outerjoin(Handover, HANDED_OVER)
        .outerjoin(TripReading, RETURNED)
        .where(
            col(Vehicle.vendor_id) == actor.vendor,
            # Buffers extend at most half a day beyond.
            or_(lasts_past(span.pickup - timedelta(days=1), instant), col(TripReading.at) > span.pickup),
            begin < span.return_at,
            standing(instant),
            col(Booking.stage) != TripStage.NO_SHOW,
        )
    )


def _bookings(session: Session, actor: Actor, span: Window, instant: datetime) -> Iterator[tuple[int, CalendarEntry]]:
    """Requests and bookings with the buffers after them; a trip lasts from its handover until its vehicle is back."""
    for held in session.execute(_booked(actor, span, instant)):
        kind: EntryKind = "hold" if held.status == BookingStatus.PENDING else "booking"
        is_out = held.stage == TripStage.OUT
        end = max(held.end, instant) if is_out else held.end
        entries = [_entry(kind, held.begin, end, held.reference, held.customer, is_out=is_out)]
        if held.held_until and held.held_until > end:
            entries.append(_entry("buffer", end, held.held_until, held.reference, "Buffer"))
        yield from ((held.vehicle_id, entry) for entry in entries if entry.end > span.pickup)


def _blocks(session: Session, actor: Actor, span: Window) -> Iterator[tuple[int, CalendarEntry]]:
    blocks = (
        select(Block, col(IcalImport.url))
        .join(Vehicle, col(Vehicle.id) == Block.vehicle_id)
        .outerjoin(IcalImport, col(IcalImport.id) == Block.import_id)
        .where(
            col(Vehicle.vendor_id) == actor.vendor,
            col(Block.ends_at) > span.pickup,
            col(Block.begins_at) < span.return_at,
        )
    )
    for block, url in session.execute(blocks):
        text = "Other calendar" if url else block.reason.capitalize() + (f": {block.note}" if block.note else "")
        source = host_of(url)[0] if url else ""
        yield block.vehicle_id, _entry("block", block.begins_at, block.ends_at, str(block.id), text, source)


def _clashes(session: Session, actor: Actor, span: Window) -> dict[int, list[Clash]]:
    """Entries of other calendars that overlap bookings, by vehicle."""
    by_vehicle: dict[int, list[Clash]] = defaultdict(list)
    imports = (
        select(IcalImport).join(Vehicle).where(col(Vehicle.vendor_id) == actor.vendor).order_by(col(IcalImport.id))
    )
    for calendar in session.scalars(imports):
        for begin, end in (map(datetime.fromisoformat, clash) for clash in calendar.clashes):
            if begin < span.return_at and end > span.pickup:
                source = host_of(calendar.url)[0]
                clash = {"from": begin, "to": end, "calendar": calendar.id, "source": source}
                by_vehicle[calendar.vehicle_id].append(Clash.model_validate(clash))
    return by_vehicle


def _entry(
    kind: EntryKind, begin: datetime, end: datetime, ref: str, text: str, source: str = "", *, is_out: bool = False
) -> CalendarEntry:
    fields = {"kind": kind, "from": begin, "to": end, "ref": ref, "text": text, "source": source, "is_out": is_out}
    return CalendarEntry.model_validate(fields)
