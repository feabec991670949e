"""What may only be added to, and what the audit trail says; whatever else is tried on either database is refused."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text
from sqlalchemy.exc import DatabaseError
from sqlmodel import Session, SQLModel

from rental_app.domain.acts import PERSONAL, Act, changes, masked
from rental_app.domain.retention import period
from rental_app.infrastructure.background import wait_for_rest
from rental_app.infrastructure.db import read, write
from rental_app.models import (
    AuditEntry,
    CommissionPayment,
    ContentVersion,
    IssuedPaper,
    LedgerEntry,
    PersonNote,
    User,
    Vehicle,
)
from rental_app.schemas.sign_in import Credentials
from rental_app.services import maintenance
from rental_app.services.accounts import login
from rental_app.services.throttle import Caller
from tests.conftest import Clock
from tests.support.rows import each
from tests.support.shop import Shop, add_user, count, put
from tests.support.vendor_requests import book

MAKES: dict[str, Callable[[Shop], SQLModel]] = {
    "audit_entry": lambda shop: AuditEntry(act="login.done", subject="user", subject_id=shop.customer.id or 0),
    "commission_payment": lambda shop: CommissionPayment(
        vendor_id=shop.vendor.id or 0, month="2026-10", paise=100, reference="x", who_id=shop.vendor.id or 0
    ),
    "content_version": lambda _: ContentVersion(key="terms", version=1, value="# Terms"),
    "issued_paper": lambda shop: IssuedPaper(
        vendor_id=shop.vendor.id or 0, kind="receipt", about="PH-1", gst_number="x", year=2026, number=1
    ),
    "ledger_entry": lambda shop: LedgerEntry(booking_id=book(shop), kind="payment", paise=100),
    "person_note": lambda shop: PersonNote(user_id=shop.customer.id or 0, who_id=add_user("Operator").id, text="x"),
}
CHANGED = {"audit_entry": "about = 'y'", "commission_payment": "paise = 1", "ledger_entry": "paise = 1"}
CHANGED |= {"issued_paper": "number = 2", "content_version": "note = 'y'"}
ANYWHERE = (
    "UPDATE {table} SET {changed} WHERE id = {id}",
    "DELETE FROM {table} WHERE id = {id}",
    "INSERT INTO {table} ({columns}) {same} ON CONFLICT (id) DO UPDATE SET {changed}",
)
OF = {
    "sqlite": (
        "INSERT OR REPLACE INTO {table} ({columns}) {same}",
        "REPLACE INTO {table} ({columns}) {same}",
        "UPDATE OR REPLACE {table} SET id = id WHERE id = {id}",
        "PRAGMA recursive_triggers = OFF; REPLACE INTO {table} ({columns}) {same}",
    ),
    "postgresql": (
        "TRUNCATE {table} CASCADE",
        "SET LOCAL session_replication_role = replica; UPDATE {table} SET {changed} WHERE id = {id}",
        "SET LOCAL session_replication_role = replica; DELETE FROM {table} WHERE id = {id}",
        "SET LOCAL session_replication_role = replica; TRUNCATE {table} CASCADE",
        "SET LOCAL session_replication_role = replica;"
        " INSERT INTO {table} ({columns}) {same} ON CONFLICT (id) DO UPDATE SET {changed}",
    ),
}


def _run(session: Session, statements: str) -> None:
    for statement in statements.split("; "):
        session.execute(text(statement))


@pytest.mark.databases
@each("table", sorted(MAKES))
def test_nothing_changes_what_may_only_be_added_to(shop: Shop, kind: str, table: str) -> None:
    row = put(MAKES[table](shop))
    columns = ", ".join(f'"{name}"' for name in type(row).model_fields)
    same = f"SELECT {columns} FROM {table} WHERE id = {row.id}"  # type: ignore[attr-defined]
    words = {"table": table, "id": row.id, "columns": columns, "same": same}  # type: ignore[attr-defined]
    before = read(lambda session: session.execute(text(f"SELECT * FROM {table}")).all())
    for attack in (*ANYWHERE, *OF[kind]):
        with pytest.raises(DatabaseError, match="append-only"):
            write(_run, attack.format(**words, changed=CHANGED.get(table, "text = 'y'")))
    assert read(lambda session: session.execute(text(f"SELECT * FROM {table}")).all()) == before


# Texts that name nobody, or that are public; the last line's never change by an act that is recorded with its values.
HARMLESS = {
    # An operator's reason: every decision's stands whole in the trail, which is there to show it.
    "refusal",
    *("role", "status", "image", "state", "county", "bank_name", "bank_ifsc", "commission_settle", "website", "notes"),
    *("color", "rc_number", "terms"),
    *("password_hash", "last_login_from", "notice_version"),
}


def test_entries_are_forgotten_after_three_years_and_not_before(shop: Shop) -> None:
    # The guards go by the time of the machine, as a database knows no other.
    now = datetime.now(UTC)
    lasts = period("audit_entry").lasts
    for age in (lasts + timedelta(days=1), lasts - timedelta(days=1), timedelta()):
        put(AuditEntry(at=now - age, act=Act.LOGGED_IN.value, subject="user", subject_id=1))
    write(maintenance.sweep, now)
    kept = read(lambda session: session.execute(text("SELECT at FROM audit_entry")).all())
    assert len(kept) == 2


def test_ten_thousand_failed_logins_are_one_entry_a_quarter_of_an_hour(shop: Shop, stopped_clock: Clock) -> None:
    wrong = Credentials(email=shop.customer.email, password="not the password")
    for network in ("203.0.113.7", "203.0.113.7", "198.51.100.9"):
        with pytest.raises(Exception, match="not right"):
            login.sign_in(wrong, Caller(network))
        wait_for_rest()
    assert count("audit_entry") == 2
    stopped_clock.move(minutes=16)
    with pytest.raises(Exception, match="not right"):
        login.sign_in(wrong, Caller("203.0.113.7"))
    wait_for_rest()
    assert count("audit_entry") == 3


@each(
    ("field", "value", "shown"),
    [
        ("email", "ravi@example.com", "r...@example.com"),
        ("phone_number", "9876549012", "...9012"),
        ("bank_account_no", "00112233445566", "...5566"),
        ("name", "Ravi Kumar", "R..."),
        ("address", "", ""),
        ("address", "Flat 5 @ Green Park, 12 MG Road", "F..."),
        ("google_maps_link", "https://maps.example/@17.44,78.38,15z", "h..."),
        ("upi_id", "ravi@upi", "r...@upi"),
        ("color", "Night blue", "Night blue"),
    ],
)
def test_personal_values_are_masked(field: str, value: str, shown: str) -> None:
    assert masked({field: value}) == {field: shown}


def test_every_text_of_people_and_vehicles_is_masked_or_known_to_name_nobody() -> None:
    fields = (*User.model_fields.items(), *Vehicle.model_fields.items())
    texts = {name for name, field in fields if field.annotation in (str, str | None)}
    assert texts - PERSONAL == HARMLESS


@given(st.sampled_from(sorted(PERSONAL)), st.text(min_size=8))
def test_no_personal_value_of_eight_letters_stands_whole(field: str, value: str) -> None:
    assert masked({field: value})[field] != value


def test_changes_are_the_fields_that_differ() -> None:
    assert changes({"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 5, "d": 4}) == ({"b": 2, "c": 3}, {"b": 5, "d": 4})
