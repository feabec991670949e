"""Searching: what it offers can be booked and what it hides cannot, at any hours, in a bounded number of statements."""

import re
from datetime import time, timedelta
from random import Random
from typing import Any

import pytest
from sqlalchemy import event, update
from sqlmodel import col

from rental_app.domain import clock
from rental_app.domain.errors import ConflictError, InvalidInputError, RentalError
from rental_app.infrastructure.db import engine, read, write
from rental_app.models import User
from rental_app.schemas.bookings import BookingRequest
from rental_app.schemas.search import AvailabilityRequest, ShopRequest
from rental_app.services.bookings import lists, requests
from rental_app.services.earnings import dashboard
from rental_app.services.fleet import own_vehicles
from rental_app.services.pricing import quotes
from rental_app.services.search import listings, search
from rental_app.web.parts.presenters.links import read_query
from tests.conftest import Clock
from tests.support.searches import ALL, answered, found
from tests.support.shop import (
    VISITOR,
    Shop,
    actor,
    add_user,
    add_vehicle,
    add_vehicles,
    moment,
    search_for,
    statements,
    wanted,
    wire,
)


def test_a_booked_vehicle_is_hidden_over_its_window_only(shop: Shop) -> None:
    write(requests.create, actor(shop.customer), wanted(shop.vehicle, days=4, length=2))
    for days, length, free in ((2, 2, True), (6, 1, True), (3, 2, False), (5, 1, False), (2, 9, False)):
        assert bool(found(search_for(shop.place, days, length))) is free, (days, length)


def test_a_lapsed_request_hides_nothing(shop: Shop, stopped_clock: Clock) -> None:
    write(requests.create, actor(shop.customer), wanted(shop.vehicle))
    assert found(search_for(shop.place)) == []
    stopped_clock.move(hours=8)
    assert found(search_for(shop.place)) == [shop.vehicle.id]


def test_a_search_takes_two_statements_however_many_vehicles_once_they_are_known(shop: Shop) -> None:
    for minute in range(5):
        add_vehicle(add_user("Vendor", location_id=shop.place.id, open_time=time(7, minute)))
    add_vehicles(shop.vendor, 294)
    dates = [f"{clock.indian(moment(day)):%Y-%m-%d}" for day in (3, 4)]
    by_date = AvailabilityRequest(location=shop.place.name, pickup=dates[0], return_at=dates[1])
    for request in (search_for(shop.place), by_date):
        found(request)
        # The edition and what is taken.
        with statements() as sent:
            assert len(found(request)) == 300
        assert len(sent) == 2


def test_lists_take_a_bounded_number_of_statements(shop: Shop) -> None:
    def sent_by_all() -> list[int]:
        numbers = []
        for call in (
            lambda session: own_vehicles.of_vendor(session, actor(shop.vendor)),
            lambda session: own_vehicles.assets(session, actor(shop.vendor)),
            lambda session: lists.of_vendor(session, actor(shop.vendor)),
            lambda session: lists.of_customer(session, actor(shop.customer)),
            lambda session: dashboard.of_vendor(session, actor(shop.vendor)),
            lambda session: search.vehicles(session, VISITOR, ShopRequest()),
        ):
            with statements() as sent:
                read(call)
            numbers.append(len(sent))
        return numbers

    before = sent_by_all()
    for days in range(3, 13):
        write(requests.create, actor(shop.customer), wanted(add_vehicle(shop.vendor), days=days))
    assert sent_by_all() == before


@pytest.mark.databases
def test_what_holds_vehicles_is_found_by_the_index_made_for_it(shop: Shop) -> None:
    """The query uses the index: reading all bookings of a vehicle, or all of the index, is slow at a million."""
    asked: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_more: Any) -> None:
        asked.append((statement, parameters))

    event.listen(engine(), "before_cursor_execute", note)
    found(search_for(shop.place))
    event.remove(engine(), "before_cursor_execute", note)
    statement, parameters = next(pair for pair in asked if "NOT (EXISTS" in pair[0])
    with engine().connect() as connection:
        if connection.dialect.name == "sqlite":
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters).all()
            assert "ix_booking_held (vehicle_id=? AND held_until>?" in str(plan)
        else:
            # Otherwise so few rows are scanned sequentially.
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
            plan = connection.exec_driver_sql(f"EXPLAIN {statement}", parameters).all()
            assert re.search(r"ix_booking_held_until.*Index Cond: \(\(vehicle_id = .* AND \(held_until > ", str(plan))


def test_an_impossible_window_is_refused(shop: Shop) -> None:
    request = AvailabilityRequest(location=shop.place.name, pickup=wire(moment(5)), return_at=wire(moment(5, 13)))
    with pytest.raises(InvalidInputError) as refused:
        read(search.answer, VISITOR, request, ALL)
    assert refused.value.code == "too_short"


@pytest.mark.parametrize("name", ["Nowhere", "a\x01b", "x" * 300])
def test_a_locality_that_is_none_is_refused(shop: Shop, name: str) -> None:
    address = {"pickupLocation": name, "pickupDate": wire(moment(3)), "returnDate": wire(moment(4))}
    with pytest.raises(InvalidInputError) as refused:
        read(search.browse, VISITOR, read_query(address.items()))
    assert list(refused.value.fields) == ["location"]


def test_what_is_offered_can_be_booked_and_what_is_hidden_cannot(shop: Shop) -> None:
    """Over random shops and windows, search and booking agree on every vehicle."""
    dice = Random(7)  # noqa: S311 - the same shops every time
    fleet = [shop.vehicle.id]
    for number in range(8):
        hours = {"open_time": time(dice.randint(6, 10)), "close_time": time(dice.randint(17, 23))}
        closed = dice.sample(clock.WEEKDAYS, k=dice.choice([0, 0, 1]))
        vendor = add_user("Vendor", location_id=shop.place.id, closing_days=closed, **hours)
        paper = moment(dice.choice([5, 9, 400])).date()
        fleet.append(add_vehicle(vendor, insurance_expiry_date=paper, is_active=number != 3).id)
    for _ in range(60):
        pickup = moment(dice.randint(0, 9), dice.randint(0, 23)) + timedelta(minutes=dice.choice([0, 30]))
        return_at = pickup + timedelta(hours=dice.choice([24, 24, 30, 48, 72]))
        ends = [wire(pickup), wire(return_at)]
        if dice.random() < 0.3:
            ends = [f"{clock.indian(instant):%Y-%m-%d}" for instant in (pickup, return_at)]
        try:
            offered = found(AvailabilityRequest(location=shop.place.name, pickup=ends[0], return_at=ends[1]))
        except InvalidInputError:
            offered = []
        tried = dice.choice(fleet)
        try:
            write(requests.create, actor(shop.customer), BookingRequest(car=tried, pickup=ends[0], return_at=ends[1]))
            booked = True
        except RentalError:
            booked = False
        assert booked == (tried in offered), (ends, tried, offered)


def test_listings_show_what_can_be_booked(shop: Shop) -> None:
    for changes in ({"is_active": False}, {"is_approved": False}, {"pollution_expiry_date": moment(-1).date()}):
        hidden = add_vehicle(shop.vendor, **changes)
        assert hidden.id not in [car.id for car in read(listings.listed, VISITOR).vehicles]
        with pytest.raises(RentalError):
            read(listings.get_listing, VISITOR, hidden.id or 0)
    assert read(listings.get_listing, VISITOR, shop.vehicle.id or 0).id == shop.vehicle.id
    with pytest.raises(ConflictError):
        read(quotes.quote_for, VISITOR, wanted(hidden))


def change_vendor(vendor: User, **values: object) -> None:
    write(lambda session: session.execute(update(User).where(col(User.id) == vendor.id).values(**values)))


def test_bare_dates_mean_each_vendors_opening_time(shop: Shop) -> None:
    late = add_vehicle(add_user("Vendor", location_id=shop.place.id, open_time=time(12), close_time=time(21)))
    day = [f"{clock.indian(moment(day)):%Y-%m-%d}" for day in (3, 4)]
    request = AvailabilityRequest(location=shop.place.name, pickup=day[0], return_at=day[1])
    assert found(request) == [shop.vehicle.id, late.id]
    # From 11:00 on the return day the early vendor's vehicle is back, the late vendor's only at noon.
    taken = {"pickup": wire(moment(4, 11)), "return_at": wire(moment(5, 12))}
    with_early = BookingRequest(car=shop.vehicle.id, **taken)
    write(requests.create, actor(shop.customer), with_early)
    assert found(request) == [shop.vehicle.id, late.id]
    write(
        requests.create,
        actor(shop.customer),
        BookingRequest(car=late.id, pickup=wire(moment(3, 13)), return_at=wire(moment(5, 13))),
    )
    assert found(request) == [shop.vehicle.id]


def test_a_bare_today_counts_for_those_who_have_not_opened_yet(shop: Shop, stopped_clock: Clock) -> None:
    stopped_clock.instant = moment(1, 10)
    late = add_vehicle(add_user("Vendor", location_id=shop.place.id, open_time=time(14)))
    today, tomorrow = (f"{clock.indian(moment(day)):%Y-%m-%d}" for day in (0, 1))
    request = AvailabilityRequest(location=shop.place.name, pickup=today, return_at=tomorrow)
    assert found(request) == [late.id]
    write(requests.create, actor(shop.customer), BookingRequest(car=late.id, pickup=today, return_at=tomorrow))


def test_opening_hours_alone_lead_to_the_nearest_open_window(shop: Shop) -> None:
    answer = answered(search_for(shop.place, hour=6))
    assert (answer["availableCars"], answer["message"]) == ([], "No cars available")
    nearest = {"pickupDate": wire(moment(3, 9)), "returnDate": wire(moment(4, 9)), "count": 1}
    assert answer["nearestOpen"] == nearest


def test_a_closing_day_leads_to_a_day_that_is_open(shop: Shop) -> None:
    change_vendor(shop.vendor, closing_days=[f"{clock.indian(moment(3)):%A}"])
    nearest = answered(search_for(shop.place))["nearestOpen"]
    assert nearest
    request = AvailabilityRequest(
        location=shop.place.name, pickup=nearest["pickupDate"], return_at=nearest["returnDate"]
    )
    assert len(found(request)) == nearest["count"] == 1
    # In the afternoon the next morning is nearer, and the return waits for the shortest rental to be over.
    after = {"pickupDate": wire(moment(4, 9)), "returnDate": wire(moment(5, 9)), "count": 1}
    assert answered(search_for(shop.place, hour=15))["nearestOpen"] == after


def test_nobody_open_at_all_means_no_suggestion(shop: Shop) -> None:
    change_vendor(shop.vendor, closing_days=list(clock.WEEKDAYS))
    assert answered(search_for(shop.place))["nearestOpen"] is None


def test_a_suggestion_keeps_the_limits(shop: Shop) -> None:
    """If the last possible day is closed, no suggestion makes the rental too long or lets it start too late."""
    change_vendor(shop.vendor, closing_days=[f"{clock.indian(moment(33)):%A}"])
    for days, length in ((3, 30), (88, 1), (89, 1)):
        nearest = read(search.available, VISITOR, search_for(shop.place, days, length, hour=9), hint=True).nearest
        if nearest:
            again = AvailabilityRequest(
                location=shop.place.name, pickup=wire(nearest.pickup), return_at=wire(nearest.return_at)
            )
            assert len(found(again)) == nearest.count
