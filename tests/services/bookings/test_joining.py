"""A guest's booking becomes that of the account which has confirmed the guest's number."""

from rental_app.infrastructure.db import read, write
from rental_app.models import User
from rental_app.services.bookings import joining
from rental_app.services.trips import guest_page
from tests.conftest import Clock
from tests.support.booking_steps import alter
from tests.support.guests import GUEST, at_counter, guest_of, secret_of, texts
from tests.support.races import at_once
from tests.support.shop import VISITOR, Shop, actor, add_user, add_vehicle, moment
from tests.support.trips import refusal, seen

# Of nobody in the demo.
NUMBER = "9000020299"
THEIRS = GUEST | {"phone": NUMBER}


def joined(user: User, ref: str) -> str:
    """Add a booking, as somebody."""
    return write(joining.join, actor(user), ref)


def test_the_owner_of_the_number_adds_the_booking_and_the_guests_link_ends(stopped_clock: Clock, shop: Shop) -> None:
    made = at_counter(shop.vendor, shop.vehicle, moment(1), moment(2), customer=THEIRS | {"email": "s@example.com"})
    guest, secret = guest_of(made), secret_of(texts()[-1])
    owner = add_user(phone_number=NUMBER, verified_phone=NUMBER)
    (found,) = read(joining.of_number, actor(owner))
    assert (found.reference, found.vendor_name) == (made.reference, shop.vendor.name)
    assert joined(owner, made.reference.lower()) == joining.JOINED
    trip = seen(owner, made.reference)
    assert (trip.status, trip.customer_name) == ("confirmed", owner.name)
    assert read(joining.of_number, actor(owner)) == []
    refusal("unknown_booking", read, guest_page.of, VISITOR, secret)
    refusal("unknown_booking", joined, owner, made.reference)
    left = read(lambda session: session.get_one(User, guest.id))
    assert (left.name, left.phone_number) == ("A guest", "0000000000")


def test_nobody_else_finds_or_adds_it(stopped_clock: Clock, shop: Shop) -> None:
    made = at_counter(shop.vendor, shop.vehicle, moment(1), moment(2), customer=THEIRS)
    unconfirmed = add_user(phone_number=NUMBER)
    stranger = add_user(verified_phone="9000099999", phone_number="9000099999")
    for user in (unconfirmed, stranger, shop.vendor):
        assert read(joining.of_number, actor(user)) == []
        refusal("unknown_booking", joined, user, made.reference)
    # Not even their own: nobody is a customer of their own shop.
    alter(User, shop.vendor.id, phone_number=NUMBER, verified_phone=NUMBER)
    assert read(joining.of_number, actor(shop.vendor)) == []
    refusal("unknown_booking", joined, shop.vendor, made.reference)
    refusal("unknown_booking", joined, stranger, "no reference")


def test_pressed_twice_it_is_added_once(shop: Shop) -> None:
    made = at_counter(shop.vendor, add_vehicle(shop.vendor), moment(1), moment(2), customer=THEIRS)
    owner = add_user(phone_number=NUMBER, verified_phone=NUMBER)
    codes = at_once(*[lambda: joined(owner, made.reference)] * 3)
    assert sorted(codes) == ["", "unknown_booking", "unknown_booking"]
