"""Earnings match the accounts of trips to the paisa, however they are aggregated."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import Session

from rental_app.domain import account, clock
from rental_app.domain.errors import ForbiddenError, InvalidInputError, NotFoundError
from rental_app.infrastructure.db import read, read_or_store, write
from rental_app.models import Booking, LedgerEntry, User, Vehicle
from rental_app.schemas.earnings import EarningsAnswer, EarningsRequest
from rental_app.schemas.fleet import FleetQuery
from rental_app.schemas.trips import MoveRequest, ReverseRequest
from rental_app.services.bookings import ledger as accounts
from rental_app.services.earnings import figures, statements
from rental_app.services.fleet import table
from rental_app.services.trips import moves, payments
from tests.conftest import Clock
from tests.support.account_lines import LINES, Line, booking_of, insert
from tests.support.booking_steps import alter
from tests.support.shop import DAILY_PAISE, Shop, actor, add_vehicle, open_shop, put
from tests.support.trips import at_pickup, at_return, confirmed, hand_over, pay, take_back

names = iter(range(10**9))


def commission(kind: str, paise: int, bps: int) -> int:
    share = (abs(paise) * bps + 5000) // 10_000
    return account.RECEIVED_SIGNS.get(kind, 0) * (share if paise > 0 else -share)


def expected(lines: Sequence[Line], bps: int) -> tuple[int, int, int]:
    entries = [(kind, paise) for _, _, kind, paise in lines]
    share = sum(commission(kind, paise, bps) for kind, paise in entries)
    return (
        account.total(entries, dict.fromkeys(account.CHARGES, 1)),
        account.total(entries, account.RECEIVED_SIGNS),
        share,
    )


def earned(shop: Shop, **asked: Any) -> EarningsAnswer:
    return read(figures.of_vendor, actor(shop.vendor), EarningsRequest.model_validate(asked))


@pytest.mark.long
@pytest.mark.databases
@pytest.mark.usefixtures("database")
def test_sums_agree_with_the_accounts_to_the_paisa() -> None:
    @settings(max_examples=20, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(LINES, st.integers(0, 3000))
    def check(drawn: list[Any], bps: int) -> None:
        shop = open_shop(f"Earning{next(names)}")
        alter(User, shop.vendor.id, commission_bps=bps, created_at=clock.now() - timedelta(days=600))
        vehicles = [shop.vehicle, add_vehicle(shop.vendor)]
        lines = write(insert, shop, vehicles, drawn)
        today = clock.indian_today(clock.now())
        for by in ("month", "vehicle"):
            answer = earned(shop, by=by, **{"from": today - timedelta(days=300), "to": today})
            begin = clock.at(today - timedelta(days=300), datetime.min.time())
            within = [line for line in lines if line[1] >= begin]
            total = answer.total
            assert (total.charged, total.received, total.commission) == expected(within, bps)
            assert total.net == total.received - total.commission
            assert total.deposits_held == account.total([line[2:] for line in lines], account.DEPOSIT_SIGNS)
            for name in ("charged", "received", "commission", "net"):
                assert sum(getattr(row, name) for row in answer.rows) == getattr(total, name)
            parts: dict[str, list[Line]] = defaultdict(list)
            for line in within:
                key = f"{clock.indian(line[1]):%Y-%m}" if by == "month" else str(vehicles[line[0]].id)
                parts[key].append(line)
            found = {row.key: (row.charged, row.received, row.commission) for row in answer.rows}
            assert found == {key: expected(parts[key], bps) for key in found}
            assert parts.keys() <= found.keys()
        assert answer.rows
        assert sum(row.deposits_held for row in answer.rows) == total.deposits_held

    check()


@pytest.mark.usefixtures("stopped_clock")
def test_what_was_written_before_a_move_stays_with_the_vehicle_of_then(shop: Shop) -> None:
    trip, other = confirmed(shop), add_vehicle(shop.vendor)
    pay(shop, trip.id, DAILY_PAISE)
    write(moves.move, actor(shop.vendor), trip.reference, MoveRequest(vehicle=other.id))
    pay(shop, trip.id, DAILY_PAISE)
    written = read(account_lines, trip.id)
    assert [line.vehicle_id for line in written] == [shop.vehicle.id, shop.vehicle.id, other.id]
    # A line is taken back from its own vehicle; one of an earlier version counts for the present one.
    write(payments.reverse, actor(shop.vendor), trip.reference, ReverseRequest(entry=written[1].id, note="Twice"))
    put(LedgerEntry(booking_id=trip.id, kind="extra", paise=100, at=clock.now()))
    rows = {row.key: (row.charged, row.received) for row in earned(shop, by="vehicle").rows}
    assert rows == {str(shop.vehicle.id): (2 * DAILY_PAISE, 0), str(other.id): (100, DAILY_PAISE)}
    page = read(table.table, actor(shop.vendor), FleetQuery())
    assert [page.standings[car.id or 0].earned_paise for car in (shop.vehicle, other)] == [0, DAILY_PAISE]


def account_lines(session: Session, booking_id: int) -> Sequence[LedgerEntry]:
    return accounts.lines(session, session.get_one(Booking, booking_id))


def used(shop: Shop, listed: datetime) -> int:
    """Return the utilisation since a vehicle was listed, in thousandths."""
    alter(User, shop.vendor.id, created_at=listed)
    alter(Vehicle, shop.vehicle.id, created_at=listed)
    return earned(shop, **{"from": clock.indian_today(listed)}).total.utilisation


@pytest.mark.databases
def test_utilisation_counts_from_the_handover_until_the_vehicle_is_back(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop, days=3, length=1)
    listed = trip.pickup - timedelta(days=4)
    at_pickup(stopped_clock, trip, hours=6)
    assert used(shop, listed) == 0, "a booking that was never handed over uses nothing"
    hand_over(shop, trip.reference)
    at_return(stopped_clock, trip, hours=18, days=1)
    assert used(shop, listed) == round(2.5 / 6.75 * 1000)
    at_return(stopped_clock, trip, days=5)
    take_back(shop, trip.reference)
    assert used(shop, listed) == round(5.75 / 10 * 1000)


@pytest.mark.databases
def test_months_are_indian_ones(shop: Shop, stopped_clock: Clock) -> None:
    last_hour = datetime.fromisoformat("2026-10-31T18:29:59+00:00")
    stopped_clock.instant = last_hour + timedelta(days=20)
    alter(User, shop.vendor.id, created_at=last_hour - timedelta(days=600))

    def add(session: Session) -> None:
        booking = booking_of(shop, shop.vehicle)
        session.add(booking)
        session.flush()
        for at, paise in ((last_hour, 1_00), (last_hour + timedelta(seconds=1), 2_00)):
            session.add(LedgerEntry(booking_id=booking.id, kind="payment", paise=paise, at=at))

    write(add)
    rows = earned(shop).rows
    assert len(rows) == 12
    received = Counter({row.key: row.received for row in rows})
    assert (rows[0].key, received["2026-10"], received["2026-11"]) == ("2025-12", 1_00, 2_00)


def test_nothing_is_listed_for_months_before_a_vendor_joined(shop: Shop, stopped_clock: Clock) -> None:
    last_hour = datetime.fromisoformat("2026-09-30T18:29:59+00:00")
    stopped_clock.instant = last_hour + timedelta(days=50)
    alter(User, shop.vendor.id, created_at=last_hour + timedelta(seconds=1))
    assert [row.key for row in earned(shop).rows] == ["2026-10", "2026-11"]
    assert [row.key for row in earned(shop, **{"from": "2026-11-05", "to": "2026-11-06"}).rows] == ["2026-11"]
    for by, keys in (("month", []), ("vehicle", [str(shop.vehicle.id)])):
        before = earned(shop, by=by, **{"from": "2026-08-01", "to": "2026-09-30"})
        assert ([row.key for row in before.rows], before.total.received, before.total.deposits_held) == (keys, 0, 0)
    with pytest.raises(NotFoundError):
        read(statements.of, actor(shop.vendor), "2026-09")
    assert read_or_store(statements.of, actor(shop.vendor), "2026-10").startswith(b"%PDF")


def test_what_cannot_be_asked(shop: Shop) -> None:
    for first, last in (("2026-02-02", "2026-02-01"), ("2020-01-01", "2026-01-01")):
        with pytest.raises(InvalidInputError) as refused:
            earned(shop, **{"from": first, "to": last})
        assert set(refused.value.fields) == {"to"}
    for month in ("2026-13", "2099-01", "2026-1", "nonsense"):
        with pytest.raises(NotFoundError):
            read(statements.of, actor(shop.vendor), month)
    with pytest.raises(ForbiddenError):
        read(figures.of_vendor, actor(shop.customer), EarningsRequest())
