"""What may only be added to: whatever else is tried on either database is refused, with its triggers left out too."""

from collections.abc import Callable

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DatabaseError
from sqlmodel import Session, SQLModel

from rental_app.infrastructure.db import read, write
from rental_app.models import AuditEntry, CommissionPayment, LedgerEntry, PersonNote
from tests.support.rows import each
from tests.support.shop import Shop, add_user, put
from tests.support.vendor_requests import book

MAKES: dict[str, Callable[[Shop], SQLModel]] = {
    "audit_entry": lambda shop: AuditEntry(act="login.done", subject="user", subject_id=shop.customer.id or 0),
    "commission_payment": lambda shop: CommissionPayment(
        vendor_id=shop.vendor.id or 0, month="2026-10", paise=100, reference="x", who_id=shop.vendor.id or 0
    ),
    "ledger_entry": lambda shop: LedgerEntry(booking_id=book(shop), kind="payment", paise=100),
    "person_note": lambda shop: PersonNote(user_id=shop.customer.id or 0, who_id=add_user("Operator").id, text="x"),
}
CHANGED = {"audit_entry": "about = 'y'", "commission_payment": "paise = 1", "ledger_entry": "paise = 1"}
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
