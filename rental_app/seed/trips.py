"""What became of confirmed bookings: trips at every stage, with accounts exact to the rupee."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import settlement
from rental_app.domain.account import LedgerKind, PaymentMethod
from rental_app.domain.booking_events import EventKind
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.policies import FIRST
from rental_app.domain.settlement import Readings
from rental_app.models import (
    Booking,
    BookingEvent,
    LedgerEntry,
    TripPhoto,
    TripReading,
    Vehicle,
    return_terms,
)
from rental_app.seed.photos import photos
from rental_app.seed.tables import row_id
from rental_app.services.bookings import ledger
from rental_app.services.files import storage

PAPERS = ["government_id", "licence", "work_proof", "residence_proof"]
KMS_A_DAY = (20, 110)
METHODS = (PaymentMethod.CASH, PaymentMethod.UPI, PaymentMethod.UPI, PaymentMethod.CARD)
# How many of a hundred trips do not go as planned.
NO_SHOWS, LATE, FAST = 4, 12, 6
SORRY_PAISE = 100_00
# Older trips have no photos: these are enough to look at, and quickly drawn.
PHOTOGRAPHED = timedelta(days=14)


def add_trips(session: Session, now: datetime, made: list[tuple[str, Booking]], fleet: dict[str, Vehicle]) -> None:
    """Insert what happened to the confirmed bookings whose pickup is past; each comes with its vehicle's plate."""
    begun: dict[str, list[Booking]] = defaultdict(list)
    for plate, booking in made:
        if booking.status == BookingStatus.CONFIRMED and booking.pickup_at <= now:
            begun[plate].append(booking)
    latest = max((b for trips in begun.values() for b in trips if b.return_at <= now), key=lambda b: b.return_at)
    roads = [_Road(session, now, plate, fleet[plate], latest) for plate in begun]
    for road in roads:
        road.tell(begun[road.plate])
    session.flush()
    settled = sorted(trip for road in roads for trip in road.settled)
    back = next(road.vehicle.vendor_id for road in roads if latest in begun[road.plate])
    for at, booking_id, vendor_id in sorted([*settled, (latest.return_at, row_id(latest), back)]):
        # Numbers in the order of their dates; the latest trip is not settled yet.
        give = ledger.give_invoice if booking_id == latest.id else ledger.give_number
        give(session, session.get_one(Booking, booking_id), vendor_id, at)
    _take_something_off(session, *settled[-1], now)
    _add_photos(session, now, {row_id(booking): plate for plate, booking in made})


def _take_something_off(session: Session, settled_at: datetime, booking_id: int, vendor_id: int, now: datetime) -> None:
    """A discount after the invoice, paid back at once: its vendor has a credit note to show."""
    booking, at = session.get_one(Booking, booking_id), min(now, settled_at + timedelta(minutes=20))
    ledger.post(session, booking, LedgerKind.DISCOUNT, -SORRY_PAISE, at, note="The second helmet was too small")
    ledger.post(session, booking, LedgerKind.REFUND, SORRY_PAISE, at, method=PaymentMethod.UPI)
    session.add(BookingEvent(booking_id=booking_id, what=EventKind.REFUNDED, at=at, side="vendor", who_id=vendor_id))


def _add_photos(session: Session, now: datetime, plates: dict[int, str]) -> None:
    """Add photos to the latest readings; `plates` are by booking."""
    recent = select(TripReading).where(col(TripReading.at) > now - PHOTOGRAPHED)
    taken = [
        (reading, photo)
        for reading in session.scalars(recent).all()
        for photo in photos(plates[reading.booking_id], reading.odometer)
    ]
    with storage.storing([photo for _, photo in taken]):
        session.add_all(
            TripPhoto(reading_id=row_id(of), group_name=one.group, key=one.key, content_type=one.content_type)
            for of, one in taken
        )
        session.flush()


class _Road:
    """One vehicle's trips, made up from the last to the first, so that its odometer ends at what it shows."""

    def __init__(self, session: Session, now: datetime, plate: str, vehicle: Vehicle, latest: Booking) -> None:
        self.session, self.now, self.plate, self.vehicle, self.latest = session, now, plate, vehicle, latest
        self.odometer = vehicle.odometer_reading
        # When which booking of which vendor was settled.
        self.settled: list[tuple[datetime, int, int]] = []

    def tell(self, trips: list[Booking]) -> None:
        """Make up the vehicle's trips."""
        ordered = sorted(trips, key=lambda booking: booking.pickup_at, reverse=True)
        for number, booking in enumerate(ordered):
            chance = Random(f"{self.plate} {len(ordered) - number} trip")  # noqa: S311 - variety, nothing secret
            if booking.return_at > self.now:
                self._goes_out(booking, chance, self.odometer)
            elif chance.randrange(100) < NO_SHOWS and booking is not self.latest:
                self._never_came(booking)
            else:
                self._round(booking, chance, len(ordered) - number)

    def _round(self, booking: Booking, chance: Random, trips_left: int) -> None:
        """A trip that went out and came back."""
        days = (booking.return_at - booking.pickup_at) / timedelta(days=1)
        driven = min(int(days * chance.randint(*KMS_A_DAY)), self.odometer // (trips_left + 1))
        self._goes_out(booking, chance, self.odometer - driven)
        self._comes_back(booking, chance, driven)
        self.odometer -= driven

    def _goes_out(self, booking: Booking, chance: Random, odometer: int) -> None:
        self._pay(booking, chance, booking.pickup_at)
        self._read(booking, "handover", booking.pickup_at, odometer)
        self._happened(booking, EventKind.HANDED_OVER, booking.pickup_at)
        booking.stage = TripStage.OUT

    def _pay(self, booking: Booking, chance: Random, at: datetime) -> None:
        method = chance.choice(METHODS)
        for kind, paise in (
            (LedgerKind.PAYMENT, booking.price_paise),
            (LedgerKind.DEPOSIT_TAKEN, booking.deposit_paise),
        ):
            if paise:
                self._post(booking, kind, paise, at, method=method)
                self._happened(booking, EventKind(kind), at)

    def _comes_back(self, booking: Booking, chance: Random, driven: int) -> None:
        at = booking.return_at
        if chance.randrange(100) < LATE:
            at = min(self.now, at + timedelta(minutes=chance.randint(20, 90)))
        speedings = int(chance.randrange(100) < FAST)
        self._read(booking, "return", at, self.odometer, speedings)
        due = 0
        for line in settlement.charges(return_terms(booking), Readings(at, driven, speedings)):
            self._post(booking, line.kind, line.paise, at, note=line.note)
            due += line.paise
        if from_deposit := settlement.deposit_to_keep(due, booking.deposit_paise):
            self._post(booking, LedgerKind.DEPOSIT_KEPT, from_deposit, at, note="To pay what was due")
        self._happened(booking, EventKind.RETURNED, at)
        booking.stage = TripStage.RETURNED
        self._settle(booking, at, due - from_deposit, booking.deposit_paise - from_deposit)

    def _settle(self, booking: Booking, came_back: datetime, due: int, left: int) -> None:
        """Settle a trip, except the last one: its deposit is still to be given back."""
        at = settlement.deposit_back(came_back, FIRST)[0]
        if booking is self.latest or at > self.now:
            return
        for kind, paise in ((LedgerKind.PAYMENT, due), (LedgerKind.DEPOSIT_RETURNED, left)):
            if paise:
                self._post(booking, kind, paise, at, method=PaymentMethod.UPI)
                self._happened(booking, EventKind(kind), at)
        booking.stage = TripStage.SETTLED
        self.settled.append((at, row_id(booking), self.vehicle.vendor_id))
        self._happened(booking, EventKind.SETTLED, at, "system")

    def _never_came(self, booking: Booking) -> None:
        """Nothing was paid, so nothing is due: the charges are reversed."""
        at = booking.pickup_at + timedelta(hours=3)
        for line in self._opening(booking):
            self._post(booking, line.kind, -line.paise, at, note="The customer did not come", reverses=line.id)
        booking.stage = TripStage.NO_SHOW
        self._happened(booking, EventKind.NO_SHOW, at)

    def _opening(self, booking: Booking) -> Sequence[LedgerEntry]:
        own = select(LedgerEntry).where(col(LedgerEntry.booking_id) == booking.id)
        return self.session.scalars(own).all()

    def _read(self, booking: Booking, kind: str, at: datetime, odometer: int, speedings: int = 0) -> None:
        self.session.add(
            TripReading(
                booking_id=row_id(booking),
                kind=kind,
                at=at,
                who_id=self.vehicle.vendor_id,
                odometer=odometer,
                fuel_eighths=8,
                helmets=1,
                speedings=speedings,
                papers_seen=PAPERS if kind == "handover" else [],
            )
        )

    def _post(
        self,
        booking: Booking,
        kind: str,
        paise: int,
        at: datetime,
        method: str = "",
        note: str = "",
        reverses: int | None = None,
    ) -> None:
        self.session.add(
            LedgerEntry(
                booking_id=row_id(booking),
                vehicle_id=booking.vehicle_id,
                kind=kind,
                paise=paise,
                at=at,
                method=method,
                note=note,
                who_id=self.vehicle.vendor_id,
                reverses=reverses,
            )
        )

    def _happened(self, booking: Booking, what: EventKind, at: datetime, side: str = "vendor") -> None:
        who = self.vehicle.vendor_id if side == "vendor" else None
        self.session.add(BookingEvent(booking_id=row_id(booking), what=what.value, at=at, side=side, who_id=who))
