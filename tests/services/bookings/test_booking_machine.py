"""Booking, deciding, lapsing, extending, blocking and switching in any order agree with a model of a few lines."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, multiple, precondition, rule

from rental_app.domain import clock
from rental_app.domain.errors import ConflictError
from rental_app.domain.policies import FIRST
from rental_app.infrastructure.db import read, write
from rental_app.schemas.bookings import BookingRequest, StatusChange
from rental_app.schemas.calendars import BlockRequest, BufferRequest
from rental_app.schemas.trips import ExtendRequest
from rental_app.seed.tables import row_id
from rental_app.services.bookings import lists, requests
from rental_app.services.calendar import blocks
from rental_app.services.fleet import vehicles
from rental_app.services.search import search
from rental_app.services.trips import changes
from tests.conftest import Clock
from tests.support import machines
from tests.support.shop import ALL_DAY, VISITOR, actor, add_vehicle, open_shop, search_for, wire

DAYS = st.integers(1, 5)


@dataclass
class Expected:
    """What the model knows about a booking."""

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
        self.blocks: dict[int, tuple[int, datetime, datetime]] = {}
        self.buffer = timedelta()
        self.start = clock.default_pickup(clock.now())

    def standing(self, vehicle: int | None, besides: Expected | None = None) -> list[Expected]:
        mine = [one for one in self.model.values() if one.vehicle == vehicle and one is not besides]
        return [one for one in mine if one.status in ("pending", "confirmed")]

    def blocked(self, vehicle: int | None, begin: datetime, end: datetime) -> bool:
        return any(whose == vehicle and first < end and begin < last for whose, first, last in self.blocks.values())

    def held(self, vehicle: int | None, pickup: datetime, return_at: datetime, besides: Expected | None = None) -> bool:
        near = [
            one
            for one in self.standing(vehicle, besides)
            if one.pickup - self.buffer < return_at and pickup < one.return_at + self.buffer
        ]
        return bool(near) or self.blocked(vehicle, pickup, return_at)

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
            view = write(requests.create, actor(self.shop.customer), request)
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
            write(requests.change_status, actor(self.shop.vendor), change)
        except ConflictError:
            assert not undecided
            return
        assert undecided
        self.model[booking].status = status

    @rule(booking=made, hours=st.sampled_from([1, 5, 24, 30]))
    def extend(self, booking: int, hours: int) -> None:
        one = self.model[booking]
        later = one.return_at + timedelta(hours=hours)
        if one.status != "confirmed" or later - one.pickup > clock.MAX_LENGTH:
            return
        free = not self.held(one.vehicle, one.return_at, later, besides=one)
        free = free and clock.now() <= clock.extendable_until(one.return_at, FIRST)
        try:
            write(changes.extend, actor(self.shop.customer), str(booking), ExtendRequest(return_at=wire(later)))
        except ConflictError:
            assert not free
            return
        assert free
        one.return_at = later

    @rule(which=st.integers(0, 1), day=DAYS, hours=st.sampled_from([3, 20, 24, 50]))
    def block(self, which: int, day: int, hours: int) -> None:
        vehicle, begin = self.vehicles[which].id or 0, self.pickup(day)
        end = begin + timedelta(hours=hours)
        booked = any(one.pickup < end and begin < one.return_at for one in self.standing(vehicle))
        wish = BlockRequest(vehicle=vehicle, begin=wire(begin), end=wire(end), reason="service")
        try:
            made = write(blocks.add, actor(self.shop.vendor), wish)
        except ConflictError:
            assert booked or self.blocked(vehicle, begin, end)
            return
        assert not booked
        assert not self.blocked(vehicle, begin, end)
        self.blocks[made.id] = vehicle, begin, end

    @precondition(lambda self: self.blocks)
    @rule()
    def unblock(self) -> None:
        block = next(iter(self.blocks))
        write(blocks.remove, actor(self.shop.vendor), block)
        del self.blocks[block]

    @rule(hours=st.sampled_from([0, 3, 12]))
    def keep_apart(self, hours: int) -> None:
        write(blocks.set_buffer, actor(self.shop.vendor), BufferRequest(hours=hours))
        self.buffer = timedelta(hours=hours)

    @rule(hours=st.sampled_from([1, 7, 8, 30]))
    def wait(self, hours: int) -> None:
        self.clock.move(hours=hours)
        self.lapse()

    @rule()
    def sweep(self) -> None:
        write(requests.expire_stale, clock.now())

    @rule(which=st.integers(0, 1))
    def switch(self, which: int) -> None:
        vehicle = row_id(self.vehicles[which])
        write(vehicles.toggle, actor(self.shop.vendor), vehicle)
        self.active[vehicle] = not self.active[vehicle]

    @invariant()
    def lists_agree(self) -> None:
        expected = {number: one.status for number, one in self.model.items()}
        for part in (
            read(lists.of_customer, actor(self.shop.customer)),
            read(lists.of_vendor, actor(self.shop.vendor)),
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


@pytest.mark.long
@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("examples", [4, pytest.param(machines.EXAMPLES, marks=pytest.mark.long)])
def test_any_order_of_events_agrees_with_the_model(stopped_clock: Clock, examples: int) -> None:
    Bookings.clock = stopped_clock
    machines.run(Bookings, stopped_clock, examples)
