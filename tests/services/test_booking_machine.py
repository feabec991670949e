"""Booking, deciding, lapsing and switching in any order, against a model of a few lines."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, multiple, rule

from rental_app.db import read, write
from rental_app.errors import ConflictError
from rental_app.rules import clock
from rental_app.schemas.bookings import BookingRequest, StatusChange
from rental_app.seed.tables import row_id
from rental_app.services import bookings, search, vehicles
from tests.conftest import Clock
from tests.helpers import ALL_DAY, VISITOR, actor, add_vehicle, open_shop, search_for, wire
from tests.services import machines

DAYS = st.integers(1, 5)


@dataclass
class Expected:
    """What the model knows of a booking."""

    vehicle: int
    pickup: datetime
    return_at: datetime
    answer_by: datetime
    status: str = "pending"


class Bookings(RuleBasedStateMachine):
    """Two vehicles, one vendor, one customer, and a clock that only these rules move."""

    made = Bundle("made")
    names = iter(range(10**9))
    clock: Clock

    def __init__(self) -> None:
        super().__init__()
        self.shop = open_shop(f"Machine{next(self.names)}", **ALL_DAY)
        self.vehicles = [self.shop.vehicle, add_vehicle(self.shop.vendor)]
        self.active = {row_id(vehicle): True for vehicle in self.vehicles}
        self.model: dict[int, Expected] = {}
        self.start = clock.default_pickup(clock.now())

    def held(self, vehicle: int | None, pickup: datetime, return_at: datetime) -> bool:
        return any(
            one.vehicle == vehicle and one.pickup < return_at and pickup < one.return_at
            for one in self.model.values()
            if one.status in ("pending", "confirmed")
        )

    def lapse(self) -> None:
        for one in self.model.values():
            if one.status == "pending" and one.answer_by <= clock.now():
                one.status = "cancelled"

    def pickup(self, day: int) -> datetime:
        base = max(self.start, clock.default_pickup(clock.now()))
        whole = clock.indian(base + timedelta(days=day)).replace(hour=10, minute=0)
        return whole.astimezone(base.tzinfo)

    @rule(target=made, which=st.integers(0, 1), day=DAYS, length=st.integers(1, 3))
    def book(self, which: int, day: int, length: int) -> Any:
        vehicle, pickup = self.vehicles[which], self.pickup(day)
        return_at = pickup + timedelta(days=length)
        free = self.active[row_id(vehicle)] and not self.held(vehicle.id, pickup, return_at)
        request = BookingRequest(car=vehicle.id, pickup=wire(pickup), return_at=wire(return_at))
        try:
            view = write(bookings.create, actor(self.shop.customer), request)
        except ConflictError:
            assert not free
            return multiple()
        assert free
        self.model[view.id] = Expected(vehicle.id or 0, pickup, return_at, view.answer_by)
        return view.id

    @rule(booking=made, status=st.sampled_from(["pending", "confirmed", "cancelled"]))
    def decide(self, booking: int, status: Any) -> None:
        change = StatusChange(booking_id=booking, status=status)
        undecided = self.model[booking].status == "pending"
        try:
            write(bookings.change_status, actor(self.shop.vendor), change)
        except ConflictError:
            assert not undecided
            return
        assert undecided
        self.model[booking].status = status

    @rule(hours=st.sampled_from([1, 7, 8, 30]))
    def wait(self, hours: int) -> None:
        self.clock.move(hours=hours)
        self.lapse()

    @rule()
    def sweep(self) -> None:
        write(bookings.expire_stale, clock.now())

    @rule(which=st.integers(0, 1))
    def switch(self, which: int) -> None:
        vehicle = row_id(self.vehicles[which])
        write(vehicles.toggle, actor(self.shop.vendor), vehicle)
        self.active[vehicle] = not self.active[vehicle]

    @invariant()
    def lists_agree(self) -> None:
        expected = {number: one.status for number, one in self.model.items()}
        for part in (
            read(bookings.of_customer, actor(self.shop.customer)),
            read(bookings.of_vendor, actor(self.shop.vendor)),
        ):
            assert {view.id: view.status for view in part.items} == expected

    @rule(day=DAYS, length=st.integers(1, 3))
    def search_agrees(self, day: int, length: int) -> None:
        pickup = self.pickup(day)
        return_at = pickup + timedelta(days=length)
        request = search_for(self.shop.place).model_copy(update={"pickup": wire(pickup), "return_at": wire(return_at)})
        found = {row.id for row in read(search.available, VISITOR, request).vehicles}
        free = {v.id for v in self.vehicles if self.active[row_id(v)] and not self.held(v.id, pickup, return_at)}
        assert found == free


@pytest.mark.usefixtures("database")
def test_any_order_of_events_agrees_with_the_model(stopped_clock: Clock, tmp_path: Path) -> None:
    Bookings.clock = stopped_clock
    machines.run(Bookings, stopped_clock)
