"""Finding the right vehicle: every filter, order, page and count is checked against a naive reading of the vehicles."""

import json
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from sqlalchemy import text
from sqlmodel import Session

from rental_app.domain.errors import InvalidInputError
from rental_app.domain.ids import id_in
from rental_app.domain.money import to_rupees
from rental_app.infrastructure.db import read, write
from rental_app.models import PriceRule
from rental_app.schemas.bookings import BookingRequest
from rental_app.schemas.search import AvailabilityRequest, PageRequest, PageSearch, ShopRequest
from rental_app.services import vendors
from rental_app.services.bookings import requests
from rental_app.services.search import search
from rental_app.web.screens.vehicles import presenter
from tests.support.plain_search import a_query, fits, kilometres, listings, order_of, quoted
from tests.support.shop import (
    VISITOR,
    Shop,
    actor,
    add_place,
    add_user,
    add_vehicle,
    moment,
    put,
    wanted,
    wire,
)


def dates(days: int, hours: int) -> dict[str, str]:
    """Return a window that starts at ten in the morning."""
    return {"pickup": wire(moment(days)), "return_at": wire(moment(days + hours // 24, 10 + hours % 24))}


def told(service: Callable[..., bytes], *asked: object) -> dict[str, Any]:
    """Return a search's response as it is sent."""
    said: dict[str, Any] = json.loads(read(service, VISITOR, *asked))
    return said


@pytest.fixture
def busy_shop(shop: Shop) -> Shop:
    """The demo shop with price rules, reviews, and bookings on the days that are searched for."""
    write(_rate)
    for vehicle_id in range(1, 40, 3):
        vendor_id = read(shop_vendor, vehicle_id)
        put(PriceRule(vendor_id=vendor_id, vehicle_id=vehicle_id, weekday=moment(4).weekday(), percent=35))
        put(PriceRule(vendor_id=vendor_id, first_day=moment(5).date(), last_day=moment(6).date(), percent=-20))
    for days in (3, 4, 6):
        write(requests.create, actor(shop.customer), wanted(add_vehicle(shop.vendor, 40_000 + days), days))
    return shop


def shop_vendor(session: Session, vehicle_id: int) -> int:
    return int(session.execute(text("SELECT vendor_id FROM vehicle WHERE id = :car"), {"car": vehicle_id}).scalar_one())


def _rate(session: Session) -> None:
    session.execute(text("UPDATE vehicle SET reviews = 2, stars_total = 2 + id % 9 WHERE id % 4 = 0"))
    session.execute(text("""UPDATE "user" SET reviews = 3, stars_total = 3 + id % 13 WHERE id % 2 = 0"""))


@pytest.mark.parametrize(
    "window",
    [{}, dates(3, 24), pytest.param(dates(4, 84), marks=pytest.mark.databases), dates(5, 240)],
    ids=["no dates", "1", "3.5", "10"],
)
def test_what_is_found_is_what_fits_in_order_at_the_price_of_the_quote(busy_shop: Shop, window: dict[str, str]) -> None:
    cars, dice = listings(), Random(7)  # noqa: S311 - the same queries every time
    price = quoted(window) if window else {car.id: int(car.daily_paise) for car in cars}
    plans = {view["id"]: view["prices"] for view in told(search.vehicles, ShopRequest())["vehicles"]}
    unlimited = {number: all(not plan["kms_limit"] for plan in mine) for number, mine in plans.items()}
    assert price
    for number in range(60):
        filters = a_query(dice, cars)
        origin = filters.get("near") or filters.get("location", "")
        sort = dice.choice(["", "price", "-price", "rating", "newest", *(["distance"] if origin else [])])
        asked = ShopRequest(**filters, **window, sort=sort)
        km = kilometres(origin)
        expected = [car for car in cars if car.id in price and fits(car, asked, price[car.id], unlimited[car.id], km)]
        expected.sort(key=order_of(asked.order, price, km))
        found = told(search.vehicles, asked)["vehicles"]
        assert [view["id"] for view in found] == [car.id for car in expected], (number, filters, sort)
        if window:
            assert [view["total"] for view in found] == [to_rupees(price[car.id]) for car in expected]
        if origin:
            assert [view["distanceKm"] for view in found] == [round(km[car.service_location], 1) for car in expected]


@pytest.mark.long
@pytest.mark.parametrize("sort", ["", "price", "-price", "rating", "newest", "distance"])
def test_pages_hold_everything_once_while_bookings_come_and_go(busy_shop: Shop, sort: str) -> None:
    request = AvailabilityRequest(near="Madhapur", sort=sort, **dates(8, 24))
    before = [view["id"] for view in told(search.answer, request)["availableCars"]]
    seen: list[int] = []
    gone: list[int] = []
    cursor: str | None = ""
    while cursor is not None:
        page = told(search.answer, request, PageRequest(limit=9, cursor=cursor))
        assert page["total"] == len(before) - len(gone)
        seen += [view["id"] for view in page["availableCars"]]
        cursor = page["next_cursor"]
        # Others book one vehicle that was already listed and one that is still to come.
        for taken in (seen[-1], next((each for each in reversed(before) if each not in seen), 0)):
            if cursor and taken and taken not in gone:
                write(requests.create, actor(busy_shop.customer), BookingRequest(car=taken, **dates(8, 24)))
                gone.append(taken)
    assert len(seen) == len(set(seen))
    assert seen == [each for each in before if each in seen]
    assert set(before) - set(gone) <= set(seen)


def test_a_cursor_goes_on_in_its_own_search_only(shop: Shop) -> None:
    request = ShopRequest(sort="price", limit=5)
    cursor = told(search.vehicles, request)["next_cursor"]
    assert cursor
    again = request.model_copy(update={"cursor": cursor, "limit": 3})
    assert len(told(search.vehicles, again)["vehicles"]) == 3
    for other in ({"sort": "newest"}, {"types": ("Car",)}, {"cursor": cursor[:-2]}, {"cursor": "12"}, {"cursor": "é"}):
        with pytest.raises(InvalidInputError) as refused:
            read(search.vehicles, VISITOR, again.model_copy(update=other))
        assert list(refused.value.fields) == ["cursor"]


def test_facets_say_what_each_choice_would_give(busy_shop: Shop) -> None:
    asked: dict[str, Any] = {"types": ("Scooter",), "transmission": "Automatic", "max_price": 4_000, **dates(4, 48)}
    asked |= {"rating": 3.5}
    facets = told(search.answer, ShopRequest(**asked, facets=True), PageRequest(limit=1))["facets"]
    assert facets
    for name, choices in facets.items():
        assert choices, name
        for choice in choices:
            chosen = asked | ({"types": (choice["value"],)} if name == "type" else {name: choice["value"]})
            found = told(search.answer, ShopRequest(**chosen, sort="price"))["availableCars"]
            assert choice["count"] == len(found), choice
            assert choice["fromPrice"] == (found[0]["total"] if found else None)


def test_the_sheet_says_how_many_every_choice_would_give(busy_shop: Shop) -> None:
    query = PageSearch(types=("Scooter",), rating=3.5, model="Thar", **dates(4, 48))
    shown = read(presenter.results, VISITOR, query).filters
    for name, choices in (
        ("transmission", shown.transmissions),
        ("fuel", shown.fuels),
        ("seats", shown.seats),
        ("rating", shown.ratings),
    ):
        assert choices, name
        for choice in choices:
            assert choice.label.endswith(f"({_found(query, name, choice.value)})") or choice.value == "3.5", choice
    assert [choice.value for choice in shown.ratings] == ["3", "3.5", "4", "4.5"]
    assert {choice.label for choice in shown.models if choice.value != "Thar"} == {
        f"{name} ({count})" for name, count in _models(query).items()
    }
    assert "Thar" in [choice.label for choice in shown.models]
    assert shown.delivery == f"Deliver to me ({_found(query, 'delivery', True)})"
    assert shown.unlimited == f"Unlimited kilometres ({_found(query, 'unlimited', True)})"


def _found(query: PageSearch, name: str, value: object) -> int:
    asked = query.model_dump(exclude={"faults", "page", "view"}) | {name: value}
    return len(told(search.answer, AvailabilityRequest(**asked))["availableCars"])


def _models(query: PageSearch) -> dict[str, int]:
    asked = AvailabilityRequest(**query.model_dump(exclude={"faults", "page", "view"}) | {"model": ""})
    return Counter(view["asset_model"]["name"] for view in told(search.answer, asked)["availableCars"])


def test_where_nothing_fits_each_filter_that_is_to_blame_is_named(shop: Shop) -> None:
    query = PageSearch(location="Testpur", types=("Car",), max_price=100_000, **dates(4, 48))
    found = read(search.browse, VISITOR, query)
    assert (found.total, set(found.without)) == (0, {"types", "location"})
    assert found.without["types"] == 1


@pytest.mark.parametrize(
    ("asked", "title", "hint"),
    [
        (dates(4, 48), "No cars available", "Try other dates or another location"),
        ({"text": "activa", **dates(4, 48)}, "No cars available", "Try other dates or another location"),
        ({"text": "zeppelin"}, "No vehicle matches that filter", "Try fewer words"),
        ({"seats": 12, **dates(4, 48)}, "No cars available", "No vehicle has everything you chose"),
        ({"seats": 12}, "No vehicles found", "No vehicle has everything you chose"),
        ({"location": "Emptypur", **dates(4, 48)}, "No cars available", "No vehicle here can be booked"),
    ],
)
def test_what_is_said_of_nothing_is_true(shop: Shop, asked: dict[str, Any], title: str, hint: str) -> None:
    add_place("Emptypur")
    write(requests.create, actor(shop.customer), wanted(shop.vehicle, 4))
    shown = read(presenter.results, VISITOR, PageSearch(**{"location": "Testpur"} | asked))
    assert (shown.total, shown.any_listed, shown.nothing_title) == (0, True, title)
    assert shown.nothing_text.startswith(hint)


@pytest.mark.usefixtures("database")
def test_an_unknown_choice_is_refused_by_name() -> None:
    for name, value in (("types", ("Boat",)), ("fuel", "Coal"), ("transmission", "Magic"), ("near", "Atlantis")):
        with pytest.raises(InvalidInputError) as refused:
            read(search.vehicles, VISITOR, ShopRequest(**{name: value}))
        assert list(refused.value.fields) == ["type" if name == "types" else name]


def test_the_vendors_with_a_page_are_those_with_a_vehicle_to_rent(shop: Shop) -> None:
    listed = read(vendors.slugs, VISITOR)
    without_price, expired = (add_user("Vendor", location_id=shop.place.id) for _ in range(2))
    add_vehicle(without_price, None)
    add_vehicle(expired, insurance_expiry_date=moment(-1).date())
    add_vehicle(shop.vendor)
    assert [id_in(slug) for slug in listed].count(shop.vendor.id or 0) == 1
    assert read(vendors.slugs, VISITOR) == listed
