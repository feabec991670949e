"""Whole trips with actions in any order agree with a model of a few lines: every balance is explained at the end."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rental_app.domain import counter
from rental_app.domain.clock import MAX_LENGTH
from rental_app.domain.counter import MOST_TEXTS
from rental_app.domain.errors import ConflictError
from rental_app.domain.policies import FIRST
from rental_app.domain.settlement import chargeable_until
from rental_app.infrastructure.db import write
from rental_app.services.trips import cancellations
from tests.conftest import Clock
from tests.support import machines
from tests.support.booking_steps import book, decide
from tests.support.expected import Expected
from tests.support.guests import at_counter, guest_of
from tests.support.shop import ALL_DAY, DAILY_PAISE, DEPOSIT_PAISE, Shop, actor, add_vehicle, moment, open_shop, wanted
from tests.support.trip_codes import code, send_code, type_code
from tests.support.trips import (
    answer,
    cancel,
    charge,
    extend,
    give_up,
    going_on,
    grant,
    hand_over,
    owed,
    pay,
    reverse,
    seen,
    take_back,
    terms,
)
from tests.support.trips import move_vehicle as move

AMOUNTS = st.sampled_from([1, 10_000, DAILY_PAISE, 2 * DAILY_PAISE, DEPOSIT_PAISE])
KINDS = {
    ("rent", "in"): "payment",
    ("rent", "out"): "refund",
    ("deposit", "in"): "deposit taken",
    ("deposit", "out"): "deposit returned",
}


class Trips(RuleBasedStateMachine):
    """One booking of two days, its customer and vendor, and a clock that only these rules move."""

    clock: Clock
    names = iter(range(10**9))

    @initialize(
        days=st.integers(1, 5), is_walk_in=st.booleans(), daily=st.sampled_from([DAILY_PAISE, DAILY_PAISE // 2])
    )
    def request(self, days: int, is_walk_in: bool, daily: int) -> None:
        self.shop: Shop = open_shop(f"Road{next(self.names)}", **ALL_DAY)
        self.shop.vehicle = add_vehicle(self.shop.vendor, odometer_reading=1000)
        self.spare = add_vehicle(self.shop.vendor, daily, odometer_reading=1000)
        self.daily = {self.shop.vehicle.id: DAILY_PAISE, self.spare.id: daily}
        if is_walk_in:
            made = at_counter(self.shop.vendor, self.shop.vehicle, moment(days), moment(days + 2))
            self.shop.customer, self.ref = guest_of(made), made.reference
        else:
            self.ref = book(self.shop.customer, wanted(self.shop.vehicle, days=days, length=2)).reference
        self.trip = seen(self.shop.customer, self.ref)
        self.model = Expected(self.trip.pickup, self.trip.return_at)
        # A guest was sent the link.
        self.texts = int(is_walk_in)
        if is_walk_in:
            self.model.status = "confirmed"
            self.model.lines.append(("rental", 2 * DAILY_PAISE))

    @property
    def now(self) -> datetime:
        return self.clock.instant

    def done(self, press: Callable[[], object], *, possible: bool) -> bool:
        """Try an action: it succeeds where the model says it is possible, and is refused where not."""
        try:
            press()
        except ConflictError:
            assert not possible
            return False
        assert possible
        return True

    def is_at(self, *stages: str) -> bool:
        return self.model.status == "confirmed" and self.model.stage in stages

    @precondition(lambda self: self.model.status == "pending")
    @rule()
    def confirm(self) -> None:
        decide(self.shop.vendor, self.trip.id, "confirmed")
        self.model.status = "confirmed"
        self.model.lines.append(("rental", 2 * DAILY_PAISE))

    @precondition(lambda self: self.model.status != "pending")
    @rule(paise=AMOUNTS, of=st.sampled_from(["rent", "deposit"]), direction=st.sampled_from(["in", "out"]))
    def money(self, paise: int, of: str, direction: str) -> None:
        possible = paise <= self.model.most(of, direction)
        if self.done(lambda: pay(self.shop, self.ref, paise, of, direction), possible=possible):
            self.model.lines.append((KINDS[of, direction], paise))
            self.model.settle()

    @precondition(lambda self: self.model.lines)
    @rule(place=st.integers(0, 20))
    def take_a_line_back(self, place: int) -> None:
        place %= len(self.model.lines)
        entry = seen(self.shop.vendor, self.ref).ledger[place].id
        asks = self.model.needs_yes(place)
        possible = self.model.can_undo(place) and not (asks and self.model.waits(self.now))
        if not self.done(lambda: reverse(self.shop, self.ref, entry), possible=possible):
            return
        if asks:
            self.model.propose(self.now, place=place)
        else:
            self.model.undo(place)
            self.model.settle()

    @rule(hours=st.sampled_from([1, 5, 23, 47]))
    def wait(self, hours: int) -> None:
        self.clock.move(hours=hours)
        self.model.just_reversed.clear()
        if self.model.status == "pending" and self.trip.answer_by <= self.now:
            self.model.status = "cancelled"

    @precondition(lambda self: self.model.status == "confirmed")
    @rule(days=st.integers(1, 4))
    def return_later(self, days: int) -> None:
        later = self.model.return_at + timedelta(days=days)
        assume(later - self.model.pickup <= MAX_LENGTH)
        in_time = self.now <= self.model.return_at - timedelta(hours=24)
        possible = self.is_at("booked", "out") and in_time
        if self.done(lambda: extend(self.shop, self.ref, later), possible=possible):
            self.model.extend(later)
            self.model.end_proposal()

    @precondition(lambda self: self.model.status == "confirmed")
    @rule(days=st.integers(1, 4))
    def propose_a_later_return(self, days: int) -> None:
        later = self.model.return_at + timedelta(days=days)
        assume(later - self.model.pickup <= MAX_LENGTH)
        possible = self.is_at("booked", "out") and not self.model.waits(self.now)
        if self.done(lambda: grant(self.shop, self.ref, later), possible=possible):
            self.model.propose(self.now, later=later)

    @precondition(lambda self: self.model.answer_by)
    @rule(yes=st.booleans(), reads_out=st.booleans())
    def answer_the_proposal(self, yes: bool, reads_out: bool) -> None:
        waiting = seen(self.shop.customer, self.ref).proposal
        assert (waiting is not None) == self.model.waits(self.now)
        if waiting is None:
            return
        if yes and reads_out and self.is_sent_a_code():
            type_code(self.shop.vendor, self.ref, code())
        else:
            answer(self.shop, self.ref, waiting.id, yes, waiting.total)
        later, place = self.model.later, self.model.place
        self.model.end_proposal()
        if yes and later:
            self.model.extend(later)
        elif yes and place is not None:
            self.model.undo(place)
            self.model.settle()

    def is_sent_a_code(self) -> bool:
        """Have a code sent, as long as there are texts left for the booking."""
        is_left = self.done(lambda: send_code(self.shop.vendor, self.ref), possible=self.texts < MOST_TEXTS)
        self.texts += is_left
        return is_left

    @precondition(lambda self: self.model.status == "confirmed")
    @rule()
    def move_it(self) -> None:
        possible = self.is_at("booked") and self.now < self.model.return_at
        if self.done(lambda: move(self.shop, self.ref, self.spare), possible=possible):
            self.shop.vehicle, self.spare = self.spare, self.shop.vehicle
            self.model.move(self.daily[self.shop.vehicle.id])
            self.model.end_proposal()

    @precondition(lambda self: self.model.status == "confirmed")
    @rule()
    def give_it_up(self) -> None:
        if self.done(lambda: give_up(self.shop.vendor, self.ref), possible=self.is_at("booked")):
            self.model.replace_rent(0)
            self.model.status = "cancelled"
            self.model.end_proposal()

    @precondition(lambda self: self.model.status == "confirmed")
    @rule(rupees=st.sampled_from([100, 2_500]))
    def charge_a_challan(self, rupees: int) -> None:
        back = self.model.came_back
        possible = self.is_at("returned", "settled") and back is not None and self.now < chargeable_until(back, FIRST)
        if self.done(lambda: charge(self.shop, self.ref, "challan", rupees), possible=possible):
            self.model.charge(rupees * 100)

    @precondition(lambda self: self.model.status != "cancelled")
    @rule()
    def cancel(self) -> None:
        kept = self.model.kept(self.now)
        possible = self.model.status == "pending" or self.is_at("booked")
        if not self.done(lambda: terms(self.shop, self.ref), possible=possible):
            return
        cancel(self.shop, self.ref, kept)
        if self.model.status == "confirmed":
            self.model.replace_rent(kept)
        self.model.status = "cancelled"
        self.model.end_proposal()

    @precondition(lambda self: self.model.status == "confirmed")
    @rule()
    def never_came(self) -> None:
        possible = self.is_at("booked") and self.now >= self.model.pickup + timedelta(hours=2)
        if self.done(lambda: write(cancellations.mark_no_show, actor(self.shop.vendor), self.ref), possible=possible):
            self.model.replace_rent(min(self.model.charged, self.model.paid))
            self.model.stage = "no_show"
            self.model.end_proposal()

    @precondition(lambda self: self.model.status == "confirmed")
    @rule()
    def go_out(self) -> None:
        in_time = self.model.pickup - timedelta(hours=2) <= self.now < self.model.return_at
        if self.done(lambda: hand_over(self.shop, self.ref, 1000), possible=self.is_at("booked") and in_time):
            self.model.stage = "out"

    @precondition(lambda self: self.model.status == "confirmed")
    @rule(
        kms=st.sampled_from([0, 200, 321]),
        speedings=st.integers(0, 2),
        damage=st.sampled_from([0, 12_345]),
        broke_down=st.booleans(),
    )
    def come_back(self, kms: int, speedings: int, damage: int, broke_down: bool) -> None:
        found = {
            "speedings": speedings,
            "damages": [{"note": "Scratch", "amount": damage / 100}] if damage else [],
            "reason": "breakdown" if broke_down else None,
        }
        if self.done(lambda: take_back(self.shop, self.ref, 1000 + kms, **found), possible=self.is_at("out")):
            self.model.come_back(self.now, kms, speedings, damage, broke_down)

    @precondition(lambda self: self.model.came_back)
    @rule()
    def go_on_with_another(self) -> None:
        possible = self.model.broke_down and not self.model.continued

        def press() -> None:
            self.next = going_on(self.shop.vendor, self.ref, self.spare, self.now, self.now + timedelta(days=1))

        if self.done(press, possible=possible):
            moved = self.model.go_on()
            made = seen(self.shop.vendor, self.next.reference)
            assert (made.status, made.price, owed(made)) == ("confirmed", 0, (0, DEPOSIT_PAISE - moved))

    @invariant()
    def the_account_says_what_the_model_says(self) -> None:
        if not hasattr(self, "model"):
            return
        for side in (self.shop.customer, self.shop.vendor):
            trip = seen(side, self.ref)
            assert (trip.status, trip.stage) == (self.model.status, self.model.stage)
            assert (trip.return_at, trip.price) == (self.model.return_at, self.model.price)
            assert trip.price == sum(line.amount for line in trip.lines)
            assert [(line.kind, line.amount) for line in trip.ledger] == self.model.lines
            if self.model.status != "pending":
                assert owed(trip) == (self.model.rent, self.model.deposit)

    def teardown(self) -> None:
        """Bring every trip to its end: what is left is paid or refunded, and nobody owes anybody anything."""
        if not hasattr(self, "model"):
            return
        if self.is_at("out"):
            self.come_back(0, 0, 0, False)
        elif self.model.status == "pending" or self.is_at("booked"):
            self.cancel()
        if self.model.continued:
            ref = self.next.reference
            if held := give_up(self.shop.vendor, ref).balance.held:
                pay(self.shop, ref, held, "deposit", "out")
            assert owed(seen(self.shop.vendor, ref)) == (0, 0)
        self.even("rent", self.model.rent)
        self.even("deposit", self.model.deposit)
        trip = seen(self.shop.customer, self.ref)
        assert owed(trip) == (0, 0)
        assert trip.stage != "returned"

    def even(self, of: str, paise: int) -> None:
        if paise:
            pay(self.shop, self.ref, abs(paise), of, "in" if paise > 0 else "out")


@pytest.mark.long
@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("examples", [4, pytest.param(machines.EXAMPLES, marks=pytest.mark.long)])
def test_any_order_of_presses_leaves_an_account_that_adds_up(
    stopped_clock: Clock, monkeypatch: pytest.MonkeyPatch, examples: int
) -> None:
    # All these trips are on one day of the clock, and of few numbers.
    monkeypatch.setattr(counter, "MOST_TEXTS_TO_NUMBER", 10**6)
    Trips.clock = stopped_clock
    machines.run(Trips, stopped_clock, examples)
