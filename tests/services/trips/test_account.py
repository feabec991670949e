"""The account: its lines, noted once and taken back and restored where wrong; late charges; what is said of it."""

from datetime import UTC, datetime, time, timedelta
from email.message import EmailMessage
from typing import Any

import pytest
from sqlmodel import col, select

from rental_app.domain import clock
from rental_app.domain.policies import FIRST
from rental_app.infrastructure.db import read, write
from rental_app.models import LedgerEntry, Outbox, User
from rental_app.schemas.trips import ChargeRequest, TripView
from rental_app.services.bookings.ledger import OpenBalance
from rental_app.services.mail import messages
from rental_app.services.trips import cancellations, payments
from tests.conftest import Clock
from tests.support.booking_steps import alter, book, decide
from tests.support.mailbox import text_of
from tests.support.rows import each
from tests.support.shop import DAILY_PAISE, DEPOSIT_PAISE, Shop, actor, offer, put, wanted
from tests.support.trips import (
    answer,
    at_pickup,
    at_return,
    cancel,
    charge,
    confirmed,
    hand_over,
    kinds_to,
    lines,
    owed,
    pay,
    refusal,
    reverse,
    seen,
    take_back,
    terms,
)

PRICE = 2 * DAILY_PAISE


def test_a_line_taken_back_by_mistake_is_restored(shop: Shop, trip: TripView) -> None:
    ref, rent = trip.reference, trip.ledger[0].id
    mistake = reverse(shop, ref, rent).ledger[-1].id
    refusal("more_than_owed", pay, shop, ref, PRICE)
    restored = reverse(shop, ref, mistake)
    assert lines(restored) == [("rental", PRICE), ("rental", -PRICE), ("rental", PRICE)]
    for gone in (rent, mistake):
        refusal("already_reversed", reverse, shop, ref, gone)
    assert owed(pay(shop, ref, PRICE))[0] == 0
    # As often as it has to be.
    assert owed(reverse(shop, ref, restored.ledger[-1].id))[0] == -PRICE


def test_a_charge_taken_back_long_ago_is_not_restored_without_the_customer(
    shop: Shop, trip: TripView, stopped_clock: Clock
) -> None:
    mistake = reverse(shop, trip.reference, trip.ledger[0].id).ledger[-1].id
    paid = reverse(shop, trip.reference, pay(shop, trip.reference, DEPOSIT_PAISE, "deposit").ledger[-1].id)
    stopped_clock.move(minutes=15, seconds=1)
    asked = reverse(shop, trip.reference, mistake)
    assert asked.proposal
    assert (asked.proposal.kind, asked.proposal.extra) == ("discount", PRICE)
    assert lines(asked)[-1] == ("deposit taken", -DEPOSIT_PAISE)
    # What was received may be corrected at any time.
    assert owed(reverse(shop, trip.reference, paid.ledger[-1].id)) == (0, 0)
    done = answer(shop, trip.id, asked.proposal.id, total=PRICE)
    assert (owed(done)[0], lines(done)[-1]) == (PRICE, ("rental", PRICE))


def test_restored_rent_is_replaced_once_when_the_customer_cancels(shop: Shop, trip: TripView) -> None:
    ref = trip.reference
    reverse(shop, ref, reverse(shop, ref, trip.ledger[0].id).ledger[-1].id)
    pay(shop, ref, 20_000)
    done = cancel(shop, ref, terms(shop, ref).kept)
    assert lines(done)[-2:] == [("rental", -PRICE), ("cancellation", 20_000)]
    assert owed(done)[0] == 0


def test_a_discount_taken_back_makes_a_full_payment_no_partial_one(shop: Shop) -> None:
    today = clock.indian_today(clock.now())
    put(offer("LESS", today, today + timedelta(days=60), minimum_days=1))
    asked = book(shop.customer, wanted(shop.vehicle, days=9).model_copy(update={"offer": "LESS"}))
    decide(shop.vendor, asked.id, "confirmed")
    ledger = pay(shop, asked.reference, asked.price).ledger
    before = terms(shop, asked.reference)
    assert before.kept == asked.price // 4
    discount = next(line for line in ledger if line.kind == "discount")
    proposed = reverse(shop, asked.reference, discount.id).proposal
    assert proposed
    assert proposed.extra == -discount.amount
    assert seen(shop.customer, asked.id).ledger == ledger
    # One that was taken back before that was refused.
    taken_back = -discount.amount
    put(LedgerEntry(booking_id=asked.id, kind="discount", paise=taken_back, reverses=discount.id, note="Before"))
    assert terms(shop, asked.reference) == before
    # Money that was never received is not paid.
    reverse(shop, asked.reference, ledger[-1].id)
    assert terms(shop, asked.reference).kept == 0


def test_rent_replaced_by_what_is_kept_is_not_restored(shop: Shop, stopped_clock: Clock) -> None:
    cancelled = confirmed(shop, days=9)
    ended = cancel(shop, cancelled.reference, 0)
    refusal("already_decided", reverse, shop, cancelled.reference, ended.ledger[-1].id)
    missed = confirmed(shop)
    paid = pay(shop, missed.reference, 20_000).ledger[-1].id
    at_pickup(stopped_clock, missed, hours=2)
    gone = write(cancellations.mark_no_show, actor(shop.vendor), missed.reference)
    assert lines(gone)[-2:] == [("rental", -PRICE), ("cancellation", 20_000)]
    refusal("already_decided", reverse, shop, missed.reference, gone.ledger[-2].id)
    # Money and what is kept are corrected as usual.
    for entry in (gone.ledger[-1].id, paid):
        mistake = reverse(shop, missed.reference, entry).ledger[-1].id
        assert owed(reverse(shop, missed.reference, mistake)) == owed(gone)


def letters(kind: str) -> list[tuple[str, str]]:
    """Return who gets which text in the messages of a kind."""
    own = select(col(Outbox.id)).where(col(Outbox.kind) == kind).order_by(col(Outbox.id))
    made = [read(messages.compose, number or 0) for number in read(lambda s: s.exec(own).all())]
    mails = [one.message for one in made if one and isinstance(one.message, EmailMessage)]
    return [(str(mail["To"]), text_of(mail)) for mail in mails]


def test_the_customer_is_told_of_a_no_show_and_of_lines_taken_back(
    shop: Shop, trip: TripView, stopped_clock: Clock
) -> None:
    reverse(shop, trip.reference, pay(shop, trip.reference, PRICE).ledger[-1].id)
    ((to, told),) = letters("reversed")
    assert to == shop.customer.email
    assert f"{shop.vendor.name} has corrected" in told
    assert "Reversed: Rent paid, ₹1,000 (Typed wrongly)." in told
    assert "within 24 hours" in told
    at_pickup(stopped_clock, trip, hours=2)
    write(cancellations.mark_no_show, actor(shop.vendor), trip.reference)
    ((to, told),) = letters("no_show")
    assert (to, "you did not pick up the vehicle" in told) == (shop.customer.email, True)


def test_an_account_has_only_so_many_lines(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """An account's lines are limited: money noted and reversed for ever would burden a page that the customer loads."""
    ref = confirmed(shop).reference
    ledger = pay(shop, ref, 100).ledger
    monkeypatch.setattr(payments, "MOST_LINES", len(ledger))
    refusal("too_many_lines", pay, shop, ref, 100)
    refusal("too_many_lines", reverse, shop, ref, ledger[-1].id)


def test_a_payment_pressed_twice_is_noted_once(shop: Shop, trip: TripView) -> None:
    first = pay(shop, trip.reference, 10_000, key="press")
    assert pay(shop, trip.reference, 10_000, key="press") == first
    refusal("idempotency_key_reused", pay, shop, trip.reference, 20_000, key="press")
    assert owed(pay(shop, trip.reference, 10_000, key="another")) == (PRICE - 20_000, DEPOSIT_PAISE)


def test_receipts_are_numbered_a_vendor_and_financial_year(shop: Shop, stopped_clock: Clock) -> None:
    alter(User, shop.vendor.id, gst_number="36AABCU9603R1ZX")
    numbers: list[str] = []
    for day in (3, 9, 15):
        trip = confirmed(shop, days=day)
        pay(shop, trip.reference, 20_000)
        cancel(shop, trip.reference, 20_000)
        numbers.append(seen(shop.customer, trip.id).receipt_number or "")
    year = numbers[0][:7]
    assert numbers == [f"{year}/0001", f"{year}/0002", f"{year}/0003"]


@pytest.fixture
def back(shop: Shop, out: TripView, stopped_clock: Clock) -> TripView:
    """A trip that is back."""
    at_return(stopped_clock, out)
    return take_back(shop, out.id)


def test_a_challan_is_kept_of_the_deposit_while_that_is_held(shop: Shop, back: TripView) -> None:
    done = charge(shop, back.id)
    assert lines(done)[-2:] == [("challan", 50_000), ("deposit kept", 50_000)]
    assert (owed(done), done.stage) == ((0, 50_000 - DEPOSIT_PAISE), "returned")
    assert done.ledger[-2].photo
    assert kinds_to(shop.customer)[-1] == "charged_later"
    assert pay(shop, back.id, DEPOSIT_PAISE - 50_000, "deposit", "out").stage == "settled"


def test_a_settled_account_is_open_again_and_its_stage_stays(shop: Shop, back: TripView) -> None:
    pay(shop, back.id, DEPOSIT_PAISE, "deposit", "out")
    done = charge(shop, back.id, "late", 100, proof=[])
    assert (done.stage, owed(done), lines(done)[-1]) == ("settled", (10_000, 0), ("late", 10_000))
    assert lines(charge(shop, back.id, "toll", 80, key="once")) == lines(charge(shop, back.id, "toll", 80, key="once"))
    # Reversed, it may be entered again lower.
    entry = seen(shop.vendor, back.id).ledger[-1].id
    reverse(shop, back.id, entry)
    lower = charge(shop, back.id, "toll", 60)
    assert lines(lower)[-3:] == [("toll", 8_000), ("toll", -8_000), ("toll", 6_000)]
    assert owed(lower) == (16_000, 0)
    assert owed(pay(shop, back.id, 16_000)) == (0, 0)


def test_a_key_charges_one_thing_and_a_retry_needs_no_photo_again(shop: Shop, back: TripView) -> None:
    pay(shop, back.id, 10_000, "deposit", "out", key="paid")
    refusal("idempotency_key_reused", charge, shop, back.id, "toll", 100, key="paid")
    once = charge(shop, back.id, "toll", 80, key="once")
    for kind, rupees in (("challan", 80), ("toll", 90)):
        refusal("idempotency_key_reused", charge, shop, back.id, kind, rupees, key="once")
    # A page that has not heard sends its form again, whose photo belongs to the charge by now.
    request = ChargeRequest(kind="toll", amount=80, note="Seen by a camera")
    again = write(payments.charge_with, actor(shop.vendor), str(back.id), request, 10**6, "once")
    assert lines(again) == lines(once)


def test_what_cannot_be_charged(shop: Shop, trip: TripView, stopped_clock: Clock) -> None:
    refusal("wrong_stage", charge, shop, trip.id)
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.id)
    refusal("wrong_stage", charge, shop, trip.id)
    at_return(stopped_clock, trip)
    take_back(shop, trip.id)
    assert list(refusal("invalid_input", charge, shop, trip.id, proof=[]).fields) == ["Damage"]
    last_day = clock.at(clock.indian_today(trip.return_at) + timedelta(days=7), time(23, 59))
    stopped_clock.instant = last_day
    charge(shop, trip.id)
    stopped_clock.move(minutes=1)
    refusal("too_late_to_charge", charge, shop, trip.id)


HELD = "held by Sai Kiran, back Sun 29 Nov, 8 to 9 PM"
RETURN = datetime(2026, 11, 29, 4, 30, tzinfo=UTC)


def opened(clock: Clock, **wanted: Any) -> OpenBalance:
    """Return an account, read an hour before the return, of which nothing is open but what is given."""
    clock.instant = RETURN - timedelta(hours=1)
    nothing = {"rent": 0, "deposit": 0, "held": 0, "came_back": None, "ended": False, "for_customer": True}
    return OpenBalance(**{"vendor": "Sai Kiran", "return_at": RETURN, "policies": FIRST} | nothing | wanted)


def test_a_deposit_is_held_by_somebody_until_some_time(stopped_clock: Clock) -> None:
    held = opened(stopped_clock, held=150_000)
    assert held.deposit_text == f"₹1,500 {HELD}"
    late = opened(stopped_clock, held=150_000, came_back=RETURN + timedelta(hours=12))
    assert late.deposit_text == "₹1,500 held by Sai Kiran, back Mon 30 Nov, 8 to 9 PM"
    stopped_clock.instant = RETURN + timedelta(days=2)
    assert "back Tue 1 Dec" in held.deposit_text, "the vehicle is still out"
    assert "was due back Mon 30 Nov" in late.deposit_text
    assert opened(stopped_clock, held=150_000, ended=True).deposit_text == "₹1,500 held by Sai Kiran, owed back"


@each(
    ("rent", "deposit", "held", "for_customer", "said"),
    [
        (0, 0, 0, True, ("Nothing owed", "Nothing held")),
        (100_000, 200_000, 0, True, ("₹1,000 still to pay", "₹2,000 still to pay")),
        (100_000, 0, 0, False, ("₹1,000 owed by the customer", "Nothing held")),
        (-10_000, 0, 0, True, ("₹100 owed to you", "Nothing held")),
        (-10_000, 0, 0, False, ("₹100 owed to the customer", "Nothing held")),
        (0, 150_000, 50_000, True, ("Nothing owed", f"₹500 {HELD}; ₹1,500 still to pay")),
    ],
)
def test_rent_is_owed_by_one_or_the_other(
    stopped_clock: Clock, rent: int, deposit: int, held: int, for_customer: bool, said: tuple[str, str]
) -> None:
    found = opened(stopped_clock, rent=rent, deposit=deposit, held=held, for_customer=for_customer)
    assert (found.rent_text, found.deposit_text) == said
