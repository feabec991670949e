"""Blocks and bookings of several processes at once: the database makes the second wait, and refuses it."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DatabaseError

from rental_app.infrastructure.db import begin, engine
from tests.conftest import _make_engine
from tests.support.blocks import is_free, keep_apart, stored
from tests.support.shop import Shop, moment


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


def insert_block(connection: Connection, shop: Shop) -> None:
    connection.execute(
        text(
            "INSERT INTO vehicle_block (vehicle_id, begins_at, ends_at, reason, created_at)"
            " VALUES (:car, :begin, :end, 'service', :begin)"
        ),
        {"car": shop.vehicle.id, "begin": stored(moment(5)), "end": stored(moment(8))},
    )


def insert_booking(connection: Connection, shop: Shop) -> None:
    connection.execute(
        text(
            "INSERT INTO booking (vehicle_id, customer_id, pickup_at, return_at, status, price_paise, deposit_paise,"
            " lines, created_at, answer_by, cancel_reason)"
            " VALUES (:car, :who, :begin, :end, 'confirmed', 0, 0, '[]', :begin, :begin, '')"
        ),
        {"car": shop.vehicle.id, "who": shop.customer.id, "begin": stored(moment(6)), "end": stored(moment(7))},
    )


@pytest.mark.parametrize(
    ("first", "second", "guard"),
    [
        (insert_block, insert_booking, "ex_booking_no_overlap"),
        (insert_booking, insert_block, "ex_vehicle_block_booked"),
        (insert_block, insert_block, "ex_vehicle_block_no_overlap"),
    ],
)
def test_another_process_waits_for_the_first_and_is_refused(
    others: Engine, shop: Shop, first: Any, second: Any, guard: str
) -> None:
    started = Event()

    def late() -> str:
        started.set()
        with begun(others) as connection:
            try:
                second(connection, shop)
                connection.commit()
            except DatabaseError as error:
                return str(error.orig)
        return ""

    with ThreadPoolExecutor(1) as thread, begun(others) as connection:
        first(connection, shop)
        waiting = thread.submit(late)
        assert started.wait(60)
        assert not waiting.done()
        connection.commit()
        assert guard in waiting.result(60)


def test_a_buffer_set_meanwhile_holds_for_who_comes_after(others: Engine, shop: Shop) -> None:
    with ThreadPoolExecutor(1) as thread:
        with begun(others) as connection:
            insert_booking(connection, shop)
            waiting = thread.submit(keep_apart, shop, 12)
            connection.commit()
        assert waiting.result(60).hours == 12
    assert [is_free(shop, 7, hour) for hour in (18, 19)] == [False, False]
    assert not is_free(shop, 5, 9)
    assert is_free(shop, 8, 9)
