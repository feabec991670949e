"""Reviews: who may write what and when, when they are shown, and that the stored sums of stars equal a recount."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from sqlalchemy import func, select
from sqlmodel import col

from rental_app.domain import clock
from rental_app.domain.due import DueToday
from rental_app.domain.errors import ConflictError, ForbiddenError, NotFoundError, RentalError
from rental_app.domain.policies import FIRST
from rental_app.domain.reviews import review_until
from rental_app.infrastructure.db import read, write
from rental_app.models import Review, Vehicle
from rental_app.schemas.reviews import ReportRequest, ReviewReplyRequest
from rental_app.schemas.trips import TripView
from rental_app.services import maintenance
from rental_app.services.accounts.actor import at_the_machine
from rental_app.services.bookings import lists
from rental_app.services.earnings import dashboard
from rental_app.services.mail import reminders
from rental_app.services.reviews import writing
from tests.conftest import Clock
from tests.support import machines
from tests.support.booking_steps import book, decide
from tests.support.races import at_once
from tests.support.reviews import only_review, public, returned, review, told, wrong_sums
from tests.support.shop import ALL_DAY, Shop, actor, add_user, add_vehicle, open_shop, wanted
from tests.support.trips import at_pickup, at_return, confirmed, hand_over, seen, take_back


@pytest.fixture
def trip(shop: Shop, stopped_clock: Clock) -> TripView:
    """A trip whose vehicle has just come back."""
    return returned(shop, stopped_clock)


def test_both_are_shown_once_both_have_written(shop: Shop, trip: TripView) -> None:
    first = review(shop.customer, trip.reference, 4, "Clean scooter, quick handover.")
    assert first.reviews.mine
    assert not first.reviews.mine.shown
    assert first.reviews.until == review_until(trip.return_at, FIRST)
    assert seen(shop.vendor, trip.id).reviews.theirs is None
    assert (public(shop).reviews, told("reviewed")) == ([], [])
    again = review(shop.customer, trip.reference, 5, "Clean scooter, quick handover!")
    assert again.reviews.mine
    assert again.reviews.mine.stars == 5
    after = review(shop.vendor, trip.reference, 3, "Came back late.").reviews
    assert after.theirs
    assert (after.theirs.stars, after.theirs.text) == (5, "Clean scooter, quick handover!")
    assert after.until is None
    theirs = seen(shop.customer, trip.id).reviews.theirs
    assert theirs
    assert (theirs.stars, theirs.by) == (3, shop.vendor.name)
    shown = public(shop)
    assert (shown.rating, shown.distribution) == (5.0, {5: 1, 4: 0, 3: 0, 2: 0, 1: 0})
    # Nobody's full name.
    assert [one.by for one in shown.reviews] == [f"Person {shop.customer.name.split()[1][0]}."]
    assert set(told("reviewed")) == {shop.customer.id, shop.vendor.id}
    for user in (shop.customer, shop.vendor):
        with pytest.raises(ConflictError) as refused:
            review(user, trip.reference, 1)
        assert refused.value.code == "review_shown"
    assert wrong_sums() == []


def test_one_alone_is_shown_when_the_time_is_over(shop: Shop, trip: TripView, stopped_clock: Clock) -> None:
    review(shop.customer, trip.reference, 2, "The brakes squeaked.")
    stopped_clock.instant = review_until(trip.return_at, FIRST) - timedelta(seconds=1)
    write(maintenance.sweep, clock.now())
    assert public(shop).reviews == []
    stopped_clock.move(seconds=1)
    with pytest.raises(ConflictError) as refused:
        review(shop.vendor, trip.reference, 5)
    assert refused.value.code == "too_late_to_review"
    # Three sweeps run at once, and leave nothing for another one to do.
    assert at_once(*[lambda: write(maintenance.sweep, clock.now())] * 3) == ["", "", ""]
    assert write(writing.show_due, clock.now()) == 0
    assert [(one.stars, one.text) for one in public(shop).reviews] == [(2, "The brakes squeaked.")]
    # The demo's own reviews are shown by the same sweep.
    assert told("reviewed").count(shop.vendor.id) == 1
    assert wrong_sums() == []
    vehicle = read(lambda session: session.get_one(Vehicle, shop.vehicle.id))
    assert (vehicle.stars_total, vehicle.reviews) == (2, 1)


def test_who_may_not_write(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    with pytest.raises(ConflictError) as refused:
        review(shop.customer, trip.reference, 5)
    assert refused.value.code == "not_returned"
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.id)
    at_return(stopped_clock, trip)
    take_back(shop, trip.id)
    for stranger in (add_user(), add_user("Vendor")):
        with pytest.raises(NotFoundError):
            review(stranger, trip.reference, 1)
    with pytest.raises(ForbiddenError):
        review(add_user("Operator"), trip.reference, 1)
    assert read(lambda session: session.scalar(select(func.count()).where(Review.booking_id == trip.id))) == 0


def test_reviews_of_a_customer_are_shown_to_vendors_with_a_request_of_theirs(shop: Shop, trip: TripView) -> None:
    review(shop.customer, trip.reference, 5)
    review(shop.vendor, trip.reference, 2, "Left the tank empty.")
    other = open_shop("Otherpur")
    with pytest.raises(NotFoundError):
        write(writing.report, actor(other.vendor), only_review("vendor"), ReportRequest(note="Unkind"))
    asked = book(shop.customer, wanted(other.vehicle, days=9))
    known = seen(other.vendor, asked.id).reviews.customer
    assert known
    assert (known.rating, known.reviews) == (2.0, 1)
    assert [(one.text, one.by) for one in known.said] == [("Left the tank empty.", shop.vendor.name)]
    assert seen(shop.customer, asked.id).reviews.customer is None
    theirs = actor(other.vendor)
    listed = read(lists.of_vendor, theirs).items + read(dashboard.day_of_vendor, theirs).due[DueToday.ANSWER].items
    assert [(one.customer_rating, one.customer_reviews) for one in listed] == [(2.0, 1)] * 2
    # No rating is shown for a request that was decided, nor for a customer who has none.
    decide(other.vendor, asked.id, "confirmed")
    book(add_user(), wanted(other.vehicle, days=20))
    assert [one.customer_rating for one in read(lists.of_vendor, theirs).items] == [None, None]
    assert [one.stars for one in public(shop).reviews] == [5]
    write(writing.report, actor(other.vendor), only_review("vendor"), ReportRequest(note="Unkind"))


def test_the_vendor_answers_once(shop: Shop, trip: TripView) -> None:
    review(shop.customer, trip.reference, 3, "Old tyres.")
    unseen = only_review()
    reply = ReviewReplyRequest(text="They are new since Monday.")
    with pytest.raises(NotFoundError):
        write(writing.answer, actor(shop.vendor), unseen, reply)
    review(shop.vendor, trip.reference, 4)
    for somebody in (add_user("Vendor"), shop.customer):
        with pytest.raises(ForbiddenError):
            write(writing.answer, actor(somebody), unseen, reply)
    with pytest.raises(NotFoundError):
        write(writing.answer, actor(add_user("Vendor")), only_review("vendor"), reply)
    codes = at_once(*[lambda: write(writing.answer, actor(shop.vendor), unseen, reply)] * 3)
    assert sorted(codes) == ["", "already_answered", "already_answered"]
    answered = public(shop).reviews[0].answer
    assert answered
    assert answered.text == "They are new since Monday."
    mine = seen(shop.customer, trip.id).reviews.mine
    assert mine
    assert mine.answer == answered
    assert told("review_answered") == [shop.customer.id]


def test_a_reported_review_is_hidden_by_an_operator_and_the_sums_follow(shop: Shop, trip: TripView) -> None:
    review(shop.customer, trip.reference, 1, "Rude words")
    review(shop.vendor, trip.reference, 5)
    bad, note = only_review(), ReportRequest(note="It insults")
    with pytest.raises(ForbiddenError) as refused:
        write(writing.report, actor(shop.customer), bad, note)
    assert refused.value.code == "own_review"
    write(writing.report, actor(shop.vendor), bad, note)
    with pytest.raises(ConflictError) as again:
        write(writing.report, actor(add_user()), bad, note)
    assert again.value.code == "already_reported"
    assert bad in [one.id for one in read(writing.reported, at_the_machine())]
    write(writing.judge, at_the_machine(), bad, hide=True)
    assert (public(shop).rating, public(shop).reviews) == (None, [])
    mine = seen(shop.customer, trip.id).reviews.mine
    assert mine
    assert mine.hidden
    with pytest.raises(NotFoundError):
        write(writing.answer, actor(shop.vendor), bad, ReviewReplyRequest(text="So what"))
    assert bad not in [one.id for one in read(writing.reported, at_the_machine())]
    # Hiding twice equals hiding once.
    write(writing.judge, at_the_machine(), bad, hide=True)
    assert wrong_sums() == []
    write(writing.judge, at_the_machine(), bad, hide=False)
    assert public(shop).rating == 1.0
    with pytest.raises(ConflictError) as judged:
        write(writing.report, actor(add_user()), bad, note)
    assert judged.value.code == "already_judged"
    assert wrong_sums() == []


def test_each_side_is_invited_once_after_the_return(shop: Shop, trip: TripView, stopped_clock: Clock) -> None:
    before = len(told("review_wanted"))
    write(reminders.put_due, clock.now())
    assert len(told("review_wanted")) == before, "not while they stand beside the vehicle"
    review(shop.vendor, trip.reference, 5)
    stopped_clock.move(hours=3)
    for _ in range(2):
        write(reminders.put_due, clock.now())
        invited = told("review_wanted")
        assert (invited.count(shop.customer.id or 0), invited.count(shop.vendor.id or 0)) == (1, 0)


def test_two_sides_at_once_are_both_shown(shop: Shop, stopped_clock: Clock) -> None:
    for _ in range(3):
        trip = returned(shop, stopped_clock)
        assert at_once(
            lambda ref=trip.id: review(shop.customer, ref, 5),  # type: ignore[misc]
            lambda ref=trip.id: review(shop.vendor, ref, 4),  # type: ignore[misc]
        ) == ["", ""]
        assert (theirs := seen(shop.vendor, trip.id).reviews.theirs)
        assert theirs.stars == 5
        assert wrong_sums() == []


@pytest.mark.databases
def test_an_edit_against_its_showing_is_in_the_sums_or_refused(shop: Shop, stopped_clock: Clock) -> None:
    for _ in range(3):
        trip = returned(shop, stopped_clock)
        review(shop.customer, trip.id, 1)
        edited, _ = at_once(
            lambda ref=trip.id: review(shop.customer, ref, 5),  # type: ignore[misc]
            lambda ref=trip.id: review(shop.vendor, ref, 4),  # type: ignore[misc]
        )
        theirs = seen(shop.vendor, trip.id).reviews.theirs
        assert theirs
        assert theirs.stars == (1 if edited == "review_shown" else 5)
        assert wrong_sums() == []


class Reviews(RuleBasedStateMachine):
    """Two vehicles of a vendor with returned trips; both sides, an operator and time act in any order."""

    clock: Clock
    names: Iterator[int] = iter(range(10**9))

    @initialize(trips=st.integers(1, 3))
    def ride(self, trips: int) -> None:
        self.shop = open_shop(f"Star{next(self.names)}", **ALL_DAY)
        first = self.shop.vehicle
        second = add_vehicle(self.shop.vendor)
        self.trips = []
        for number in range(trips):
            self.shop.vehicle = (first, second)[number % 2]
            self.trips.append(returned(self.shop, self.clock))

    @rule(which=st.integers(0, 2), stars=st.integers(1, 5), side=st.sampled_from(["customer", "vendor"]))
    def write(self, which: int, stars: int, side: str) -> None:
        with suppress(RentalError):
            review(getattr(self.shop, side), self.trips[which % len(self.trips)].id, stars)

    @rule(days=st.integers(1, 8))
    def wait_and_sweep(self, days: int) -> None:
        self.clock.move(days=days)
        write(writing.show_due, clock.now())

    @rule(which=st.integers(0, 5), hide=st.booleans())
    def judge(self, which: int, hide: bool) -> None:
        own = select(col(Review.id)).where(col(Review.vendor_id) == self.shop.vendor.id)
        written = read(lambda session: list(session.scalars(own)))
        if written:
            with suppress(NotFoundError):
                write(writing.judge, at_the_machine(), written[which % len(written)], hide=hide)

    @invariant()
    def sums_are_what_a_recount_gives(self) -> None:
        assert wrong_sums() == []


@pytest.mark.parametrize("examples", [3, pytest.param(machines.EXAMPLES, marks=pytest.mark.long)])
def test_the_sums_are_what_a_recount_gives_whatever_happens(database: str, stopped_clock: Clock, examples: int) -> None:
    Reviews.clock = stopped_clock
    machines.run(Reviews, stopped_clock, examples)
