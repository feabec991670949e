"""The link with which a guest reads their booking, until an account that has confirmed the number takes it over."""

from datetime import timedelta

import pytest
from sqlalchemy import select
from sqlmodel import col

from rental_app.domain import counter as rules
from rental_app.domain.errors import NotFoundError
from rental_app.infrastructure.db import read, write
from rental_app.models import AuditEntry, Booking, Outbox, Proof, User
from rental_app.schemas.bookings import VendorBookingView
from rental_app.services.bookings import counter, guests
from rental_app.services.mail import messages
from rental_app.services.mail.messages import TextMessage
from rental_app.services.trips import guest_page
from tests.conftest import Clock
from tests.support.booking_steps import alter, book
from tests.support.guests import GUEST, at_counter, guest_of, secret_of, texts
from tests.support.mailbox import text_of
from tests.support.races import at_once
from tests.support.shop import VISITOR, Shop, actor, add_user, add_vehicle, moment, wanted
from tests.support.trips import refusal, seen


def made_at(shop: Shop, days: int = 1, **more: object) -> VendorBookingView:
    return at_counter(shop.vendor, shop.vehicle, moment(days), moment(days + 1), **more)


def reads(secret: str) -> bool:
    """Whether a secret reads a booking, with its files."""
    found = []
    for part in (guest_page.trip_for, guest_page.calendar, guest_page.receipt):
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
    view = read(guest_page.trip_for, VISITOR, secret)
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
    assert write(guests.send_link_again, actor(shop.vendor), made.reference) == guests.LINK_SENT
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
        write(guests.send_link_again, actor(shop.vendor), made.reference)
    works = secret_of(texts()[-1])
    refusal("texts_used_up", write, guests.send_link_again, actor(shop.vendor), made.reference)
    assert reads(works)
    monkeypatch.setattr(rules, "MOST_TEXTS_DAILY", rules.MOST_TEXTS)
    other = made_at(shop, days=5)
    assert len(texts()) == rules.MOST_TEXTS
    refusal("texts_used_up", write, guests.send_link_again, actor(shop.vendor), other.reference)
    stopped_clock.move(days=1, seconds=1)
    write(guests.send_link_again, actor(shop.vendor), other.reference)
    assert reads(secret_of(texts()[-1]))


def test_only_the_vendor_sends_it_and_only_to_guests(shop: Shop, stopped_clock: Clock) -> None:
    made = made_at(shop)
    booked = book(shop.customer, wanted(shop.vehicle, 5))
    send = guests.send_link_again
    refusal("unknown_booking", write, send, actor(shop.customer), made.reference)
    refusal("vendors_only", write, send, actor(shop.customer), booked.reference)
    refusal("has_account", write, send, actor(shop.vendor), booked.reference)
    assert len(texts()) == 1


def test_a_link_ends_30_days_after_the_trip_unless_the_vehicle_is_still_out(shop: Shop, stopped_clock: Clock) -> None:
    made = made_at(shop)
    secret = secret_of(texts()[0])
    stopped_clock.instant = made.return_at + rules.LINK_LASTS - timedelta(seconds=1)
    assert reads(secret)
    stopped_clock.move(seconds=1)
    assert not reads(secret)
    refusal("trip_over", write, guests.send_link_again, actor(shop.vendor), made.reference)
    alter(Booking, made.id, stage="out")
    assert reads(secret)


# Of nobody in the demo.
NUMBER = "9000020299"
THEIRS = GUEST | {"phone": NUMBER}


def joined(user: User, ref: str) -> str:
    """Add a booking, as somebody."""
    return write(counter.join, actor(user), ref)


def test_the_owner_of_the_number_adds_the_booking_and_the_guests_link_ends(stopped_clock: Clock, shop: Shop) -> None:
    made = at_counter(shop.vendor, shop.vehicle, moment(1), moment(2), customer=THEIRS | {"email": "s@example.com"})
    guest, secret = guest_of(made), secret_of(texts()[-1])
    owner = add_user(phone_number=NUMBER, verified_phone=NUMBER)
    (found,) = read(counter.bookings_of_number, actor(owner))
    assert (found.reference, found.vendor_name) == (made.reference, shop.vendor.name)
    assert joined(owner, made.reference.lower()) == counter.JOINED
    trip = seen(owner, made.reference)
    assert (trip.status, trip.customer_name) == ("confirmed", owner.name)
    assert read(counter.bookings_of_number, actor(owner)) == []
    refusal("unknown_booking", read, guest_page.trip_for, VISITOR, secret)
    refusal("unknown_booking", joined, owner, made.reference)
    left = read(lambda session: session.get_one(User, guest.id))
    assert (left.name, left.phone_number) == ("A guest", "0000000000")


def test_nobody_else_finds_or_adds_it(stopped_clock: Clock, shop: Shop) -> None:
    made = at_counter(shop.vendor, shop.vehicle, moment(1), moment(2), customer=THEIRS)
    unconfirmed = add_user(phone_number=NUMBER)
    stranger = add_user(verified_phone="9000099999", phone_number="9000099999")
    for user in (unconfirmed, stranger, shop.vendor):
        assert read(counter.bookings_of_number, actor(user)) == []
        refusal("unknown_booking", joined, user, made.reference)
    # Not even their own: nobody is a customer of their own shop.
    alter(User, shop.vendor.id, phone_number=NUMBER, verified_phone=NUMBER)
    assert read(counter.bookings_of_number, actor(shop.vendor)) == []
    refusal("unknown_booking", joined, shop.vendor, made.reference)
    refusal("unknown_booking", joined, stranger, "no reference")


@pytest.mark.databases
def test_pressed_twice_it_is_added_once(shop: Shop) -> None:
    made = at_counter(shop.vendor, add_vehicle(shop.vendor), moment(1), moment(2), customer=THEIRS)
    owner = add_user(phone_number=NUMBER, verified_phone=NUMBER)
    codes = at_once(*[lambda: joined(owner, made.reference)] * 3)
    assert sorted(codes) == ["", "unknown_booking", "unknown_booking"]
