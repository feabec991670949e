"""Tax invoices, the credit and debit notes about them, and agreements: what they say, when, and that they stay so."""

import io
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

import pytest
from pypdf import PdfReader
from sqlalchemy import select, text
from sqlalchemy.exc import DatabaseError
from sqlmodel import Session, col

from rental_app.content import legal
from rental_app.domain import clock
from rental_app.domain.counter import ERASED_NAME
from rental_app.domain.errors import RentalError
from rental_app.domain.money import format_rupees
from rental_app.domain.policies import Policies
from rental_app.domain.retention import GUESTS_ERASED_AFTER
from rental_app.infrastructure.db import read, read_or_store, write
from rental_app.infrastructure.settings import settings
from rental_app.models import Booking, InvoiceSnapshot, IssuedPaper, User, Vehicle
from rental_app.models.issued_paper import CREDIT_NOTE, DEBIT_NOTE, INVOICE
from rental_app.schemas.accounts import ProfileUpdate
from rental_app.schemas.trips import TripView
from rental_app.schemas.validation import validated
from rental_app.services import issued_papers, maintenance
from rental_app.services.accounts import profile
from rental_app.services.bookings import invoices, ledger
from rental_app.services.trips import documents
from tests.conftest import Clock
from tests.support.booking_steps import alter
from tests.support.guests import at_counter
from tests.support.pdfs import NAMES
from tests.support.races import Press, at_once
from tests.support.shop import DAILY_PAISE, DEPOSIT_PAISE, Shop, actor, add_vehicle, moment
from tests.support.trips import (
    at_pickup,
    at_return,
    cancel,
    charge,
    confirmed,
    hand_over,
    pay,
    reverse,
    seen,
    take_back,
)

# Invented, with check digits that add up.
FIRST = {"gst_name": "Old Trade Name", "gst_number": "36ZZZFZ1001Z1ZT", "gst_rate_bps": 1_800}
SECOND = {"gst_name": "New Trade Name", "gst_number": "36ZZZCZ2002Z1ZW", "gst_rate_bps": 500}
KEPT = 20_000
PRICE = 2 * DAILY_PAISE


@pytest.fixture
def registered(shop: Shop) -> Shop:
    """The shop, whose vendor has a GST number."""
    alter(User, shop.vendor.id, **FIRST)
    return shop


@pytest.fixture
def back(registered: Shop, stopped_clock: Clock) -> TripView:
    """A trip that is back, of two days at ₹500, of which the deposit is still held."""
    return received(registered, stopped_clock)


def received(shop: Shop, clock: Clock, trip: TripView | None = None, **data: object) -> TripView:
    trip = trip or confirmed(shop)
    at_pickup(clock, trip)
    pay(shop, trip.id, trip.price)
    pay(shop, trip.id, DEPOSIT_PAISE, "deposit")
    hand_over(shop, trip.id)
    at_return(clock, trip)
    return take_back(shop, trip.id, **data)


def cancelled(shop: Shop, days: int = 3) -> TripView:
    """A booking that was cancelled, of which something is kept."""
    trip = confirmed(shop, days=days)
    pay(shop, trip.id, KEPT)
    return cancel(shop, trip.id, KEPT)


def papers(trip: TripView) -> list[tuple[str, str, int]]:
    return [(one.kind, one.number, one.total) for one in trip.invoices]


def said(trip: TripView, number: int = -1) -> InvoiceSnapshot:
    """What the last invoice or note of a booking says, or another one."""

    def look(session: Session) -> InvoiceSnapshot:
        vendor = session.get_one(Vehicle, trip.car.id).vendor_id
        return issued_papers.read(invoices.of_booking(session, vendor, trip.reference)[number], InvoiceSnapshot)

    return read(look)


def words(pdf: bytes) -> str:
    return " ".join(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages).split())


def invoice(user: User, trip: TripView) -> bytes:
    return read(documents.invoice_of, actor(user), trip.reference)


def note(user: User, trip: TripView, entry: int) -> bytes:
    return read(documents.note_of, actor(user), trip.reference, entry)


def agreement(user: User, trip: TripView) -> str:
    return words(read_or_store(documents.agreement_of, actor(user), trip.reference))


def refused(user: User, trip: TripView) -> str:
    with pytest.raises(RentalError) as refusal:
        invoice(user, trip)
    return refusal.value.code


def test_an_invoice_is_issued_when_the_vehicle_is_received(registered: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(registered)
    assert refused(registered.customer, trip) == "not_issued"
    back = received(registered, stopped_clock, trip, damages=[{"note": "A dent", "amount": 300}])
    year = f"{stopped_clock.instant:%y}-{int(f'{stopped_clock.instant:%y}') + 1}"
    assert papers(back) == [("invoice", f"{year}/0001", PRICE + 30_000)]
    now = said(back)
    # ₹1,000 with 18 %: 152.54 of tax, the halves equal.
    assert (now.taxable, now.cgst, now.sgst, now.igst, now.untaxed) == (84_746, 7_627, 7_627, 0, 30_000)
    assert (now.paid, now.deposit_kept, now.due) == (PRICE, 30_000, 0)
    assert (now.deposit_taken, now.deposit_returned, now.held) == (DEPOSIT_PAISE, 0, DEPOSIT_PAISE - 30_000)
    assert [(line.what, line.paise, line.taxable) for line in now.lines] == [
        ("Rent", PRICE, 84_746),
        ("Damage", 30_000, 0),
    ]


def test_the_page_names_all_that_the_rules_ask_for(registered: Shop, stopped_clock: Clock) -> None:
    back = received(registered, stopped_clock, damages=[{"note": "A dent", "amount": 300}])
    told = words(invoice(registered.customer, back))
    for fact in (
        *("tax invoice", back.invoices[0].number, "Old Trade Name", registered.vendor.address, FIRST["gst_number"]),
        *("Telangana (36)", "Place of supply", registered.customer.name, "not registered", back.reference),
        *(registered.vehicle.rc_number, "9973", "CGST 9 %", "SGST 9 %", "₹847.46", "₹76.27", "Not taxed", "₹300"),
        *("Total ₹1,300", "Rupees One Thousand Three Hundred Only", "Reverse charge No"),
        *("Paid -₹1,000", "Deposit kept -₹300", "Due ₹0", "Deposit taken +₹2,000", "Deposit held +₹1,700"),
    ):
        assert str(fact) in told, fact
    assert "IGST" not in told
    assert registered.customer.address not in told, "below ₹50,000 nobody needs it"


def test_a_customer_from_another_state_pays_the_tax_between_states(registered: Shop, stopped_clock: Clock) -> None:
    alter(User, registered.customer.id, state="Karnataka")
    back = received(registered, stopped_clock)
    now = said(back)
    assert (now.place, now.taxable, now.cgst, now.sgst, now.igst) == ("Karnataka (29)", 84_746, 0, 0, 15_254)
    told = words(invoice(registered.vendor, back))
    assert ("IGST 18 %" in told, "CGST" in told, "₹152.54" in told) == (True, False, True)


def test_the_address_of_the_customer_is_named_from_50000_rupees_on(registered: Shop, stopped_clock: Clock) -> None:
    damage = [{"note": "Burnt out", "amount": 49_000}]
    back = received(registered, stopped_clock, damages=damage)
    assert registered.customer.address in words(invoice(registered.vendor, back))


@pytest.mark.parametrize("script", ["noto-sans-telugu", "noto-sans-devanagari"])
def test_names_are_printed_in_their_script(registered: Shop, stopped_clock: Clock, script: str) -> None:
    alter(User, registered.customer.id, name=NAMES[script])
    alter(User, registered.vendor.id, gst_name=NAMES["noto-sans-telugu"])
    back = received(registered, stopped_clock)
    pages = [invoice(registered.customer, back)]
    pages += [read_or_store(documents.agreement_of, actor(registered.customer), back.reference)]
    for page in pages:
        fonts = {
            str(font.get_object()["/BaseFont"])
            for one in PdfReader(io.BytesIO(page)).pages
            for font in one["/Resources"]["/Font"].values()  # type: ignore[index]
        }
        assert any(script.rpartition("-")[2].capitalize() in font for font in fonts), fonts
        assert "?" not in words(page)


def test_what_is_kept_of_a_booking_that_does_not_take_place_is_invoiced(registered: Shop) -> None:
    trip = cancelled(registered)
    assert [(kind, total) for kind, _, total in papers(trip)] == [("invoice", KEPT)]
    assert [line.what for line in said(trip).lines] == ["Cancellation"]


def test_nothing_is_invoiced_where_nothing_is_kept_or_the_vendor_is_not_registered(
    shop: Shop, stopped_clock: Clock
) -> None:
    unregistered = received(shop, stopped_clock)
    assert papers(unregistered) == []
    assert refused(shop.customer, unregistered) == "no_gst_number"
    alter(User, shop.vendor.id, **FIRST)
    free = confirmed(shop, days=20)
    assert papers(cancel(shop, free.id, 0)) == []


def test_a_trip_received_before_there_was_a_gst_number_is_invoiced_when_it_is_settled(
    shop: Shop, stopped_clock: Clock
) -> None:
    back = received(shop, stopped_clock)
    alter(User, shop.vendor.id, **FIRST)
    assert papers(charge(shop, back.id, "toll", 80)) == []
    settled = pay(shop, back.id, DEPOSIT_PAISE - 8_000, "deposit", "out")
    assert [(kind, total) for kind, _, total in papers(settled)] == [("invoice", PRICE + 8_000)]


@pytest.mark.databases
def test_later_charges_and_reversals_are_notes_about_the_invoice(registered: Shop, back: TripView) -> None:
    year = back.invoices[0].number[:5]
    late = charge(registered, back.id, "late", 118, proof=[])
    line = next(one.id for one in late.ledger if one.kind == "late")
    assert papers(late)[1:] == [("debit note", f"DN/{year}/0001", 11_800)]
    now = said(late)
    assert (now.of, now.taxable, now.cgst, now.sgst) == (back.invoices[0].number, 10_000, 900, 900)
    undone = reverse(registered, back.id, line)
    assert papers(undone)[2:] == [("credit note", f"CN/{year}/0001", -11_800)]
    # Of the rent, which the invoice has.
    rent = next(one.id for one in undone.ledger if one.kind == "rental")
    given = reverse(registered, back.id, rent)
    assert papers(given)[3:] == [("credit note", f"CN/{year}/0002", -PRICE)]
    told = words(note(registered.customer, given, given.ledger[-1].id))
    for fact in ("credit note", f"CN/{year}/0002", f"{back.invoices[0].number} of", "₹847.46", "Rupees One Thousand"):
        assert fact in told, fact
    assert "Deposit" not in told
    listed = read(invoices.issued_within, registered.vendor.id or 0, back.created_at, clock.now() + timedelta(1))
    sums = [sum(getattr(one, name) for one in listed) for name in ("taxable", "cgst", "sgst", "igst", "total")]
    assert sums == [0] * 5, "what was taken back has exactly the tax that it had"


def test_payments_have_no_notes(registered: Shop, back: TripView) -> None:
    pay(registered, back.id, DEPOSIT_PAISE, "deposit", "out")
    reverse(registered, back.id, seen(registered.vendor, back.id).ledger[-1].id)
    assert len(seen(registered.vendor, back.id).invoices) == 1
    with pytest.raises(RentalError, match="no credit or debit note"):
        note(registered.vendor, back, back.ledger[0].id)


def test_what_was_reversed_before_the_invoice_is_not_on_it(registered: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(registered)
    at_pickup(stopped_clock, trip)
    hand_over(registered, trip.id)
    rent = seen(registered.vendor, trip.id).ledger[0].id
    gone = reverse(registered, trip.id, rent)
    reverse(registered, trip.id, gone.ledger[-1].id)
    at_return(stopped_clock, trip)
    back = take_back(registered, trip.id)
    assert [(line.what, line.paise) for line in said(back).lines] == [("Rent", PRICE)]


@pytest.mark.databases
def test_nothing_that_changes_later_changes_an_invoice_or_a_note(
    registered: Shop, back: TripView, stopped_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    charged = charge(registered, back.id, "toll", 80)
    entry = next(one.id for one in charged.ledger if one.kind == "toll")
    before = invoice(registered.customer, back), note(registered.vendor, back, entry)
    alter(User, registered.vendor.id, name="Somebody Else", address="Elsewhere", **SECOND)
    alter(User, registered.customer.id, name="Renamed", state="Karnataka")
    alter(Vehicle, registered.vehicle.id, rc_number="TS99ZZ9999", color="Pink", year=2001)
    monkeypatch.setattr(settings(), "product_name", "Another name")
    stopped_clock.move(days=1)
    assert (invoice(registered.customer, back), note(registered.vendor, back, entry)) == before
    # A note goes by its invoice: its rate, its supplier, the series of its GST number.
    later = charge(registered, back.id, "late", 118, proof=[])
    assert papers(later)[-1][:2] == ("debit note", papers(charged)[-1][1][:-1] + "2")
    assert (said(later).gst_number, said(later).supplier, said(later).cgst) == (*[*FIRST.values()][1::-1], 900)
    # The next invoice is of the new number, from 1 on.
    other = cancelled(registered, days=30)
    assert (papers(other)[0][1][-4:], said(other).gst_number) == ("0001", SECOND["gst_number"])
    assert said(other).rate_bps == 500


@pytest.mark.databases
def test_the_database_refuses_to_change_what_one_says(registered: Shop, kind: str) -> None:
    cancelled(registered)
    attacks = ["UPDATE issued_paper SET snapshot = '{}' WHERE kind = 'invoice'", "DELETE FROM issued_paper"]
    attacks += ["UPDATE issued_paper SET number = 9 WHERE kind = 'invoice'"]
    if kind == "postgresql":
        attacks += [f"SET LOCAL session_replication_role = replica; {attacks[0]}"]
    for attack in attacks:
        with pytest.raises(DatabaseError, match="append-only"):
            write(_run, attack)


def _run(session: Session, statements: str) -> None:
    for statement in statements.split("; "):
        session.execute(text(statement))


@pytest.mark.databases
def test_numbers_have_no_gaps_under_races(registered: Shop) -> None:
    """Also when one of those that wanted a number ends in an error after it got it, and with notes between them."""
    trips = [confirmed(replace(registered, vehicle=add_vehicle(registered.vendor))) for _ in range(12)]
    for trip in trips:
        pay(registered, trip.id, KEPT)
    early = [cancel(registered, trip.id, KEPT) for trip in trips[:4]]
    lines = [next(one.id for one in trip.ledger if one.kind == "cancellation") for trip in early]

    def fail(session: Session, trip: TripView) -> None:
        ledger.give_number(session, session.get_one(Booking, trip.id), registered.vendor.id or 0, clock.now())
        raise RuntimeError

    def failing(trip: TripView) -> None:
        with pytest.raises(RuntimeError):
            write(fail, trip)

    presses: list[Press] = [partial(failing, trip) for trip in trips[4:6]]
    presses += [partial(cancel, registered, trip.id, KEPT) for trip in trips[6:]]
    presses += [partial(reverse, registered, trip.id, line) for trip, line in zip(early, lines, strict=True)]
    assert set(at_once(*presses)) == {""}
    assert numbers(registered, INVOICE) == [*range(1, 11)]
    assert numbers(registered, CREDIT_NOTE) == [*range(1, 5)]
    assert numbers(registered, DEBIT_NOTE) == []


def numbers(shop: Shop, kind: str) -> list[int]:
    own = (col(IssuedPaper.vendor_id) == shop.vendor.id, col(IssuedPaper.kind) == kind)
    found = read(lambda session: session.scalars(select(col(IssuedPaper.number)).where(*own)).all())
    return sorted(number or 0 for number in found)


@pytest.mark.databases
def test_an_invoice_beside_a_change_of_the_gst_number_says_one_or_the_other(registered: Shop) -> None:
    trips = [confirmed(replace(registered, vehicle=add_vehicle(registered.vendor))) for _ in range(5)]
    for trip in trips:
        pay(registered, trip.id, KEPT)
    form = {"address": "12 Road", "zipCode": "500032", "city": "Hyderabad", "gst_name": SECOND["gst_name"]}
    form |= {"gst_number": SECOND["gst_number"], "gst_rate": 5}
    change = validated(ProfileUpdate, form)
    presses: list[Press] = [partial(cancel, registered, trip.id, KEPT) for trip in trips]
    presses.insert(2, partial(write, profile.update_profile, actor(registered.vendor), change))
    assert set(at_once(*presses)) == {""}
    own = (col(IssuedPaper.vendor_id) == registered.vendor.id, col(IssuedPaper.kind) == INVOICE)
    issued = select(IssuedPaper).where(*own).order_by(col(IssuedPaper.number))
    series: dict[str, list[int]] = {}
    for paper in read(lambda session: session.scalars(issued).all()):
        told = issued_papers.read(paper, InvoiceSnapshot)
        of_number = next(one for one in (FIRST, SECOND) if one["gst_number"] == paper.gst_number)
        assert [told.supplier, told.gst_number, told.rate_bps] == [*of_number.values()]
        series.setdefault(paper.gst_number, []).append(paper.number or 0)
    assert sum(map(len, series.values())) == len(trips)
    assert all(found == [*range(1, len(found) + 1)] for found in series.values())


@pytest.mark.databases
def test_each_financial_year_begins_at_one(registered: Shop, stopped_clock: Clock) -> None:
    stopped_clock.instant = datetime.fromisoformat("2027-03-31T23:30:00+05:30")
    first = cancelled(registered, days=5)
    stopped_clock.instant = datetime.fromisoformat("2027-04-01T00:00:00+05:30")
    second = cancelled(registered, days=12)
    assert [papers(trip)[0][1] for trip in (first, second)] == ["26-27/0001", "27-28/0001"]
    # A note is of the year in which it is issued.
    line = next(one.id for one in first.ledger if one.kind == "cancellation")
    assert papers(reverse(registered, first.id, line))[-1][1] == "CN/27-28/0001"


def test_an_agreement_says_what_was_agreed_and_the_terms_in_their_version(registered: Shop) -> None:
    trip = confirmed(registered)
    accepted = clock.now() - timedelta(hours=1)
    alter(Booking, trip.id, terms_version="2026-11-26", terms_accepted_at=accepted)
    told = agreement(registered.customer, trip)
    for fact in (
        *("rental agreement", trip.reference, "Old Trade Name", registered.customer.name, registered.vehicle.rc_number),
        *(format_rupees(trip.price), format_rupees(trip.deposit), "Version 2026-11-26, accepted"),
        "Only the person who booked rides or drives",
    ):
        assert fact in told, fact
    alter(User, registered.vendor.id, **SECOND)
    assert agreement(registered.vendor, trip) == told, "stored when it was first read"
    alter(Booking, trip.id, return_at=trip.return_at + timedelta(days=1))
    assert "New Trade Name" in agreement(registered.vendor, trip), "something else was agreed since"


def test_an_agreement_says_the_numbers_that_its_booking_goes_by(registered: Shop) -> None:
    trip = confirmed(registered)
    told = agreement(registered.customer, trip)
    assert "₹50 an hour, 15 minutes after the return" in told
    assert "25 % of a rent paid in full is kept more than 72 hours before the pickup, 75 % up to 24 hours" in told
    own = Policies(grace_minutes=0, early_percent=5, partial_percent=50)
    alter(Booking, trip.id, policies=own.booked, price_paise=trip.price + 1)
    told = agreement(registered.customer, trip)
    assert "15 minutes" not in told.partition("Terms")[0]
    assert "5 % of a rent paid in full" in told
    assert "50 % of a part payment" in told


def test_there_is_no_agreement_about_a_request(shop: Shop) -> None:
    trip = confirmed(shop)
    alter(Booking, trip.id, status="pending")
    with pytest.raises(RentalError, match="once the booking is confirmed"):
        agreement(shop.customer, trip)


def test_every_version_of_the_terms_can_be_read() -> None:
    versions = [legal.TERMS_VERSION, *(path.stem for path in legal.EARLIER.glob("*.md"))]
    assert len(versions) > 1
    for version in versions:
        text = legal.terms_of(version, settings().named_in_texts)
        assert text.startswith("# Terms\n")
        assert "{" not in text
    assert legal.terms_of("../privacy", {}) == ""


def test_a_guests_name_goes_from_the_agreement_and_stays_on_the_invoice(registered: Shop, stopped_clock: Clock) -> None:
    made = at_counter(registered.vendor, registered.vehicle, moment(0, 12), moment(0, 20))
    back = received(registered, stopped_clock, seen(registered.vendor, made.reference))
    assert "Suresh Babu" in agreement(registered.vendor, back)
    stopped_clock.move(seconds=GUESTS_ERASED_AFTER.total_seconds())
    write(maintenance.sweep, clock.now())
    told = agreement(registered.vendor, back)
    assert (ERASED_NAME in told, "Suresh Babu" in told) == (True, False)
    assert "Suresh Babu" in words(invoice(registered.vendor, back))
