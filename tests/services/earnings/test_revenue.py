"""One definition of what a vendor charges, receives and holds: every place shows the same, to the paisa."""

import csv
import io
from datetime import datetime, timedelta

import pytest
from pypdf import PdfReader
from sqlalchemy import select
from sqlmodel import col

from rental_app.domain import account, clock
from rental_app.domain.money import format_rupees
from rental_app.infrastructure.db import read, read_or_store
from rental_app.models import Booking, LedgerEntry, User, Vehicle
from rental_app.schemas.earnings import EarningsAnswer, EarningsRequest
from rental_app.schemas.fleet import FleetQuery
from rental_app.schemas.wire import Page
from rental_app.services.bookings import invoices, lists
from rental_app.services.console import lists as console
from rental_app.services.console.tables.money import row_id
from rental_app.services.earnings import dashboard, figures, statements
from rental_app.services.fleet import table
from tests.conftest import Clock
from tests.support.booking_steps import alter
from tests.support.shop import DEPOSIT_PAISE, Shop, actor, add_user, add_vehicle, put
from tests.support.trips import at_pickup, at_return, cancel, charge, confirmed, hand_over, pay, reverse, take_back

GST = {"gst_name": "Sri Balaji", "gst_number": "36ZZZFZ1001Z1ZT"}


@pytest.fixture
def month(shop: Shop, stopped_clock: Clock) -> str:
    """A month in which everything happens that moves an account: trips, kept deposits, corrections, other days."""
    stopped_clock.instant = datetime.fromisoformat("2026-10-20T11:00:00+05:30")
    alter(User, shop.vendor.id, commission_bps=1_000, created_at=clock.now() - timedelta(days=90), **GST)
    other = Shop(place=shop.place, vendor=shop.vendor, vehicle=add_vehicle(shop.vendor), customer=shop.customer)
    # Charged in October, paid for in November.
    first = confirmed(shop, days=14)
    at_pickup(stopped_clock, first)
    pay(shop, first.id, first.price)
    # Noted in November, paid in October.
    pay(shop, first.id, DEPOSIT_PAISE, "deposit", on=clock.indian_today(first.pickup - timedelta(days=5)))
    hand_over(shop, first.id)
    at_return(stopped_clock, first, hours=3)
    take_back(shop, first.id, odometer=1500, damages=[{"note": "A dent", "amount": 300}])
    late = charge(shop, first.id, "late", 118, proof=[])
    reverse(shop, first.id, next(line.id for line in late.ledger if line.kind == "damage"))
    second = confirmed(other, days=5)
    pay(other, second.id, 20_000)
    pay(other, second.id, DEPOSIT_PAISE, "deposit")
    third = confirmed(other, days=12)
    pay(other, third.id, 30_000)
    cancel(other, third.id, 30_000)
    # Of a version that did not note the vehicle.
    put(LedgerEntry(booking_id=second.id, kind="extra", paise=1_05, at=clock.now()))
    return f"{clock.indian(clock.now()):%Y-%m}"


def by_hand(shop: Shop, month: str) -> tuple[int, int, int]:
    """What was charged and received in a month, and what is held at its end, from the lines alone."""
    own = (
        select(LedgerEntry)
        .join(Booking, col(LedgerEntry.booking_id) == Booking.id)
        .join(Vehicle, col(Booking.vehicle_id) == Vehicle.id)
        .where(col(Vehicle.vendor_id) == shop.vendor.id)
    )
    lines = read(lambda session: session.scalars(own).all())
    of_month = [(line.kind, line.paise) for line in lines if f"{clock.indian(line.paid_at or line.at):%Y-%m}" == month]
    return (
        account.total(of_month, account.CHARGE_SIGNS),
        account.total(of_month, account.RECEIVED_SIGNS),
        account.total([(line.kind, line.paise) for line in lines], account.DEPOSIT_SIGNS),
    )


def earned(shop: Shop, month: str, by: str) -> EarningsAnswer:
    days = {"from": f"{month}-01", "to": f"{clock.indian_today(clock.now())}", "by": by}
    return read(figures.of_vendor, actor(shop.vendor), EarningsRequest.model_validate(days))


@pytest.mark.databases
def test_charged_received_and_held_are_the_same_everywhere(shop: Shop, month: str) -> None:
    charged, received, held = by_hand(shop, month)
    assert len({charged, received, held, 0}) == 4, "the month tells them apart"
    who = actor(shop.vendor)

    found = read(dashboard.overview, who)
    assert found.figures
    assert (found.figures.monthly_revenue, found.figures.monthly_received) == (charged, received)
    assert found.months[-1].revenue == charged
    for by in ("month", "vehicle"):
        total = earned(shop, month, by).total
        assert (total.charged, total.received, total.deposits_held) == (charged, received, held), by
    rows = read(statements.of_month, shop.vendor.id or 0, datetime.fromisoformat(f"{month}-01").date(), clock.now())
    assert (rows.total.charged, rows.total.received, rows.total.deposits_held) == (charged, received, held)
    number = row_id(shop.vendor.id or 0, int(month.replace("-", "")))
    shown = read(console.one, actor(add_user("Operator")), "money", number).values
    assert (shown["charged"], shown["received"]) == (charged, received)
    fleet = read(table.table, who, FleetQuery())
    assert sum(standing.earned_paise for standing in fleet.standings.values()) == received
    bookings = read(lists.of_vendor, who, Page(limit=50)).items
    assert sum(one.balance.held for one in bookings) == held


@pytest.mark.databases
def test_page_spreadsheet_and_statement_agree_to_the_paisa(shop: Shop, month: str) -> None:
    answer, who = earned(shop, month, "vehicle"), actor(shop.vendor)
    days = EarningsRequest.model_validate({"from": f"{month}-01", "to": f"{clock.indian_today(clock.now())}"})
    pdf = read_or_store(statements.of, who, month)
    told = " ".join(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages).split())
    total = answer.total
    of_total = (total.charged, total.received, total.commission, total.net, total.deposits_held)
    assert f"Total {' '.join(map(format_rupees, of_total))}" in told
    sheet = rows_of(read(figures.as_csv, who, days.model_copy(update={"by": "vehicle"})))
    assert sheet[-1][1:6] == [f"{paise / 100:.2f}" for paise in of_total]

    tax = answer.tax
    of_tax = (tax.taxable, tax.cgst, tax.sgst, tax.igst)
    assert f"Total {' '.join(map(format_rupees, (*of_tax, tax.untaxed, tax.total)))}" in told
    papers = rows_of(read(figures.invoices_as_csv, who, days))
    assert papers[-1][4:] == [f"{paise / 100:.2f}" for paise in (*of_tax, tax.untaxed, tax.total)]
    assert len(papers) == 2 + tax.count
    for paper in papers[1:-1]:
        assert f"{paper[1]} {paper[3]}" in told, "its number beside its booking"
    for column in range(4, 10):
        assert round(sum(float(row[column]) for row in papers[1:-1]), 2) == float(papers[-1][column])
    assert [row[2] for row in papers[1:-1]] == ["invoice", "debit note", "credit note", "invoice"]


def rows_of(sheet: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(sheet.decode("utf-8-sig"))))


@pytest.mark.databases
def test_sums_in_sql_are_those_of_the_papers(shop: Shop, month: str) -> None:
    window = statements.window_of(datetime.fromisoformat(f"{month}-01").date())
    papers = read(invoices.issued_within, shop.vendor.id or 0, window.pickup, window.return_at)
    sums = read(invoices.sums_within, shop.vendor.id or 0, window.pickup, window.return_at)
    assert sums == {"count": len(papers)} | {
        name: sum(getattr(paper, name) for paper in papers) for name in invoices.AMOUNTS
    }
