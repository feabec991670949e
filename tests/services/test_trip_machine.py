"""Whole trips in any order of presses, against a model of a few lines: every balance is explained at the end."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import ceil

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from rental_app.db import write
from rental_app.errors import ConflictError
from rental_app.services.trips import absences
from tests.conftest import Clock
from tests.helpers import ALL_DAY, DAILY_PAISE, DEPOSIT_PAISE, Shop, actor, add_vehicle, open_shop, wanted
from tests.services import machines
from tests.services.steps import book, decide
from tests.services.trips import cancel, hand_over, owed, pay, reverse, seen, take_back, terms

RENT = ("rental", "cancellation", "late", "kilometres", "speeding", "damage")
AMOUNTS = st.sampled_from([1, 10_000, DAILY_PAISE, 2 * DAILY_PAISE, DEPOSIT_PAISE])


@dataclass
class Expected:
    """What the model knows of the booking's account: kinds with their paise, by the ids of the lines."""

    status: str = "pending"
    stage: str = "booked"
    lines: list[tuple[str, int]] = field(default_factory=list)
    reversed_lines: set[int] = field(default_factory=set)

    def sum(self, *kinds: str) -> int:
        return sum(paise for kind, paise in self.lines if kind in kinds)

    @property
    def held(self) -> int:
        return self.sum("deposit taken") - self.sum("deposit kept", "deposit returned")

    @property
    def rent(self) -> int:
        return self.sum(*RENT) - self.sum("payment", "deposit kept") + self.sum("refund")

    @property
    def deposit(self) -> int:
        ahead = self.status != "cancelled" and self.stage in ("booked", "out")
        return (DEPOSIT_PAISE if ahead else 0) - self.held

    @property
    def paid(self) -> int:
        return self.sum("payment") - self.sum("refund")


class Trips(RuleBasedStateMachine):
    """One booking of two days, its customer and vendor, and a clock that only these rules move."""

    clock: Clock
    names = iter(range(10**9))

    @initialize(days=st.integers(1, 5))
    def request(self, days: int) -> None:
        self.shop: Shop = open_shop(f"Road{next(self.names)}", **ALL_DAY)
        self.shop.vehicle = add_vehicle(self.shop.vendor, odometer_reading=1000)
        self.ref = book(self.shop.customer, wanted(self.shop.vehicle, days=days, length=2)).reference
        self.trip = seen(self.shop.customer, self.ref)
        self.model = Expected()

    @property
    def now(self) -> datetime:
        return self.clock.instant

    def lapse(self) -> None:
        if self.model.status == "pending" and self.trip.answer_by <= self.now:
            self.model.status = "cancelled"

    @precondition(lambda self: self.model.status == "pending")
    @rule()
    def confirm(self) -> None:
        decide(self.shop.vendor, self.trip.id, "confirmed")
        self.model.status = "confirmed"
        self.model.lines.append(("rental", 2 * DAILY_PAISE))

    @precondition(lambda self: self.model.status != "pending")
    @rule(paise=AMOUNTS, of=st.sampled_from(["rent", "deposit"]), direction=st.sampled_from(["in", "out"]))
    def money(self, paise: int, of: str, direction: str) -> None:
        kind, most = {
            ("rent", "in"): ("payment", self.model.rent),
            ("rent", "out"): ("refund", -self.model.rent),
            ("deposit", "in"): ("deposit taken", self.model.deposit),
            ("deposit", "out"): ("deposit returned", self.model.held),
        }[of, direction]
        try:
            pay(self.shop, self.ref, paise, of, direction)
        except ConflictError:
            assert paise > most
            return
        assert paise <= most
        self.model.lines.append((kind, paise))
        self.settle()

    @precondition(lambda self: self.model.lines)
    @rule(place=st.integers(0, 20))
    def take_a_line_back(self, place: int) -> None:
        place %= len(self.model.lines)
        entry = seen(self.shop.vendor, self.ref).ledger[place]
        try:
            reverse(self.shop, self.ref, entry.id)
        except ConflictError:
            assert place in self.model.reversed_lines
            return
        self.undo(place)
        self.settle()

    def undo(self, place: int) -> None:
        assert place not in self.model.reversed_lines
        kind, paise = self.model.lines[place]
        self.model.reversed_lines |= {place, len(self.model.lines)}
        self.model.lines.append((kind, -paise))

    def settle(self) -> None:
        if self.model.stage == "returned" and not self.model.rent and not self.model.deposit:
            self.model.stage = "settled"

    @rule(hours=st.sampled_from([1, 5, 23, 47]))
    def wait(self, hours: int) -> None:
        self.clock.move(hours=hours)
        self.lapse()

    def replace_rent(self, kept: int) -> None:
        for place, (kind, _) in list(enumerate(self.model.lines)):
            if kind == "rental" and place not in self.model.reversed_lines:
                self.undo(place)
        if kept:
            self.model.lines.append(("cancellation", kept))

    @precondition(lambda self: self.model.status != "cancelled")
    @rule()
    def cancel(self) -> None:
        possible = self.model.status == "pending" or self.model.stage == "booked"
        try:
            shown = terms(self.shop, self.ref)
        except ConflictError:
            assert not possible
            return
        assert possible
        assert shown.kept == self.kept()
        cancel(self.shop, self.ref, shown.kept)
        if self.model.status == "confirmed":
            self.replace_rent(shown.kept)
        self.model.status = "cancelled"

    def kept(self) -> int:
        if self.model.status == "pending":
            return 0
        charged, paid = max(0, self.model.sum("rental")), max(0, self.model.paid)
        left = self.trip.pickup - self.now
        percent = 25 if left > timedelta(hours=72) else 75 if left >= timedelta(hours=24) else 100
        return paid if paid < charged else (charged * percent + 50) // 100

    @precondition(lambda self: self.model.status == "confirmed")
    @rule()
    def never_came(self) -> None:
        possible = self.model.stage == "booked" and self.now >= self.trip.pickup + timedelta(hours=2)
        try:
            write(absences.mark, actor(self.shop.vendor), self.ref)
        except ConflictError:
            assert not possible
            return
        assert possible
        self.replace_rent(max(0, min(self.model.sum("rental"), self.model.paid)))
        self.model.stage = "no_show"

    @precondition(lambda self: self.model.status == "confirmed")
    @rule()
    def go_out(self) -> None:
        in_time = self.trip.pickup - timedelta(hours=2) <= self.now < self.trip.return_at
        try:
            hand_over(self.shop, self.ref, 1000)
        except ConflictError:
            assert not (in_time and self.model.stage == "booked")
            return
        assert in_time
        assert self.model.stage == "booked"
        self.model.stage = "out"

    @precondition(lambda self: self.model.status == "confirmed")
    @rule(kms=st.sampled_from([0, 200, 321]), speedings=st.integers(0, 2), damage=st.sampled_from([0, 12_345]))
    def come_back(self, kms: int, speedings: int, damage: int) -> None:
        damages = [{"note": "Scratch", "amount": damage / 100}] if damage else []
        try:
            take_back(self.shop, self.ref, 1000 + kms, speedings=speedings, damages=damages)
        except ConflictError:
            assert self.model.stage != "out"
            return
        assert self.model.stage == "out"
        charges = {
            "late": self.late(),
            "kilometres": max(0, kms - 200) * 500,
            "speeding": speedings * 10_000,
            "damage": damage,
        }
        self.model.lines += [(kind, paise) for kind, paise in charges.items() if paise]
        if (kept := min(self.model.rent, self.model.held)) > 0:
            self.model.lines.append(("deposit kept", kept))
        self.model.stage = "returned"
        self.settle()

    def late(self) -> int:
        hours = max(0, ceil((self.now - self.trip.return_at - timedelta(minutes=15)) / timedelta(hours=1)))
        return sum(min(5_000 * min(24, hours - day), 2 * DAILY_PAISE) for day in range(0, hours, 24))

    @invariant()
    def the_account_says_what_the_model_says(self) -> None:
        if not hasattr(self, "model"):
            return
        for side in (self.shop.customer, self.shop.vendor):
            trip = seen(side, self.ref)
            assert (trip.status, trip.stage) == (self.model.status, self.model.stage)
            assert [(line.kind, line.amount) for line in trip.ledger] == self.model.lines
            if self.model.status != "pending":
                assert owed(trip) == (self.model.rent, self.model.deposit)

    def teardown(self) -> None:
        """Whatever is left is paid or given back, and then nobody owes anybody anything."""
        if not hasattr(self, "model") or self.model.status == "pending":
            return
        if self.model.stage in ("booked", "out") and self.model.status == "confirmed":
            return
        self.even("rent", self.model.rent)
        self.even("deposit", self.model.deposit)
        trip = seen(self.shop.customer, self.ref)
        assert owed(trip) == (0, 0)
        assert trip.stage != "returned"

    def even(self, of: str, paise: int) -> None:
        if paise:
            pay(self.shop, self.ref, abs(paise), of, "in" if paise > 0 else "out")


@pytest.mark.usefixtures("database")
def test_any_order_of_presses_leaves_an_account_that_adds_up(stopped_clock: Clock) -> None:
    Trips.clock = stopped_clock
    machines.run(Trips, stopped_clock)
