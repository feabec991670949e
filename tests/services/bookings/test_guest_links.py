"""The link with which a guest reads their booking."""

from datetime import timedelta

import pytest
from sqlalchemy import select, update
from sqlmodel import col

from rental_app.domain import counter as rules
from rental_app.domain.errors import NotFoundError
from rental_app.infrastructure.db import read, write
from rental_app.models import AuditEntry, Booking, Outbox, Proof
from rental_app.schemas.bookings import VendorBookingView
from rental_app.services import maintenance
from rental_app.services.bookings import guest_links
from rental_app.services.mail import messages
from rental_app.services.mail.texts import TextMessage
from rental_app.services.trips import guest_page
from tests.conftest import Clock
from tests.support.booking_steps import book
from tests.support.guests import GUEST, at_counter, secret_of, texts
from tests.support.mailbox import text_of
from tests.support.shop import VISITOR, Shop, actor, moment, wanted
from tests.support.trips import refusal


def made_at(shop: Shop, days: int = 1, **more: object) -> VendorBookingView:
    return at_counter(shop.vendor, shop.vehicle, moment(days), moment(days + 1), **more)


def reads(secret: str) -> bool:
    """Whether a secret reads a booking, with its files."""
    found = []
    for part in (guest_page.of, guest_page.calendar, guest_page.receipt):
        try:
            read(part, VISITOR, secret)
            found.append(True)
        except NotFoundError:
            found.append(False)
    assert len(set(found)) == 1
    return found[0]


def test_a_guest_reads_the_booking_with_what_was_texted(shop: Shop, stopped_clock: Clock) -> None:
    made = made_at(shop)
    (text,) = texts()
    assert (text.to, text.booking_id) == (GUEST["phone"][-11:].replace(" ", ""), made.id)
    secret = secret_of(text)
    view = read(guest_page.of, VISITOR, secret)
    assert (view.reference, view.price, view.customer_name) == (made.reference, made.price, GUEST["name"])
    assert f"/trip/{secret}".encode() in read(guest_page.calendar, VISITOR, secret).replace(b"\r\n ", b"")
    assert read(guest_page.receipt, VISITOR, secret).startswith(b"%PDF")
    stored = read(lambda session: session.get_one(Proof, text.proof_id))
    assert secret not in f"{stored!r} {text!r}"
    assert not reads(secret[:-1])
    assert not reads("")


def test_messages_to_a_guest_lead_to_their_link_and_others_where_they_did(shop: Shop, stopped_clock: Clock) -> None:
    made_at(shop, customer=GUEST | {"email": "s@example.com"})
    book(shop.customer, wanted(shop.vehicle, 5))
    letters = select(Outbox).where(col(Outbox.channel) == "email").order_by(col(Outbox.id))
    made = [read(messages.compose, letter.id or 0) for letter in read(lambda s: s.scalars(letters).all())]
    bodies = [text_of(one.message) for one in made if one and not isinstance(one.message, TextMessage)]
    to_guest = [body for body in bodies if f"/trip/{secret_of(texts()[0])}" in body]
    assert len(to_guest) == 1
    assert "/my-bookings/" not in to_guest[0]
    assert all("/trip/" not in body for body in bodies if body not in to_guest)


def test_a_new_link_ends_the_one_before(shop: Shop, stopped_clock: Clock) -> None:
    made = made_at(shop, customer=GUEST | {"email": "s@example.com"})
    first = secret_of(texts()[0])
    assert reads(first)
    assert write(guest_links.send_again, actor(shop.vendor), made.reference) == guest_links.SENT
    second = secret_of(texts()[1])
    assert (reads(first), reads(second)) == (False, True)
    assert read(messages.compose, texts()[0].id or 0) is None
    letter = read(lambda s: s.scalars(select(Outbox).where(col(Outbox.kind) == "guest_link")).one())
    mailed = read(messages.compose, letter.id or 0)
    assert mailed
    assert not isinstance(mailed.message, TextMessage)
    assert f"/trip/{second}" in text_of(mailed.message)
    acts = read(lambda s: s.scalars(select(col(AuditEntry.act))).all())
    assert acts.count("guest_link.sent") == 1


def test_texts_are_few(shop: Shop, stopped_clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    made = made_at(shop)
    for _ in range(rules.MOST_TEXTS - 1):
        write(guest_links.send_again, actor(shop.vendor), made.reference)
    works = secret_of(texts()[-1])
    refusal("texts_used_up", write, guest_links.send_again, actor(shop.vendor), made.reference)
    assert reads(works)
    monkeypatch.setattr(rules, "MOST_TEXTS_DAILY", rules.MOST_TEXTS)
    other = made_at(shop, days=5)
    assert len(texts()) == rules.MOST_TEXTS
    refusal("texts_used_up", write, guest_links.send_again, actor(shop.vendor), other.reference)
    stopped_clock.move(days=1, seconds=1)
    write(guest_links.send_again, actor(shop.vendor), other.reference)
    assert reads(secret_of(texts()[-1]))


def test_only_the_vendor_sends_it_and_only_to_guests(shop: Shop, stopped_clock: Clock) -> None:
    made = made_at(shop)
    booked = book(shop.customer, wanted(shop.vehicle, 5))
    send = guest_links.send_again
    refusal("unknown_booking", write, send, actor(shop.customer), made.reference)
    refusal("vendors_only", write, send, actor(shop.customer), booked.reference)
    refusal("has_account", write, send, actor(shop.vendor), booked.reference)
    assert len(texts()) == 1


def test_a_link_ends_30_days_after_the_trip(shop: Shop, stopped_clock: Clock) -> None:
    made = made_at(shop)
    secret = secret_of(texts()[0])
    stopped_clock.instant = made.return_at + rules.LINK_LASTS - timedelta(seconds=1)
    assert reads(secret)
    stopped_clock.move(seconds=1)
    assert not reads(secret)
    refusal("trip_over", write, guest_links.send_again, actor(shop.vendor), made.reference)


def test_a_vehicle_that_is_still_out_keeps_the_link(shop: Shop, stopped_clock: Clock) -> None:
    made = made_at(shop, days=0)
    secret = secret_of(texts()[0])
    write(lambda session: session.execute(update(Booking).where(col(Booking.id) == made.id).values(stage="out")))
    stopped_clock.instant = made.return_at + 2 * rules.LINK_LASTS
    assert reads(secret)


def test_a_booking_that_an_account_has_taken_over_is_read_there(shop: Shop, stopped_clock: Clock) -> None:
    made = made_at(shop)
    secret = secret_of(texts()[0])
    taken = update(Booking).where(col(Booking.id) == made.id).values(customer_id=shop.customer.id)
    write(lambda session: session.execute(taken))
    assert not reads(secret)


def test_the_numbers_of_texts_are_erased_with_the_guest(shop: Shop, stopped_clock: Clock) -> None:
    made = made_at(shop)
    stopped_clock.instant = made.return_at + rules.ERASED_AFTER
    write(maintenance.sweep, stopped_clock.instant)
    assert [text.to for text in texts()] == [""]
