"""Blocks and buffers hold a vehicle wherever bookings do, and the database itself refuses violations."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from threading import Event
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DatabaseError

from rental_app.domain import clock
from rental_app.domain.clock import Window
from rental_app.infrastructure.db import begin, engine, read, write
from rental_app.models import Booking, IcalImport
from rental_app.schemas.calendars import BlockRequest, BlockView
from rental_app.services.bookings import free_dates
from rental_app.services.calendar import blocks
from rental_app.services.calendar.ical import imports
from rental_app.services.calendar.ical.process_client import CalendarReading
from tests.conftest import Clock, _make_engine
from tests.support.blocks import is_free, keep_apart, stored
from tests.support.booking_steps import alter, ask, book, decide, status_of
from tests.support.races import at_once
from tests.support.shop import Shop, actor, add_user, add_vehicle, count, moment, put, wanted, wire
from tests.support.trips import at_pickup, confirmed, grant, hand_over, move, refusal, take_back


def block(shop: Shop, begin: datetime, end: datetime) -> BlockView:
    wish = BlockRequest(vehicle=shop.vehicle.id, begin=wire(begin), end=wire(end), reason="service")
    return write(blocks.add, actor(shop.vendor), wish)


def holiday(shop: Shop, begin: datetime, end: datetime) -> list[BlockView]:
    """Block all of the vendor's vehicles."""
    wish = BlockRequest(vehicle=None, begin=wire(begin), end=wire(end), reason="own use", note="Diwali")
    return write(blocks.add_to_all, actor(shop.vendor), wish)


def test_a_holiday_blocks_every_vehicle_around_what_is_blocked_already(shop: Shop) -> None:
    other = add_vehicle(shop.vendor)
    add_vehicle(add_user("Vendor", location_id=shop.place.id))
    block(shop, moment(5), moment(6))
    made = holiday(shop, moment(4), moment(7))
    assert [(each.vehicle, each.begin, each.end, each.note) for each in made] == [
        (shop.vehicle.id, moment(4), moment(5), "Diwali"),
        (shop.vehicle.id, moment(6), moment(7), "Diwali"),
        (other.id, moment(4), moment(7), "Diwali"),
    ]
    refusal("dates_taken", book, shop.customer, wanted(shop.vehicle, 4))
    refusal("dates_taken", book, shop.customer, wanted(other, 6))
    refusal("blocked", holiday, shop, moment(5), moment(6))
    refusal("block_reversed", holiday, shop, moment(9), moment(9))


def test_a_holiday_over_bookings_blocks_nothing_and_lists_them(shop: Shop) -> None:
    other = add_vehicle(shop.vendor)
    later, first = confirmed(shop, days=6), book(add_user(), wanted(other, 5))
    before = count("vehicle_block")
    error = refusal("booked", holiday, shop, moment(4), moment(9))
    found: Any = error.details["bookings"]
    assert error.details["reference"] == first.reference
    listed = [(one.reference, one.status) for one in found]
    assert listed == [(first.reference, "pending"), (later.reference, "confirmed")]
    assert other.rc_number in found[0].vehicle
    assert count("vehicle_block") == before


@pytest.mark.databases
def test_a_block_holds_a_vehicle_wherever_a_booking_does(shop: Shop) -> None:
    made = block(shop, moment(5), moment(7))
    assert [is_free(shop, days) for days in (3, 4, 5, 6, 7)] == [True, True, False, False, True]
    refusal("dates_taken", book, shop.customer, wanted(shop.vehicle, 6))
    before = confirmed(shop, days=3, length=2)
    refusal("dates_taken", grant, shop, before.reference, moment(5, 12))
    asked = book(shop.customer, wanted(shop.vehicle, 8))
    refusal("dates_taken", move, shop, asked.id, moment(6), moment(8))
    with pytest.raises(DatabaseError, match="ex_booking_no_overlap"):
        alter(Booking, asked.id, pickup_at=moment(6))
    write(blocks.remove, actor(shop.vendor), made.id)
    assert is_free(shop, 5)
    assert move(shop, asked.id, moment(6), moment(8)).pickup == moment(6)


def test_a_block_over_a_booking_is_refused_with_its_reference(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop, days=3, length=2)
    asked = book(add_user(), wanted(shop.vehicle, 8))
    for ref, first in ((trip.reference, moment(4)), (asked.reference, moment(7))):
        assert refusal("booked", block, shop, first, first + timedelta(days=3)).details["reference"] == ref
    block(shop, trip.return_at, asked.pickup)
    refusal("blocked", block, shop, moment(5, 12), moment(5, 14))
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.reference)
    refusal("booked", block, shop, clock.now(), clock.now() + timedelta(hours=1))
    stopped_clock.move(hours=20)
    take_back(shop, trip.reference)
    assert block(shop, clock.now(), trip.return_at).id, "what is back early can be blocked"


@pytest.mark.parametrize("make", [block, holiday])
def test_a_lapsed_request_makes_room_for_a_block(
    shop: Shop, stopped_clock: Clock, make: Callable[[Shop, datetime, datetime], object]
) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    stopped_clock.instant = asked.answer_by
    assert make(shop, asked.pickup, asked.return_at)
    assert status_of(asked.id) == "cancelled"


def test_only_so_many_blocks_of_a_vendors_own_are_to_come(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "MOST", 2)
    url = "https://calendar.example/a.ics"
    other = put(IcalImport(vehicle_id=shop.vehicle.id, url=url, due_at=clock.now(), clashes=[])).id
    read_in = [Window(moment(days), moment(days + 1)) for days in (20, 22, 24)]
    write(imports.apply, other, CalendarReading({"a": read_in}, [], []), clock.now())
    own = [block(shop, moment(days), moment(days + 1)) for days in (3, 5)]
    refusal("too_many_blocks", block, shop, moment(7), moment(8))
    write(blocks.remove, actor(shop.vendor), own[0].id)
    assert block(shop, moment(7), moment(8)).id


@pytest.mark.databases
def test_a_buffer_lies_on_both_sides_of_a_booking(shop: Shop) -> None:
    keep_apart(shop, 3)
    confirmed(shop, days=5, length=1)
    assert [is_free(shop, 6, hour) for hour in (10, 12, 13)] == [False, False, True]
    assert [is_free(shop, 4, hour) for hour in (10, 9)] == [False, False]
    refusal("dates_taken", book, add_user(), wanted(shop.vehicle, 6, hour=12))
    first = book(add_user(), wanted(shop.vehicle, 3, hour=19))
    assert book(add_user(), wanted(shop.vehicle, 6, hour=13)).pickup == moment(6, 13)
    decide(shop.vendor, first.id, "confirmed")
    refusal("dates_taken", grant, shop, first.id, moment(5, 9))
    keep_apart(shop, 0)
    ask(shop.vehicle, 100)
    assert grant(shop, first.id, moment(5, 9)).return_at == moment(5, 9)


@pytest.mark.databases
def test_bookings_closer_than_a_new_buffer_stand(shop: Shop) -> None:
    first, second = confirmed(shop, days=3, length=1), book(add_user(), wanted(shop.vehicle, 4, 2))
    told = keep_apart(shop, 6)
    assert (told.hours, told.closer) == (6, 1)
    assert "1 existing booking stays as it is" in told.message
    decide(shop.vendor, second.id, "confirmed")
    ask(shop.vehicle, 100)
    longer = grant(shop, second.id, moment(7))
    assert longer.return_at == moment(7), "what stands before it is no matter of a later return"
    with pytest.raises(DatabaseError, match="ex_booking_no_overlap"):
        alter(Booking, first.id, return_at=first.return_at + timedelta(minutes=1))
    assert [is_free(shop, 7, hour) for hour in (15, 16)] == [False, True]


def test_a_booking_is_in_its_own_way_with_no_buffer_around_it(shop: Shop) -> None:
    own, other = book(shop.customer, wanted(shop.vehicle, 4, 3)), book(add_user(), wanted(shop.vehicle, 7))
    keep_apart(shop, 6)
    taken = read(free_dates.is_held, actor(shop.customer), own.reference)
    assert taken == [Window(moment(7, 4), moment(8, 16))]
    assert read(free_dates.is_held, actor(shop.vendor), other.reference) == [Window(moment(4, 4), moment(7, 16))]
    refusal("unknown_booking", read, free_dates.is_held, actor(add_user()), own.reference)


def test_the_buffer_follows_an_early_return(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop, days=2, length=4)
    keep_apart(shop, 3)
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.reference)
    stopped_clock.move(days=1)
    take_back(shop, trip.reference)
    assert [is_free(shop, 0, hour) for hour in (12, 13)] == [False, True]
    refusal("dates_taken", book, add_user(), wanted(shop.vehicle, 0, hour=12))
    assert book(add_user(), wanted(shop.vehicle, 0, hour=13)).id


@pytest.mark.databases
def test_a_new_buffer_holds_a_vehicle_after_the_trip_that_is_under_way(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop, days=2, length=1)
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.reference)
    keep_apart(shop, 3)
    assert [is_free(shop, 1, hour) for hour in (12, 13)] == [False, True]


@pytest.fixture
def others(database: str) -> Iterator[Engine]:
    """Connections that bypass the product's own queues, as those of other processes do."""
    made = _make_engine(engine().url.render_as_string(hide_password=False))
    yield made
    made.dispose()


@contextmanager
def begun(others: Engine) -> Iterator[Connection]:
    with others.connect() as connection:
        begin(connection, writing=True)
        yield connection


INSERTS = {
    "block": "INSERT INTO vehicle_block (vehicle_id, begins_at, ends_at, reason, created_at)"
    " VALUES (:car, :begin, :end, 'service', :begin)",
    "booking": "INSERT INTO booking (vehicle_id, customer_id, pickup_at, return_at, status, price_paise,"
    " deposit_paise, lines, created_at, answer_by, cancel_reason)"
    " VALUES (:car, :who, :begin, :end, 'confirmed', 0, 0, '[]', :begin, :begin, '')",
}


def insert(connection: Connection, shop: Shop, what: str) -> None:
    ends = {"begin": stored(moment(6)), "end": stored(moment(7))}
    connection.execute(text(INSERTS[what]), ends | {"car": shop.vehicle.id, "who": shop.customer.id})


@pytest.mark.databases
@pytest.mark.parametrize(
    ("first", "second", "guard"),
    [
        ("block", "booking", "ex_booking_no_overlap"),
        ("booking", "block", "ex_vehicle_block_booked"),
        ("block", "block", "ex_vehicle_block_no_overlap"),
    ],
)
def test_another_process_waits_for_the_first_and_is_refused(
    others: Engine, shop: Shop, first: str, second: str, guard: str
) -> None:
    started = Event()

    def late() -> str:
        started.set()
        with begun(others) as connection:
            try:
                insert(connection, shop, second)
                connection.commit()
            except DatabaseError as error:
                return str(error.orig)
        return ""

    with ThreadPoolExecutor(1) as thread, begun(others) as connection:
        insert(connection, shop, first)
        waiting = thread.submit(late)
        assert started.wait(60)
        assert not waiting.done()
        connection.commit()
        assert guard in waiting.result(60)


@pytest.mark.databases
def test_a_buffer_set_meanwhile_holds_for_who_comes_after(others: Engine, shop: Shop) -> None:
    with ThreadPoolExecutor(1) as thread:
        with begun(others) as connection:
            insert(connection, shop, "booking")
            waiting = thread.submit(keep_apart, shop, 12)
            connection.commit()
        assert waiting.result(60).hours == 12
    assert [is_free(shop, 7, hour) for hour in (18, 19)] == [False, False]
    assert not is_free(shop, 5, 9)
    assert is_free(shop, 8, 9)


@pytest.mark.databases
def test_two_presses_at_once_have_one_winner(shop: Shop) -> None:
    for day in range(3, 9):
        codes = at_once(
            partial(book, add_user(), wanted(shop.vehicle, day)),
            partial(block, shop, moment(day, 12), moment(day, 14)),
        )
        assert codes in (["", "booked"], ["dates_taken", ""])
    codes = at_once(*[lambda: block(shop, moment(20), moment(21))] * 4)
    assert sorted(codes) == ["", *["blocked"] * 3]
