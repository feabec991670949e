"""The floor of the operator's lists: the same rows by SELECTs as somebody would write them by hand for each list."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from rental_app.infrastructure.db import begin, engine
from rental_app.services.console.lists import USUAL

_RENT = "CASE WHEN kind IN ('payment', 'deposit kept') THEN -paise WHEN kind LIKE 'deposit%' THEN 0 ELSE paise END"
_RENT_OF_BOOKING = f"(SELECT coalesce(sum({_RENT}), 0) FROM ledger_entry WHERE booking_id = b.id)"
_PEOPLE = 'JOIN "user" c ON c.id = {0}.customer_id JOIN "user" v ON v.id = {1}.vendor_id'
_MODEL = "JOIN asset_model m ON m.id = h.model_id JOIN manufacturer f ON f.id = m.manufacturer_id"


INSTANT_LENGTH = len("2026-11-27 09:00:00.000000")
WHOLE = ("first page", "second page", "sorted")


@dataclass(frozen=True, slots=True)
class BareList:
    """One list: its own table (`own`, an alias first), what is joined for its columns and for a search, and its order.

    `chosen` is the first filter of the list set to its first value, `sorts` the column of its own that no index sorts.
    """

    own: str
    columns: str
    joins: str
    order: str
    search: tuple[str, ...]
    searched: str = ""
    chosen: str = ""
    chosen_joins: str = ""
    base: str = ""
    descending: bool = True
    sorts: str = ""

    def rows(self, kind: str) -> str:
        """SELECT of the columns of a page of a kind: its ids first, which databases read faster."""
        key = f"{self.own.split()[-1]}.id"
        way = " DESC" if self.descending and kind != "sorted" else ""
        order = f"ORDER BY {self.sorts if kind == 'sorted' else self.order}{way}, {key}{way}"
        ids = f"SELECT {key} FROM {self._which(kind)} {order} LIMIT {USUAL + 1}"
        return f"SELECT {key}, {self.columns} FROM {self.own} {self.joins} WHERE {key} IN ({ids}) {order}"

    def counts(self, kind: str) -> list[str]:
        """SELECTs of how many rows there are, and how many of them are found."""
        # Without a condition, which would have SQLite look at each row.
        whole = f"SELECT count(*) FROM {self.own}" + (f" WHERE {self.base}" if self.base else "")
        is_whole = kind in WHOLE
        return [whole] if is_whole else [whole, f"SELECT count(*) FROM {self._which(kind)}"]

    def _which(self, kind: str) -> str:
        alias = self.own.split()[-1]
        sign = "<" if self.descending else ">"
        after = f"(SELECT {self.order}, {alias}.id FROM {self.own} WHERE {alias}.id = :last)"
        joins, condition = {
            "first page": ("", ""),
            "second page": ("", f"({self.order}, {alias}.id) {sign} {after}"),
            "search": (self.searched, " OR ".join(f"lower({text}) LIKE :word" for text in self.search)),
            "sorted": ("", ""),
            "filter": (self.chosen_joins, self.chosen),
        }[kind]
        conditions = [f"({each})" for each in (self.base, condition) if each]
        return f"{self.own} {joins}" + (f" WHERE {' AND '.join(conditions)}" if conditions else "")


_BOOKED = f"JOIN vehicle h ON h.id = b.vehicle_id {_PEOPLE.format('b', 'h')}"
_STATUS = "CASE WHEN b.status = 'pending' AND b.answer_by <= :now THEN 'cancelled' ELSE b.status END"
_LISTED = 'JOIN "user" v ON v.id = h.vendor_id ' + _MODEL
_REVIEWED = f"JOIN booking b ON b.id = r.booking_id JOIN vehicle h ON h.id = r.vehicle_id {_PEOPLE.format('r', 'r')}"
_TOLD = 'LEFT JOIN "user" u ON u.id = o.user_id LEFT JOIN booking b ON b.id = o.booking_id'

_IS_JUDGED = (
    "EXISTS (SELECT 1 FROM booking_event j"
    " WHERE j.booking_id = e.booking_id AND j.what = 'objection_judged' AND j.entry_id = e.entry_id)"
)

LISTS = {
    "people": BareList(
        '"user" u',
        "u.name, u.email, u.phone_number, u.role, u.status,"
        " EXISTS (SELECT 1 FROM member WHERE user_id = u.id),"
        " EXISTS (SELECT 1 FROM proof WHERE user_id = u.id AND purpose = 'recover' AND used_at IS NULL"
        " AND expires_at > :now),"
        " EXISTS (SELECT 1 FROM change_request WHERE user_id = u.id AND decision = ''),"
        " EXISTS (SELECT 1 FROM vehicle WHERE vendor_id = u.id AND NOT is_approved AND refusal = ''),"
        " CASE WHEN u.role = 'Vendor' THEN (SELECT count(*) FROM booking JOIN vehicle h ON h.id = booking.vehicle_id"
        " WHERE h.vendor_id = u.id) ELSE (SELECT count(*) FROM booking WHERE customer_id = u.id) END,"
        f" (SELECT coalesce(sum({_RENT}), 0) FROM ledger_entry JOIN booking b ON b.id = booking_id"
        " WHERE b.customer_id = u.id AND (b.status = 'cancelled' OR b.stage IN ('returned', 'settled', 'no_show'))),"
        " (SELECT max(coalesce(last_seen_at, created_at)) FROM login_session WHERE user_id = u.id)",
        "",
        "u.name",
        ("u.name", "u.email", "u.phone_number"),
        chosen="NOT u.is_guest AND u.role = 'Customer' AND NOT EXISTS (SELECT 1 FROM member WHERE user_id = u.id)",
        descending=False,
    ),
    "bookings": BareList(
        "booking b",
        "b.reference, f.name, m.name, h.rc_number, c.name, v.name, b.pickup_at, b.return_at, b.price_paise,"
        f" {_RENT_OF_BOOKING}, b.status, b.stage, b.answer_by",
        f"{_BOOKED} {_MODEL}",
        "b.created_at",
        ("b.reference", "c.name", "c.phone_number", "v.name", "h.rc_number"),
        _BOOKED,
        chosen=f"{_STATUS} = 'pending'",
        sorts="b.price_paise",
    ),
    "listings": BareList(
        "vehicle h",
        "f.name, m.name, h.rc_number, t.name, v.name, l.name, h.year, h.insurance_expiry_date, h.refusal,"
        " h.is_approved, h.is_active, (SELECT count(*) FROM booking WHERE vehicle_id = h.id)",
        f"{_LISTED} JOIN asset_type t ON t.id = f.asset_type_id JOIN location l ON l.id = h.location_id",
        "h.created_at",
        ("f.name", "m.name", "v.name", "h.rc_number"),
        _LISTED,
        chosen="NOT h.is_approved AND h.refusal = ''",
    ),
    "reviews": BareList(
        "review r",
        "c.name, v.name, r.side, r.stars, r.text, b.reference, r.written_at, r.is_hidden, r.reported_at, r.shown_at",
        _REVIEWED,
        "r.written_at",
        ("b.reference", "c.name", "v.name", "r.text", "h.rc_number"),
        _REVIEWED,
        chosen="r.reported_at IS NOT NULL AND r.judged_at IS NULL",
    ),
    "messages": BareList(
        "outbox o",
        'o.kind, o."to", u.email, u.phone_number, u.name, o.channel, b.reference, o.created_at, o.tries, o.due_at,'
        " o.sent_at, o.error",
        _TOLD,
        "o.created_at",
        ("o.kind", 'o."to"', "u.name", "u.email", "b.reference"),
        _TOLD,
        chosen="o.due_at IS NULL AND o.sent_at IS NULL AND o.error <> ''",
    ),
    "audit": BareList(
        "audit_entry a",
        "a.act, u.name, a.role, a.subject, a.subject_id, a.about, a.at",
        'LEFT JOIN "user" u ON u.id = a.user_id',
        "a.at",
        ("a.act", "a.about", "u.name", "u.email", "a.subject || ' ' || a.subject_id"),
        'LEFT JOIN "user" u ON u.id = a.user_id',
        chosen="a.role = 'Operator'",
    ),
    "requests": BareList(
        "change_request q",
        "q.field, u.name, q.value, q.why, q.created_at, q.decision",
        'JOIN "user" u ON u.id = q.user_id',
        "q.created_at",
        ("u.name", "u.email", "u.phone_number"),
        'JOIN "user" u ON u.id = q.user_id',
        chosen="q.decision = ''",
    ),
    "objections": BareList(
        "booking_event e",
        f"g.kind, g.detail, g.paise, b.reference, c.name, v.name, e.note, e.at, x.id, {_IS_JUDGED}",
        f"JOIN booking b ON b.id = e.booking_id {_BOOKED} LEFT JOIN ledger_entry g ON g.id = e.entry_id"
        " LEFT JOIN ledger_entry x ON x.reverses = g.id",
        "e.at",
        ("b.reference", "c.name", "c.phone_number", "v.name", "e.note", "h.rc_number"),
        f"JOIN booking b ON b.id = e.booking_id {_BOOKED}",
        chosen=f"x.id IS NULL AND NOT {_IS_JUDGED}",
        chosen_joins="LEFT JOIN ledger_entry x ON x.reverses = e.entry_id",
        base="e.what = 'objected'",
    ),
    "ledger": BareList(
        "ledger_entry e",
        "coalesce(e.detail, e.kind), b.reference, e.paise, e.method, e.at, w.name, e.note",
        'JOIN booking b ON b.id = e.booking_id LEFT JOIN "user" w ON w.id = e.who_id',
        "e.at",
        ("b.reference", "c.name", "v.name", "e.note"),
        f"JOIN booking b ON b.id = e.booking_id {_BOOKED}",
        chosen="e.kind NOT IN ('payment', 'refund', 'deposit taken', 'deposit kept', 'deposit returned')",
        sorts="e.paise",
    ),
    "notes": BareList(
        "person_note n",
        "n.text, coalesce(w.name, 'at the machine'), u.name, n.at",
        'JOIN "user" u ON u.id = n.user_id LEFT JOIN "user" w ON w.id = n.who_id',
        "n.at",
        ("n.text", "u.name", "u.email"),
        'JOIN "user" u ON u.id = n.user_id',
    ),
}

_MONTH = {
    "sqlite": "CAST(strftime('%Y%m', l.at, '+330 minutes') AS INTEGER)",
    "postgresql": "CAST(to_char(l.at AT TIME ZONE 'Asia/Kolkata', 'YYYYMM') AS INTEGER)",
}
_LINES = "ledger_entry l JOIN booking b ON b.id = l.booking_id JOIN vehicle h ON h.id = b.vehicle_id"
_TAKEN = "CASE WHEN l.kind IN ('payment', 'deposit kept') THEN 1 WHEN l.kind = 'refund' THEN -1 ELSE 0 END"
_CHARGED = "CASE WHEN l.kind IN ('payment', 'refund') OR l.kind LIKE 'deposit%' THEN 0 ELSE l.paise END"
_SHARE = "(abs(l.paise) * coalesce(b.commission_bps, v.commission_bps) + 5000) / 10000"
_SUMS = (
    "SELECT v.id AS vendor, v.name, v.email, v.phone_number, {month} AS month,"
    f" sum({_CHARGED}) AS charged, sum({_TAKEN} * l.paise) AS received,"
    f" sum({_TAKEN} * {_SHARE} * CASE WHEN l.paise < 0 THEN -1 ELSE 1 END) AS share"
    f' FROM {_LINES} JOIN "user" v ON v.id = h.vendor_id GROUP BY 1, 2, 3, 4, 5'
)
_OWED = "s.share - coalesce(p.paid, 0)"
_PAID = (
    "SELECT vendor_id, CAST(replace(month, '-', '') AS INTEGER) AS month, sum(paise) AS paid"
    " FROM commission_payment GROUP BY 1, 2"
)


class BareMoney:
    """The list of vendors' months, which are sums of the whole ledger, worked out once for the rows."""

    def rows(self, kind: str) -> str:
        """SELECT of the columns of a page of a kind."""
        condition = {
            "first page": "1 = 1",
            "second page": "(s.month, s.vendor * 10000 + s.month - 200000) < (:last % 10000 + 200000, :last)",
            "search": "lower(s.name) LIKE :word OR lower(s.email) LIKE :word OR lower(s.phone_number) LIKE :word",
            "filter": f"{_OWED} > 0",
        }[kind]
        sums = _SUMS.format(month=_MONTH[engine().dialect.name])
        return (
            f"SELECT s.vendor * 10000 + s.month - 200000 AS id, s.*, p.paid FROM ({sums}) s LEFT JOIN ({_PAID}) p"
            f" ON p.vendor_id = s.vendor AND p.month = s.month WHERE {condition} ORDER BY s.month DESC, 1 DESC"
            f" LIMIT {USUAL + 1}"
        )

    def counts(self, kind: str) -> list[str]:
        """SELECT of how many rows there are."""
        month = _MONTH[engine().dialect.name]
        return [f"SELECT count(*) FROM (SELECT DISTINCT h.vendor_id, {month} FROM {_LINES}) every"]


def run(statements: list[str], given: dict[str, Any]) -> list[Any]:
    """All rows of the statements in one transaction, with their instants as such."""
    with engine().connect() as connection:
        begin(connection, writing=False)
        cursor = connection.connection.cursor()
        is_file = connection.dialect.name == "sqlite"
        found = []
        for statement in statements:
            cursor.execute(statement if is_file else _for_psycopg(statement), given)
            found.append([tuple(_typed(value) for value in row) for row in cursor.fetchall()])
        return found


def _typed(value: Any) -> Any:
    """A value as the console has it: instants, which SQLite's driver reads as texts, in UTC."""
    if type(value) is str and len(value) == INSTANT_LENGTH and value[10] == " " and value[4] == "-":
        return datetime.fromisoformat(value).replace(tzinfo=UTC)
    return value


def _for_psycopg(statement: str) -> str:
    return re.sub(r"(?<!:):(\w+)", r"%(\1)s", statement.replace("%", "%%"))
