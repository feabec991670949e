"""The sweep obeys the table of retention, and stops where far more would go than usual."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from sqlalchemy import select
from sqlmodel import Session, SQLModel

from rental_app.domain import clock
from rental_app.domain.retention import TABLES
from rental_app.infrastructure.db import read, write
from rental_app.models import (
    AuditEntry,
    KnownDevice,
    ListingDraft,
    LoginSession,
    Outbox,
    Proof,
    RememberedAnswer,
    UnclaimedFile,
    VehicleDraft,
)
from rental_app.services import retention
from tests.support.rows import each
from tests.support.shop import Shop, add_user, count, put

WITH_PERIOD = [name for name, table in TABLES.items() if table.period]
MINUTE = timedelta(minutes=1)
Makes = Callable[[int, datetime, int], SQLModel]
# A row of a person, whose period began at an instant; the number makes it another one.
MAKES: dict[str, Makes] = {
    "login_session": lambda person, at, number: LoginSession(
        jti=f"{number}", user_id=person, created_at=at - timedelta(days=7), expires_at=at
    ),
    "known_device": lambda person, at, number: KnownDevice(user_id=person, digest=f"{number}", seen_at=at),
    "proof": lambda person, at, number: Proof(
        purpose="reset", user_id=person, nonce="n", digest=f"{number}", expires_at=at
    ),
    "audit_entry": lambda person, at, number: AuditEntry(at=at, act="login.done", subject="user", subject_id=person),
    "remembered_answer": lambda person, at, number: RememberedAnswer(
        user_id=person, key=f"{number}", digest="d", created_at=at
    ),
    "outbox": lambda person, at, number: Outbox(
        key=f"{number}", kind="new_device", user_id=person, created_at=at, due_at=None, sent_at=at
    ),
    "listing_draft": lambda person, at, number: ListingDraft(vendor_id=person, typed={}, created_at=at, saved_at=at),
    "unclaimed_file": lambda person, at, number: UnclaimedFile(
        vendor_id=person, group_name="RC", key=f"private/{number}.pdf", content_type="x", size=1, created_at=at
    ),
    "vehicle_draft": lambda person, at, number: VehicleDraft(vendor_id=add_user().id or person, typed={}, saved_at=at),
}


def lasts(name: str) -> timedelta:
    period = TABLES[name].period
    assert period
    return period.lasts


@pytest.mark.databases
@each("name", WITH_PERIOD)
def test_a_row_goes_once_its_period_is_over_and_not_before(shop: Shop, name: str) -> None:
    # By the time of the machine, by which the guards of the trail go.
    now, before = clock.now(), count(name)
    put(MAKES[name](shop.customer.id or 0, now - lasts(name) + MINUTE, 0))
    put(MAKES[name](shop.customer.id or 0, now - lasts(name) - MINUTE, 1))
    write(retention.run, now)
    period = TABLES[name].period
    assert period
    since = SQLModel.metadata.tables[name].c[period.since]
    left = read(lambda session: session.scalars(select(since)).all())
    assert len(left) == before + 1
    assert now - lasts(name) + MINUTE in left


def test_a_message_that_was_not_sent_yet_is_kept(shop: Shop) -> None:
    old, before = clock.now() - timedelta(days=400), count("outbox")
    put(Outbox(key="k", kind="new_device", user_id=shop.customer.id, created_at=old, due_at=old))
    write(retention.run, clock.now())
    assert count("outbox") == before + 1


def many(shop: Shop, name: str, rows: int) -> None:
    def insert(session: Session) -> None:
        made = [MAKES[name](shop.customer.id or 0, clock.now(), number) for number in range(rows)]
        session.add_all(made)

    write(insert)


@pytest.mark.databases
def test_with_a_clock_a_year_ahead_nothing_goes_until_an_operator_says_so(
    shop: Shop, caplog: pytest.LogCaptureFixture
) -> None:
    before = count("outbox")
    many(shop, "outbox", retention.MOST + 1)
    ahead = clock.now() + timedelta(days=366)
    retention._logged.clear()
    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            write(retention.run, ahead)
    rows = before + retention.MOST + 1
    assert count("outbox") == rows
    assert [record.message for record in caplog.records if "is the clock right" in record.message] == caplog.messages
    assert len(caplog.messages) == 1
    assert retention.Lapsed("outbox", rows, rows, True) in read(retention.lapsed, ahead)
    write(lambda session: retention.run(session, ahead, held_too=True))
    # In batches.
    assert count("outbox") == rows - retention.BATCH


def test_a_thousand_rows_go_by_themselves_and_so_does_a_tenth(shop: Shop) -> None:
    many(shop, "outbox", retention.MOST - count("outbox"))
    ahead = clock.now() + timedelta(days=366)
    write(retention.run, ahead)
    assert count("outbox") == 0


def test_what_is_of_no_use_to_anybody_goes_however_much_it_is(shop: Shop) -> None:
    many(shop, "remembered_answer", 2 * retention.MOST - count("remembered_answer"))
    ahead = clock.now() + timedelta(days=8)
    write(retention.run, ahead)
    assert count("remembered_answer") == retention.MOST


def test_every_table_with_a_period_is_tried() -> None:
    assert set(MAKES) == set(WITH_PERIOD)
