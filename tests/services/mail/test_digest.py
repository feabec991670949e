"""Those who work in a business get one message a day of what it brings, and are told of requests like the vendor."""

from datetime import time, timedelta

import pytest
from sqlmodel import col, select

from rental_app.domain import clock
from rental_app.infrastructure.db import read, write
from rental_app.models import Outbox, User
from rental_app.services.accounts import members
from rental_app.services.mail import digest, reminders
from tests.conftest import Clock
from tests.support.booking_steps import alter, book
from tests.support.mailbox import Post, send_all, text_of
from tests.support.shop import Shop, actor, add_user, open_shop, wanted
from tests.support.staff import MANAGER, join
from tests.support.trips import at_pickup, at_return, cancel, confirmed, damage_objected_to, hand_over, take_back


def at(clock_: Clock, hour: int, minute: int = 0, days: int = 0) -> None:
    """Move to an Indian time of a day."""
    clock_.instant = clock.at(clock.indian_today(clock.now()) + timedelta(days=days), time(hour, minute))


def swept(post: Post, *people: User) -> dict[str, str]:
    """Sweep twice and send; return the digests that came, by whom they came to."""
    for _ in range(2):
        write(reminders.put_due, clock.now())
    send_all()
    told = [(to, text_of(message)) for to, message in post.take() if message["Subject"].startswith("Today: ")]
    assert len({to for to, _ in told}) == len(told)
    return {to: text for to, text in told if to in {person.email for person in people}}


def test_one_message_tells_the_vendor_and_all_members_what_the_day_brings(
    post: Post, shop: Shop, stopped_clock: Clock
) -> None:
    counter, manager, other = add_user(), add_user(), open_shop("Otherpur")
    join(shop.vendor, counter)
    stopped_clock.move(seconds=1)
    join(shop.vendor, manager, MANAGER)
    tomorrow, later = confirmed(shop, days=1), confirmed(shop, days=20)
    request = book(shop.customer, wanted(shop.vehicle, 9))
    at(stopped_clock, 10, days=0)
    told = swept(post, shop.vendor, counter, manager, other.vendor, shop.customer)
    assert told.keys() == {shop.vendor.email, counter.email, manager.email}
    assert len(set(told.values())) == 1
    text = told[counter.email]
    assert "1 to answer, 1 going out" in text
    assert f"Going out: {clock.friendly(tomorrow.pickup)}: " in text
    assert all(word in text for word in (shop.vehicle.rc_number, shop.customer.name, shop.customer.phone_number))
    assert (tomorrow.reference in text, later.reference in text, request.reference in text) == (True, False, True)
    # Once a day.
    assert swept(post, shop.vendor) == {}
    at(stopped_clock, 7, days=1)
    assert swept(post, shop.vendor).keys() == {shop.vendor.email}


def test_what_is_out_late_and_owed_is_in_it_until_it_is_done(post: Post, shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop, length=2)
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.reference)
    at_return(stopped_clock, trip, hours=-1)
    assert "Coming back: " in swept(post, shop.vendor)[shop.vendor.email]
    at(stopped_clock, 9, days=3)
    assert " (late): " in swept(post, shop.vendor)[shop.vendor.email]
    take_back(shop, trip.reference)
    at(stopped_clock, 9, days=1)
    text = swept(post, shop.vendor)[shop.vendor.email]
    assert ("1 money due" in text, trip.reference in text) == (True, True)


def test_it_comes_in_the_morning_only_and_not_when_there_is_nothing(
    post: Post, shop: Shop, stopped_clock: Clock
) -> None:
    at(stopped_clock, 8)
    assert swept(post, shop.vendor) == {}
    book(shop.customer, wanted(shop.vehicle, 9))
    for hour, minute, comes in ((6, 59, False), (12, 0, False), (11, 59, True)):
        at(stopped_clock, hour, minute)
        assert bool(swept(post, shop.vendor)) == comes


def test_what_is_done_before_it_is_sent_is_not_told(post: Post, shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop, days=1)
    at(stopped_clock, 11)
    write(reminders.put_due, clock.now())
    cancel(shop, trip.reference, 0)
    assert swept(post, shop.vendor) == {}


def test_whoever_is_gone_is_told_nothing(post: Post, shop: Shop, stopped_clock: Clock) -> None:
    person, blocked = add_user(), add_user()
    for each in (person, blocked):
        join(shop.vendor, each)
        stopped_clock.move(seconds=1)
    alter(User, blocked.id, status="blocked")
    confirmed(shop, days=1)
    at(stopped_clock, 11)
    write(reminders.put_due, clock.now())
    write(members.remove, actor(shop.vendor), person.id or 0)
    assert swept(post, shop.vendor, person, blocked).keys() == {shop.vendor.email}


def test_of_many_the_first_are_told_and_all_are_counted(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    for day in (4, 6, 8):
        book(shop.customer, wanted(shop.vehicle, day))
    monkeypatch.setattr(digest, "MOST", 2)
    part = read(digest.parts_for, shop.vendor.id or 0, clock.now())[digest.WAITS]
    assert (part.total, len(part.lines), part.lines[-1]) == (3, 3, "and 1 more")


def told_of(person: User) -> list[str]:
    """The kinds of messages written to somebody."""
    written = select(col(Outbox.kind)).where(col(Outbox.user_id) == person.id).order_by(col(Outbox.id))
    return list(read(lambda session: session.scalars(written).all()))


def test_staff_are_told_of_requests_and_objections_and_not_of_the_rest(
    post: Post, shop: Shop, stopped_clock: Clock
) -> None:
    person, stranger = add_user(), add_user()
    join(shop.vendor, person)
    damage_objected_to(shop, stopped_clock)
    assert (told_of(person), told_of(stranger)) == (["requested", "objected"], [])
    assert "returned" in told_of(shop.vendor)
    send_all()
    subjects = [message["Subject"].split(":")[0] for to, message in post.take() if to == person.email]
    assert subjects == ["Objection"]


def test_who_no_longer_works_there_gets_no_message_that_was_still_waiting(post: Post, shop: Shop) -> None:
    person = add_user()
    join(shop.vendor, person)
    book(shop.customer, wanted(shop.vehicle))
    write(members.remove, actor(shop.vendor), person.id or 0)
    send_all()
    assert [message["Subject"] for to, message in post.take() if to == person.email] == []


def test_a_customer_who_came_to_work_there_gets_one_message(shop: Shop) -> None:
    made = book(shop.customer, wanted(shop.vehicle))
    join(shop.vendor, shop.customer)
    cancel(shop, made.reference, 0)
    assert told_of(shop.customer).count("cancelled") == 1
