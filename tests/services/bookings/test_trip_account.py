"""Lines of the account: noted once, numbered, and, where they were wrong, taken back and restored."""

from datetime import timedelta
from email.message import EmailMessage

import pytest
from sqlmodel import Session, col, select

from rental_app.domain import clock
from rental_app.infrastructure.db import read, write
from rental_app.models import LedgerEntry, Outbox, User
from rental_app.services.mail import messages
from rental_app.services.trips import absences, payments
from tests.conftest import Clock
from tests.support.booking_steps import alter, book, decide
from tests.support.shop import DAILY_PAISE, DEPOSIT_PAISE, Shop, actor, offer, put, wanted
from tests.support.trips import at_pickup, cancel, confirmed, lines, owed, pay, refusal, reverse, seen, terms

PRICE = 2 * DAILY_PAISE


def test_a_line_taken_back_by_mistake_is_restored(shop: Shop, kind: str) -> None:
    trip = confirmed(shop)
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


def test_a_charge_taken_back_long_ago_is_not_restored_without_the_customer(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    mistake = reverse(shop, trip.reference, trip.ledger[0].id).ledger[-1].id
    paid = reverse(shop, trip.reference, pay(shop, trip.reference, DEPOSIT_PAISE, "deposit").ledger[-1].id)
    stopped_clock.move(minutes=15, seconds=1)
    asked = reverse(shop, trip.reference, mistake)
    assert asked.proposal
    assert (asked.proposal.kind, asked.proposal.extra) == ("discount", PRICE)
    assert lines(asked)[-1] == ("deposit taken", -DEPOSIT_PAISE)
    # What was received may be corrected at any time.
    assert owed(reverse(shop, trip.reference, paid.ledger[-1].id)) == (0, 0)


def test_restored_rent_is_replaced_once_when_the_customer_cancels(shop: Shop) -> None:
    trip = confirmed(shop)
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
    gone = write(absences.mark_no_show, actor(shop.vendor), missed.reference)
    assert lines(gone)[-2:] == [("rental", -PRICE), ("cancellation", 20_000)]
    refusal("already_decided", reverse, shop, missed.reference, gone.ledger[-2].id)
    # Money and what is kept are corrected as usual.
    for entry in (gone.ledger[-1].id, paid):
        mistake = reverse(shop, missed.reference, entry).ledger[-1].id
        assert owed(reverse(shop, missed.reference, mistake)) == owed(gone)


def letters(kind: str) -> list[tuple[str, str]]:
    """Return who gets which text in the messages of a kind."""

    def composed(session: Session) -> list[tuple[str, str]]:
        ids = session.scalars(select(Outbox.id).where(col(Outbox.kind) == kind).order_by(col(Outbox.id))).all()
        made = [messages.compose(session, number or 0) for number in ids]
        mails = [one.message for one in made if one and isinstance(one.message, EmailMessage)]
        return [(str(mail["To"]), mail.get_body(("plain",)).get_content()) for mail in mails]

    return read(composed)


def test_the_customer_is_told_of_a_no_show_and_of_lines_taken_back(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    reverse(shop, trip.reference, pay(shop, trip.reference, PRICE).ledger[-1].id)
    ((to, told),) = letters("reversed")
    assert to == shop.customer.email
    for said in (
        f"{shop.vendor.name} has corrected",
        "within 24 hours",
        "Reversed: Rent paid, ₹1,000 (Typed wrongly).",
    ):
        assert said in told
    at_pickup(stopped_clock, trip, hours=2)
    write(absences.mark_no_show, actor(shop.vendor), trip.reference)
    ((to, told),) = letters("no_show")
    assert (to, "you did not come for the vehicle" in told) == (shop.customer.email, True)


def test_an_account_has_only_so_many_lines(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """An account's lines are limited: money noted and reversed for ever would burden a page that the customer loads."""
    ref = confirmed(shop).reference
    ledger = pay(shop, ref, 100).ledger
    monkeypatch.setattr(payments, "MOST_LINES", len(ledger))
    refusal("too_many_lines", pay, shop, ref, 100)
    refusal("too_many_lines", reverse, shop, ref, ledger[-1].id)


def test_a_payment_pressed_twice_is_noted_once(shop: Shop) -> None:
    trip = confirmed(shop)
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
