"""A paper with a number, or of a closed month, says what it said, whatever is changed later; numbers have no gaps."""

import io
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

import pytest
from pypdf import PdfReader
from sqlalchemy import select, text
from sqlmodel import Session, col

from rental_app.domain import clock, counter
from rental_app.domain.gst import financial_year
from rental_app.domain.retention import GUESTS_ERASED_AFTER
from rental_app.infrastructure.db import read, read_or_store, write
from rental_app.infrastructure.settings import settings
from rental_app.models import Booking, IssuedPaper, ReceiptNumber, User, Vehicle
from rental_app.models.issued_paper import INVOICE, RECEIPT, STATEMENT
from rental_app.schemas.operating import PaidCommission, ReadOnlyRequest
from rental_app.schemas.trips import TripView
from rental_app.services import issued_papers, maintenance
from rental_app.services.bookings import ledger
from rental_app.services.earnings import statements
from rental_app.services.operating import commission, read_only
from rental_app.services.trips import papers as trips_papers
from tests.conftest import Clock
from tests.support.booking_steps import alter
from tests.support.guests import at_counter
from tests.support.races import at_once
from tests.support.shop import DAILY_PAISE, Shop, actor, add_user, add_vehicle, moment, put
from tests.support.trips import cancel, charge, confirmed, hand_over, pay, reverse, seen, take_back

# Invented, with check digits that add up.
FIRST = {"gst_name": "Old Trade Name", "gst_number": "36ZZZFZ1001Z1ZT"}
SECOND = {"gst_name": "New Trade Name", "gst_number": "36ZZZCZ2002Z1ZW"}
KEPT = 20_000


def cancelled(shop: Shop, days: int) -> TripView:
    """A booking that was cancelled, of which what was paid is kept: its receipt is numbered then."""
    trip = confirmed(shop, days=days)
    pay(shop, trip.reference, KEPT)
    return cancel(shop, trip.reference, KEPT)


def settled(shop: Shop, trip: TripView, clock: Clock) -> TripView:
    """A booking whose trip was made, and of whose account nothing is open: its receipt is numbered then."""
    clock.instant = trip.pickup
    pay(shop, trip.reference, trip.price)
    pay(shop, trip.reference, trip.deposit, "deposit")
    hand_over(shop, trip.reference)
    clock.instant = trip.return_at
    take_back(shop, trip.reference)
    return pay(shop, trip.reference, trip.deposit, "deposit", "out")


def receipt(user: User, trip: TripView) -> bytes:
    return read_or_store(trips_papers.receipt_of, actor(user), trip.reference)


def statement(shop: Shop, month: str) -> bytes:
    return read_or_store(statements.of, actor(shop.vendor), month)


def words(pdf: bytes) -> str:
    return " ".join(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages).split())


def change_everything(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give other names, GST number, plate, address and product name."""
    alter(User, shop.vendor.id, name="Somebody Else", address="Elsewhere", commission_bps=2_500, **SECOND)
    alter(User, shop.customer.id, name="Renamed Customer")
    alter(Vehicle, shop.vehicle.id, rc_number="TS99ZZ9999", color="Pink", year=2001)
    monkeypatch.setattr(settings(), "product_name", "Another name")


@pytest.mark.databases
def test_a_numbered_receipt_stays_byte_by_byte(
    shop: Shop, stopped_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    alter(User, shop.vendor.id, **FIRST)
    trip, sides = cancelled(shop, days=3), (shop.vendor, shop.customer)
    before = [receipt(user, trip) for user in sides]
    number, told = trip.receipt_number, words(before[0])
    assert number
    for said in (number, *FIRST.values(), shop.customer.name, shop.vehicle.rc_number, "Cancellation", "₹200"):
        assert said in told, said
    assert shop.vehicle.rc_number not in words(before[1])
    change_everything(shop, monkeypatch)
    stopped_clock.move(days=400)
    reverse(shop, trip.reference, next(line.id for line in trip.ledger if line.kind == "payment"))
    assert [receipt(user, trip) for user in sides] == before
    assert seen(shop.customer, trip.id).receipt_number == number


def test_a_receipt_without_a_number_is_drawn_as_things_stand(shop: Shop) -> None:
    trip = confirmed(shop)
    before = words(receipt(shop.customer, trip))
    assert "Receipt number" not in before
    alter(User, shop.vendor.id, **SECOND)
    assert "New Trade Name" in words(receipt(shop.customer, trip))


def test_what_is_charged_after_the_number_is_on_the_account_and_not_on_the_receipt(
    shop: Shop, stopped_clock: Clock
) -> None:
    alter(User, shop.vendor.id, **FIRST)
    trip = settled(shop, confirmed(shop), stopped_clock)
    before = receipt(shop.customer, trip)
    assert "Nothing owed" in words(before)
    assert charge(shop, trip.id, "toll", 80).ledger[-1].amount == 8_000
    assert receipt(shop.customer, trip) == before


@pytest.mark.databases
def test_a_new_gst_number_begins_a_series_of_its_own(shop: Shop) -> None:
    numbers = []
    for days, gst in ((3, FIRST), (9, FIRST), (15, SECOND), (21, FIRST), (27, SECOND)):
        alter(User, shop.vendor.id, **gst)
        numbers.append((cancelled(shop, days).receipt_number or "")[-4:])
    assert numbers == ["0001", "0002", "0001", "0003", "0002"]


@pytest.mark.databases
def test_numbers_have_no_gaps_under_races(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when one of those that wanted a number ends in an error after it got it."""
    alter(User, shop.vendor.id, **FIRST)
    trips = [confirmed(replace(shop, vehicle=add_vehicle(shop.vendor))) for _ in range(6)]
    for trip in trips:
        pay(shop, trip.reference, KEPT)

    def fail(session: Session) -> None:
        booking = session.get_one(Booking, trips[0].id)
        ledger.give_number(session, booking, shop.vendor.id or 0, clock.now())
        raise RuntimeError

    def failing() -> None:
        with pytest.raises(RuntimeError):
            write(fail)

    at_once(failing, *(partial(cancel, shop, trip.reference, KEPT) for trip in trips[1:]))
    assert sorted(number or 0 for number in numbers_of(shop, RECEIPT)) == [1, 2, 3, 4, 5]
    assert sorted(number or 0 for number in numbers_of(shop, INVOICE)) == [1, 2, 3, 4, 5]


def numbers_of(shop: Shop, kind: str) -> Sequence[int | None]:
    """The numbers of all papers of a kind of the shop's vendor; None for those that go by their month."""
    own = (col(IssuedPaper.vendor_id) == shop.vendor.id, col(IssuedPaper.kind) == kind)
    return read(lambda session: session.scalars(select(col(IssuedPaper.number)).where(*own)).all())


@pytest.fixture
def earned(shop: Shop, stopped_clock: Clock) -> str:
    """A month that is over, in which something was paid; it is the 2nd of the next one."""
    stopped_clock.instant = datetime.fromisoformat("2026-12-20T12:00:00+05:30")
    alter(User, shop.vendor.id, commission_bps=1_000, created_at=clock.now() - timedelta(days=90), **FIRST)
    trip = confirmed(shop, days=40)
    pay(shop, trip.reference, DAILY_PAISE)
    stopped_clock.instant = datetime.fromisoformat("2027-01-02T12:00:00+05:30")
    return trip.reference


def is_frozen(shop: Shop) -> bool:
    """Whether the statement of the month that is over is."""
    return read(issued_papers.find, shop.vendor.id or 0, STATEMENT, "2026-12") is not None


@pytest.mark.databases
def test_the_statement_of_a_closed_month_stays_byte_by_byte(
    shop: Shop, earned: str, stopped_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = statement(shop, "2026-12")
    told = words(before)
    for said in (*FIRST.values(), shop.vehicle.rc_number, "₹500", "₹50", "Rent paid"):
        assert said in told, said
    assert "to Fri 1 Jan 2027, 12 AM" in told
    change_everything(shop, monkeypatch)
    reverse(shop, earned, seen(shop.vendor, earned).ledger[-1].id)
    stopped_clock.move(days=3)
    assert statement(shop, "2026-12") == before
    # The month in which the mistake was corrected, and which still runs, has the correction and today's names.
    running = words(statement(shop, "2027-01"))
    assert "-₹500" in running
    assert "TS99ZZ9999" in running
    assert "New Trade Name" in running


@pytest.mark.databases
def test_two_who_read_a_closed_month_first_read_the_same(shop: Shop, earned: str) -> None:
    papers: list[bytes] = []
    at_once(*[lambda: papers.append(statement(shop, "2026-12"))] * 3)
    assert len(papers) == 3
    assert len({*papers}) == len(numbers_of(shop, STATEMENT)) == 1


@pytest.mark.parametrize("kind", ["sqlite"])
def test_commission_noted_as_paid_freezes_the_statement(
    shop: Shop, earned: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    operator = add_user("Operator")
    assert not is_frozen(shop)
    payment = PaidCommission.model_validate({"amount": 50, "reference": "UTR 1"})
    write(commission.note_paid, actor(operator), shop.vendor.id or 0, "2026-12", payment)
    assert is_frozen(shop)
    change_everything(shop, monkeypatch)
    assert "Old Trade Name" in words(statement(shop, "2026-12"))


@pytest.mark.databases
def test_a_statement_nobody_asks_for_is_frozen_by_the_sweep_a_week_later(
    shop: Shop, earned: str, stopped_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(maintenance.sweep, clock.now())
    assert not is_frozen(shop)
    stopped_clock.move(days=6)
    write(maintenance.sweep, clock.now())
    assert is_frozen(shop)
    change_everything(shop, monkeypatch)
    write(maintenance.sweep, clock.now())
    assert "Old Trade Name" in words(statement(shop, "2026-12"))


def test_a_paper_is_frozen_even_while_the_shop_is_read_only(
    shop: Shop, earned: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    operator = actor(add_user("Operator"))
    write(read_only.switch, operator, ReadOnlyRequest(on=True, message="Back at five"))
    before = statement(shop, "2026-12")
    write(read_only.switch, operator, ReadOnlyRequest(on=False, message=""))
    change_everything(shop, monkeypatch)
    assert statement(shop, "2026-12") == before


def of_the_version_before(shop: Shop, days: int, number: int) -> TripView:
    """A receipt that the version before, which knows no papers, has numbered."""
    alter(User, shop.vendor.id, gst_number="")
    trip = cancelled(shop, days)
    assert trip.receipt_number is None
    alter(User, shop.vendor.id, **FIRST)
    row = {
        "vendor_id": shop.vendor.id or 0,
        "year": financial_year(clock.now()),
        "number": number,
        "booking_id": trip.id,
    }
    put(ReceiptNumber(**row))
    return trip


@pytest.mark.databases
@pytest.mark.parametrize("frozen_by", ["reading", "the sweep"])
def test_receipts_of_the_version_before_are_frozen_as_they_are_first_read(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, frozen_by: str
) -> None:
    trip = of_the_version_before(shop, days=3, number=7)
    if frozen_by == "the sweep":
        # Since it was numbered its vendor has got another GST number, which another series is of.
        alter(User, shop.vendor.id, gst_number=SECOND["gst_number"])
        write(maintenance.sweep, clock.now())
        change_everything(shop, monkeypatch)
    before = receipt(shop.customer, trip)
    change_everything(shop, monkeypatch)
    assert receipt(shop.customer, trip) == before
    for said in (*FIRST.values(), seen(shop.customer, trip.id).receipt_number or "none"):
        assert said in words(before), said


@pytest.mark.databases
def test_both_versions_count_on_where_the_other_one_is(shop: Shop) -> None:
    assert (of_the_version_before(shop, days=3, number=1)).receipt_number is None
    second = cancelled(shop, days=9)
    assert (second.receipt_number or "")[-4:] == "0002"
    highest = text("SELECT number FROM receipt_number WHERE booking_id = :id").bindparams(id=second.id)
    assert read(lambda session: session.execute(highest).scalar_one()) == 2
    of_the_version_before(shop, days=15, number=3)
    assert (cancelled(shop, days=21).receipt_number or "")[-4:] == "0004"


def test_the_name_of_a_guest_who_is_erased_goes_from_the_receipt_too(shop: Shop, stopped_clock: Clock) -> None:
    alter(User, shop.vendor.id, **FIRST)
    made = at_counter(shop.vendor, shop.vehicle, moment(0, 12), moment(0, 20))
    trip = settled(shop, seen(shop.vendor, made.reference), stopped_clock)
    before = words(receipt(shop.vendor, trip))
    assert "Suresh Babu" in before
    stopped_clock.move(seconds=GUESTS_ERASED_AFTER.total_seconds())
    write(maintenance.sweep, clock.now())
    assert words(receipt(shop.vendor, trip)) == before.replace("Suresh Babu", counter.ERASED_NAME)
