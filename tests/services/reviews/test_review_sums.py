"""The stored sums of stars equal a recount, whatever happens to reviews, also concurrently."""

from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from sqlalchemy import select
from sqlmodel import col

from rental_app.domain import clock
from rental_app.domain.errors import NotFoundError, RentalError
from rental_app.infrastructure.db import read, write
from rental_app.models import Review
from rental_app.services.accounts.actor import at_the_machine
from rental_app.services.reviews import judging, showing
from tests.conftest import Clock
from tests.support import machines
from tests.support.races import at_once
from tests.support.reviews import returned, review, wrong_sums
from tests.support.shop import ALL_DAY, Shop, add_vehicle, open_shop
from tests.support.trips import seen


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
        write(showing.show_due, clock.now())

    @rule(which=st.integers(0, 5), hide=st.booleans())
    def judge(self, which: int, hide: bool) -> None:
        own = select(col(Review.id)).where(col(Review.vendor_id) == self.shop.vendor.id)
        written = read(lambda session: list(session.scalars(own)))
        if written:
            with suppress(NotFoundError):
                write(judging.judge, at_the_machine(), written[which % len(written)], hide=hide)

    @invariant()
    def sums_are_what_a_recount_gives(self) -> None:
        assert wrong_sums() == []


@pytest.mark.parametrize("examples", [3, pytest.param(machines.EXAMPLES, marks=pytest.mark.long)])
def test_the_sums_are_what_a_recount_gives_whatever_happens(database: str, stopped_clock: Clock, examples: int) -> None:
    Reviews.clock = stopped_clock
    machines.run(Reviews, stopped_clock, examples)
