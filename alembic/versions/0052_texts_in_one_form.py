"""stored texts in the form in which what looks the same is the same (NFC), as new ones are stored

Revision ID: 0052
Revises: 0051

Only rows that differ are written, and letters look as before. Accounts, notes and the audit trail, which never change,
keep theirs; so does a name that another row of its list has in this form. What the version before stores while an
upgrade is under way is composed when it is next saved.
"""

import unicodedata
from typing import Any

import sqlalchemy as sa

from alembic import op

revision = "0052"
down_revision = "0051"
branch_labels = None
depends_on = None

TEXTS = {
    "user": ("name", "address", "landmark", "city", "state", "county", "bank_name", "gst_name", "notes"),
    "vehicle": ("address", "landmark", "city", "state", "color", "owner_name_as_per_rc", "terms", "refusal"),
    "booking": ("address", "cancel_reason"),
    "booking_event": ("note",),
    "review": ("text", "answer", "report_note"),
    "change_request": ("value", "why", "reason"),
    "vehicle_block": ("note",),
    "offer": ("title", "terms"),
    "asset_model": ("name", "body_type"),
}
# Each of these is the only one of its name.
ONLY_ONES = ("location", "asset_type", "manufacturer")
BATCH = 1000


def upgrade() -> None:
    for table, names in TEXTS.items():
        for row, texts in _changed(table, names):
            _write(table, row, texts)
    for table in ONLY_ONES:
        for row, texts in _changed(table, ("name",)):
            _write(table, row, texts, sa.column("name"))
    if op.get_bind().dialect.name == "postgresql":
        # A later migration cannot alter a table whose rows still wait for the triggers of the edition.
        op.execute("SET CONSTRAINTS ALL IMMEDIATE")
        op.execute("SET CONSTRAINTS ALL DEFERRED")


def _changed(table: str, names: tuple[str, ...]) -> list[tuple[int, dict[str, str]]]:
    """The rows with a text that is not composed, and what their texts are to be; read in batches."""
    key: sa.ColumnClause[int] = sa.column("id")
    rows: Any = sa.select(key, *map(sa.column, names)).select_from(sa.table(table)).order_by(key).limit(BATCH)
    found: list[tuple[int, dict[str, str]]] = []
    last = 0
    while batch := op.get_bind().execute(rows.where(key > last)).all():
        last = batch[-1].id
        found += [(row.id, new) for row in batch if (new := _composed(row._asdict()))]
    return found


def _composed(row: dict[str, Any]) -> dict[str, str]:
    texts = {name: text for name, text in row.items() if isinstance(text, str)}
    return {name: new for name, text in texts.items() if (new := unicodedata.normalize("NFC", text)) != text}


def _write(table: str, row: int, texts: dict[str, str], only: sa.ColumnClause[str] | None = None) -> None:
    changed = sa.table(table, sa.column("id"), *map(sa.column, texts))
    statement = sa.update(changed).where(changed.c.id == row).values(texts)
    if only is not None:
        others = sa.table(table, only).alias()
        statement = statement.where(~sa.exists().where(others.c.name == texts["name"]))
    op.execute(statement)


def downgrade() -> None:
    """Both forms look the same: there is nothing to take back."""
