"""Reminders come once each, and what messages say is true."""

from datetime import time, timedelta

from rental_app.content.messages import WORDS
from rental_app.db import write
from rental_app.models import Vehicle
from rental_app.rules import clock
from rental_app.services import reminders
from rental_app.services.trips.timeline import TELLS
from tests.conftest import Clock
from tests.helpers import Shop
from tests.services.post import Post, send_all, text_of
from tests.services.steps import alter
from tests.services.trips import at_pickup, at_return, confirmed, hand_over


def test_reminders_come_once_each(post: Post, shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    send_all()
    post.take()
    today = clock.indian_today(clock.now())
    alter(Vehicle, shop.vehicle.id, insurance_expiry_date=today + timedelta(days=7))
    assert _reminded(post, shop) == [shop.vendor.email]
    alter(Vehicle, shop.vehicle.id, insurance_expiry_date=today + timedelta(days=400))
    at_pickup(stopped_clock, trip, hours=-24)
    assert _reminded(post, shop) == sorted([shop.customer.email, shop.vendor.email])
    assert _reminded(post, shop) == []
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.reference)
    at_return(stopped_clock, trip, hours=-30)
    assert _reminded(post, shop) == [shop.customer.email]


def test_papers_that_run_out_are_told_thirty_seven_and_one_day_before_with_what_they_take_down(
    post: Post, shop: Shop, stopped_clock: Clock
) -> None:
    before, past = (confirmed(shop, days=days, length=1).reference for days in (29, 31))
    # Booked while the paper was good for longer.
    last = clock.indian_today(clock.now()) + timedelta(days=31)
    alter(Vehicle, shop.vehicle.id, pollution_expiry_date=last)
    told = {}
    for left in (31, 30, 29, 8, 7, 6, 2, 1, 0):
        stopped_clock.instant = clock.at(last - timedelta(days=left), time(0, 5))
        for _ in range(2):
            write(reminders.put_due, clock.now())
        send_all()
        letters = [text_of(message) for to, message in post.take() if to == shop.vendor.email]
        told[left] = [letter for letter in letters if "Papers" in letter]
    assert [left for left, letters in told.items() if letters] == [30, 7, 1]
    for left in (30, 7, 1):
        (letter,) = told[left]
        runs_out = f"{left} day{'s' if left > 1 else ''}, on {clock.friendly_day(last, last - timedelta(days=left))}"
        assert letter.startswith(
            f"Papers run out: Honda Activa 6G, {shop.vehicle.rc_number}\nPollution expires in {runs_out}"
        )
        assert (": the vehicle is off the shop from" in letter, f"Booked past it: {past}." in letter) == (True, True)
        assert before not in letter


def _reminded(post: Post, shop: Shop) -> list[str]:
    """Return who of the shop gets a message when reminders are swept twice."""
    for _ in range(2):
        write(reminders.put_due, clock.now())
    send_all()
    ours = (shop.customer.email, shop.vendor.email)
    return sorted(to for to, _ in post.take() if to in ours)


def test_there_are_words_for_everything_that_is_told() -> None:
    told = {(what, side) for what, sides in TELLS.items() for side in sides}
    reminders_told = {("before_pickup", "customer"), ("before_pickup", "vendor"), ("before_return", "customer")}
    reviews = {(what, side) for what in ("review_wanted", "reviewed") for side in ("customer", "vendor")}
    reviews.add(("review_answered", "customer"))
    assert set(WORDS) == told | reminders_told | reviews | {("papers_expiring", "vendor")}
