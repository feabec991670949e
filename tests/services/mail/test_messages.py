"""Reminders come once each, and what messages say is true."""

from datetime import time, timedelta

import pytest
from icalendar import Calendar

from rental_app.content.messages import WORDS
from rental_app.domain import clock
from rental_app.domain.booking_events import MEANINGS
from rental_app.infrastructure.db import read, write
from rental_app.models import Booking, User, Vehicle
from rental_app.services.bookings import requests
from rental_app.services.mail import reminders
from rental_app.services.trips import cancellations, papers
from tests.conftest import Clock
from tests.support.booking_steps import alter, book
from tests.support.guests import GUEST, at_counter
from tests.support.mailbox import Post, send_all, text_of
from tests.support.shop import Shop, actor, moment, wanted
from tests.support.trips import at_pickup, at_return, cancel, confirmed, hand_over, pay, seen, take_back, terms

LANE = "7 Customer Lane"


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


def test_expiring_papers_are_announced_thirty_seven_and_one_day_before_with_what_they_take_down(
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
        told[left] = [letter for letter in letters if letter.startswith("Documents expiring")]
    assert [left for left, letters in told.items() if letters] == [30, 7, 1]
    for left in (30, 7, 1):
        (letter,) = told[left]
        runs_out = f"{left} day{'s' if left > 1 else ''}, on {clock.friendly_day(last, last - timedelta(days=left))}"
        assert letter.startswith(
            f"Documents expiring: Honda Activa 6G, {shop.vehicle.rc_number}\nPollution expires in {runs_out}"
        )
        assert (": the vehicle is not listed from" in letter, f"Bookings after that: {past}." in letter) == (True, True)
        assert before not in letter


def _reminded(post: Post, shop: Shop) -> list[str]:
    """Return who of the shop gets a message when reminders are swept twice."""
    for _ in range(2):
        write(reminders.put_due, clock.now())
    send_all()
    ours = (shop.customer.email, shop.vendor.email)
    return sorted(to for to, _ in post.take() if to in ours)


def test_a_return_that_can_no_longer_be_extended_is_announced_without_a_deadline(
    post: Post, shop: Shop, stopped_clock: Clock
) -> None:
    trip = confirmed(shop, length=1)
    at_pickup(stopped_clock, trip, seconds=1)
    hand_over(shop, trip.reference)
    write(reminders.put_due, clock.now())
    letter = _letters(post, shop.customer)["Return soon"]
    assert "You can extend until" not in letter
    assert f"It is too late to extend the booking online: if you need more time, call {shop.vendor.name}." in letter


def test_a_delivered_vehicle_is_handed_over_at_the_customers(post: Post, shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    alter(Booking, trip.id, extras=["drop_off"], address=LANE)
    assert f"Where: {LANE}" in _letters(post, shop.customer)["Confirmed"]
    at_pickup(stopped_clock, trip, hours=-1)
    write(reminders.put_due, clock.now())
    mine, theirs = _letters(post, shop.customer), _letters(post, shop.vendor)
    assert f"{shop.vendor.name} will bring your vehicle to you on" in mine["Delivery soon"]
    assert f"Where: {LANE}" in mine["Delivery soon"]
    assert f"{trip.reference}, bring it to {LANE}" in theirs["Today"]


def test_who_had_the_vehicle_before_it_was_noted_is_not_asked_to_come(
    post: Post, shop: Shop, stopped_clock: Clock
) -> None:
    left = stopped_clock.instant - timedelta(days=2)
    customer = GUEST | {"email": "suresh@example.org"}
    for pickup, reason in ((left, "No network"), (moment(3), "")):
        at_counter(shop.vendor, shop.vehicle, pickup, pickup + timedelta(days=1), customer=customer, reason=reason)
    send_all()
    told = {message["Subject"].split(":")[0]: text_of(message) for to, message in post.got if to == customer["email"]}
    assert "original documents" in told["Confirmed"]
    assert "original documents" not in told["Noted"]
    assert f"from {clock.friendly(left)} to {clock.friendly(left + timedelta(days=1))} (No network)" in told["Noted"]


@pytest.mark.parametrize(
    ("extras", "booked", "out"),
    [
        ([], "shop", "shop"),
        (["drop_off"], LANE, "shop"),
        (["pick_up"], "shop", LANE),
        (["drop_off", "pick_up"], LANE, LANE),
    ],
)
def test_both_sides_meet_where_the_next_step_is(
    shop: Shop, stopped_clock: Clock, extras: list[str], booked: str, out: str
) -> None:
    trip = confirmed(shop)
    alter(Booking, trip.id, extras=extras, address=LANE if extras else "")
    at_pickup(stopped_clock, trip)
    assert _meets(shop, trip.id) == booked
    for user in (shop.customer, shop.vendor):
        (entry,) = Calendar.from_ical(read(papers.calendar_of, actor(user), trip.reference)).events
        assert entry["LOCATION"] == (LANE if booked == LANE else seen(shop.customer, trip.id).contact.address)
    hand_over(shop, trip.reference)
    assert _meets(shop, trip.id) == out
    take_back(shop, trip.reference)
    assert _meets(shop, trip.id) == "shop"


def _meets(shop: Shop, ref: int) -> str:
    """Return where both sides meet next: the shop, or an address that both are shown."""
    mine, theirs = (seen(user, ref).contact for user in (shop.customer, shop.vendor))
    assert mine
    assert theirs
    if not theirs.address:
        assert mine.address.startswith(shop.vendor.address)
        return "shop"
    assert (mine.address, mine.maps) == (theirs.address, theirs.maps)
    return mine.address


@pytest.mark.parametrize(
    ("rent", "deposit", "said"),
    [
        (100_000, 200_000, "deposit"),
        (0, 0, "The account below shows what is still due."),
        (100_000, 0, "Nobody owes anything more."),
    ],
)
def test_a_deposit_is_to_be_returned_only_where_one_was_taken(
    post: Post, shop: Shop, stopped_clock: Clock, rent: int, deposit: int, said: str
) -> None:
    trip = confirmed(shop)
    at_pickup(stopped_clock, trip)
    for paise, of in ((rent, "rent"), (deposit, "deposit")):
        if paise:
            pay(shop, trip.id, paise, of)
    hand_over(shop, trip.reference)
    take_back(shop, trip.reference)
    for user in (shop.customer, shop.vendor):
        # A trip that nothing is due of is settled at once, which the same e-mail says.
        letter = _letters(post, user)["Settled" if rent and not deposit else "Returned"]
        assert said in letter
        assert ("What is left of the deposit" in letter.replace("what", "What")) == bool(deposit)


@pytest.mark.parametrize(
    ("rent", "deposit", "kept", "said"),
    [
        (None, 0, "", ["nobody owes anything."]),
        (0, 0, "", ["nobody owes anything."]),
        (20_000, 0, "₹200", ["nobody owes anything."]),
        (100_000, 200_000, "₹750", ["what is kept", "Rent: ₹250 owed to", "Deposit: ₹2,000 held by"]),
    ],
)
def test_a_cancellation_says_what_is_kept_and_what_is_paid_back_but_no_price(
    post: Post, shop: Shop, stopped_clock: Clock, rent: int | None, deposit: int, kept: str, said: list[str]
) -> None:
    trip = book(shop.customer, wanted(shop.vehicle)) if rent is None else confirmed(shop)
    for paise, of in ((rent, "rent"), (deposit, "deposit")):
        if paise:
            pay(shop, trip.id, paise, of)
    if rent is not None:
        # How much is kept depends on the hours until pickup.
        at_pickup(stopped_clock, trip, hours=-48)
    cancel(shop, trip.reference, terms(shop, trip.reference).kept)
    for user in (shop.customer, shop.vendor):
        letter = _letters(post, user)["Cancelled"]
        assert all(text in letter.replace("Nobody", "nobody") for text in said)
        assert (f"Kept: {kept}" in letter, "Price:" in letter) == (bool(kept), False)


def _letters(post: Post, user: User) -> dict[str, str]:
    """Send everything due; return the text of what somebody has received, by the beginning of its subject."""
    send_all()
    return {message["Subject"].split(":")[0]: text_of(message) for to, message in post.got if to == user.email}


def test_a_lapsed_request_that_is_not_swept_yet_is_a_new_version_in_calendars(shop: Shop, stopped_clock: Clock) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    versions = []
    for step in (None, None, requests.expire_stale):
        if step:
            write(step, clock.now())
        calendar = Calendar.from_ical(read(papers.calendar_of, actor(shop.customer), asked.reference))
        versions.append((calendar["METHOD"], calendar.events[0]["SEQUENCE"]))
        stopped_clock.instant = asked.answer_by
    assert versions == [("PUBLISH", 0), ("CANCEL", 1), ("CANCEL", 1)]


def test_a_no_show_removes_the_entry_from_calendars(post: Post, shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    at_pickup(stopped_clock, trip, hours=2)
    write(cancellations.mark_no_show, actor(shop.vendor), trip.reference)
    send_all()
    (told,) = [message for _, message in post.got if message["Subject"].startswith("Not picked up")]
    (attached,) = told.iter_attachments()
    calendar = Calendar.from_ical(attached.get_content())
    entry = calendar.events[0]
    assert (calendar["METHOD"], entry["STATUS"], entry["SEQUENCE"]) == ("CANCEL", "CANCELLED", 2)


def test_there_are_words_for_everything_that_is_told() -> None:
    told = {(what, side) for what, meaning in MEANINGS.items() for side in meaning.recipients}
    reminders_told = {("before_pickup", "customer"), ("before_return", "customer"), ("day_digest", "vendor")}
    reviews = {(what, side) for what in ("review_wanted", "reviewed") for side in ("customer", "vendor")}
    reviews.add(("review_answered", "customer"))
    written = {(kind.partition(".")[0], side) for kind, side in WORDS}
    assert written == told | reminders_told | reviews | {
        ("papers_expiring", "vendor"),
        *((f"listing_{decided}", "vendor") for decided in ("approved", "refused", "taken_down")),
        ("guest_link", "customer"),
    }
