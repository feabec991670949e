"""Searching and opening hours: bare dates, and the nearest window in which vendors are open."""

from datetime import time

from sqlalchemy import update
from sqlmodel import col

from rental_app.domain import clock
from rental_app.infrastructure.db import read, write
from rental_app.models import User
from rental_app.schemas.bookings import BookingRequest
from rental_app.schemas.search import AvailabilityRequest
from rental_app.services.bookings import create
from rental_app.services.search import search
from tests.conftest import Clock
from tests.support.searches import answered, found
from tests.support.shop import VISITOR, Shop, actor, add_user, add_vehicle, moment, search_for, wire


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
    write(create.create, actor(shop.customer), with_early)
    assert found(request) == [shop.vehicle.id, late.id]
    write(
        create.create,
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
    write(create.create, actor(shop.customer), BookingRequest(car=late.id, pickup=today, return_at=tomorrow))


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
