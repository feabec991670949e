"""Lines of accounts, drawn and stored."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from hypothesis import strategies as st
from sqlmodel import Session

from rental_app.domain import account, clock
from rental_app.models import Booking, LedgerEntry, Vehicle
from tests.support.shop import Shop, moment

KINDS = sorted({*account.RENT_SIGNS, *account.DEPOSIT_SIGNS})
Line = tuple[int, datetime, str, int]
# Which vehicle, how many days ago, the kind, paise, and whether the line is reversed later.
LINES = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 500), st.sampled_from(KINDS), st.integers(1, 5_000_000), st.booleans()),
    max_size=25,
)


def booking_of(shop: Shop, vehicle: Vehicle) -> Booking:
    return Booking(
        vehicle_id=vehicle.id,
        customer_id=shop.customer.id,
        pickup_at=moment(5),
        return_at=moment(6),
        status="confirmed",
        price_paise=0,
        deposit_paise=0,
        lines=[],
        booked={},
        answer_by=moment(5),
    )


def insert(session: Session, shop: Shop, vehicles: Sequence[Vehicle], drawn: Sequence[Any]) -> list[Line]:
    """Write lines to the accounts of a booking of each vehicle; return them as stored."""
    accounts = [booking_of(shop, vehicle) for vehicle in vehicles]
    session.add_all(accounts)
    session.flush()
    written: list[Line] = []
    for which, ago, kind, amount, reversed_later in drawn:
        at, paise = clock.now() - timedelta(days=ago), -amount if kind == "discount" else amount
        entry = LedgerEntry(booking_id=accounts[which].id, kind=kind, paise=paise, at=at)
        session.add(entry)
        session.flush()
        written.append((which, at, kind, paise))
        if reversed_later:
            session.add(LedgerEntry(booking_id=accounts[which].id, kind=kind, paise=-paise, reverses=entry.id))
            written.append((which, clock.now(), kind, -paise))
    session.flush()
    return written
