"""Customers' actions behind the pages: each success, each refusal as a toast, and no flag left busy."""

from datetime import timedelta

import pytest

from rental_app.infrastructure.db import read, write
from rental_app.models import Booking
from rental_app.services.trips import cancellations, detail
from rental_app.web.parts.presenters.links import wall_text
from rental_app.web.screens.my_bookings.state import MyBookingsState
from rental_app.web.screens.vehicle_details.state import DetailState
from tests.conftest import Clock
from tests.support.booking_steps import alter, book, decide
from tests.support.failures import away
from tests.support.page_states import page_of, press, review, send, vehicle_page
from tests.support.shop import Shop, actor, count, moment, wanted
from tests.support.state_tabs import answers, journey, loaded, tab_of


@journey
async def test_booking_a_vehicle(shop: Shop) -> None:
    before = count("booking")
    page = await vehicle_page(shop, shop.customer)
    assert page.price.total == "₹500"
    last = await review(page)
    assert count("booking") == before
    told = await answers(send(last))
    assert "Booking requested" in told
    assert "/my-bookings/PH-" in told
    # The second of two quick clicks, before the page is left.
    assert await answers(send(last)) == ""
    assert count("booking") == before + 1
    await answers(last.load())
    assert (last.busy, last.requested_href[:16]) == (False, "/my-bookings/PH-")
    mine = await page.get_state(MyBookingsState)
    await answers(mine.load())
    assert [(card.status, card.price) for card in mine.bookings] == [("pending", "₹500")]
    assert mine.bookings[0].is_new
    assert not mine.loading


@journey
async def test_bookings_that_cannot_be_loaded_are_not_said_to_be_none(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = await tab_of(shop.customer, MyBookingsState)
    with monkeypatch.context() as broken:
        broken.setattr("rental_app.services.bookings.lists.cards_of_customer", away)
        assert "The service is busy" in await answers(mine.load())
    assert (mine.problem, mine.loading) == ("The service is busy", False)
    await answers(mine.load())
    assert mine.problem == ""


@journey
async def test_a_rental_that_is_over_is_not_said_to_be_picked_up(shop: Shop) -> None:
    await press(await vehicle_page(shop, shop.customer))
    mine = await loaded(tab_of(shop.customer, MyBookingsState))
    booking = mine.bookings[0].id
    for days, said in ((3, "Pickup "), (-2, "Over")):
        alter(Booking, booking, status="confirmed", pickup_at=moment(days - 1), return_at=moment(days))
        await answers(mine.load())
        assert mine.bookings[0].stage.startswith(said)


@journey
async def test_it_is_known_how_many_bookings_are_past_and_how_many_to_come(shop: Shop) -> None:
    book(shop.customer, wanted(shop.vehicle, 4))
    over = book(shop.customer, wanted(shop.vehicle, 8))
    decide(shop.vendor, over.id, "cancelled")
    mine = await loaded(tab_of(shop.customer, MyBookingsState))
    assert (mine.total, mine.ahead) == (2, 1)


@journey
async def test_the_window_on_show_is_reviewed_after_the_server_has_lost_it(shop: Shop) -> None:
    seen = await vehicle_page(shop, shop.customer, 4, 6)
    anew = await loaded(page_of(shop.customer, DetailState, f"/vehicle-details/{shop.vehicle.id}"))
    assert "/review" in await answers(anew.book(seen.pickup, seen.return_at))
    assert (anew.pickup, anew.return_at) == (seen.pickup, seen.return_at)


@journey
async def test_a_window_chosen_a_moment_ago_is_not_changed_back_by_the_press(shop: Shop) -> None:
    page = await vehicle_page(shop, shop.customer, 4, 5)
    shown = page.pickup, page.return_at
    await answers(page.choose_return(wall_text(moment(6))))
    assert "/review" in await answers(page.book(*shown))
    assert page.return_at == wall_text(moment(6))


@journey
async def test_nothing_is_booked_before_its_price_was_on_show(shop: Shop) -> None:
    before = count("booking")
    page = await review(await vehicle_page(shop, shop.customer))
    page.price = None
    assert "Please check it and press again" in await answers(page.send())
    assert page.price
    assert page.price.total == "₹500"
    assert count("booking") == before


@pytest.mark.parametrize("end", ["declined", "no show"])
@journey
async def test_nothing_is_said_to_be_due_at_a_pickup_that_does_not_take_place(
    shop: Shop, stopped_clock: Clock, end: str
) -> None:
    asked = book(shop.customer, wanted(shop.vehicle, 4))
    mine = await loaded(tab_of(shop.customer, MyBookingsState))
    assert (mine.bookings[0].look, mine.bookings[0].action) == ("waiting", "View")
    if end == "declined":
        decide(shop.vendor, asked.id, "cancelled")
    else:
        decide(shop.vendor, asked.id, "confirmed")
        stopped_clock.instant = asked.pickup + timedelta(hours=3)
        write(cancellations.mark_no_show, actor(shop.vendor), asked.reference)
    await answers(mine.load())
    said = ("Declined by the vendor", "See others") if end == "declined" else ("No-show", "View")
    assert (mine.bookings[0].stage, mine.bookings[0].action) == said
    assert (read(detail.own, actor(shop.customer), asked.reference)).due_at_pickup == 0


@pytest.mark.parametrize(("pickup", "told"), [(-2, "Pickup is in the past"), (95, "at most 90 days ahead")])
@journey
async def test_an_impossible_window_is_explained_in_place_of_the_price(shop: Shop, pickup: int, told: str) -> None:
    page = await vehicle_page(shop, shop.customer, pickup, pickup + 1)
    assert page.price is None
    assert told in page.refusal
    assert told in await press(page)


@journey
async def test_a_visitor_is_told_about_the_dates_before_the_login(shop: Shop) -> None:
    page = await loaded(page_of(None, DetailState, f"/vehicle-details/{shop.vehicle.id}"))
    told = await answers(page.book())
    assert "Please select Pickup and Return date/time" in told
    assert '"name": "login"' not in told
    page = await vehicle_page(shop, None, 3, 63)
    told = await press(page)
    assert "The longest rental is 30 days" in told
    assert '"name": "login"' not in told


@journey
async def test_an_unknown_vehicle_is_missing(database: str) -> None:
    for path in ("/vehicle-details/999999", "/vehicle-details/abc", "/vehicle-details/-1"):
        page = await loaded(page_of(None, DetailState, path))
        assert page.missing
        assert await answers(page.book()) == ""


@journey
async def test_a_row_says_how_far_a_booking_is_and_offers_what_fits(shop: Shop, stopped_clock: Clock) -> None:
    asked = book(shop.customer, wanted(shop.vehicle, 4))
    mine = await loaded(tab_of(shop.customer, MyBookingsState))
    assert mine.bookings[0].stage.startswith("Waiting until ")
    decide(shop.vendor, asked.id, "confirmed")
    alter(Booking, asked.id, stage="out")
    stopped_clock.instant = asked.pickup + timedelta(hours=1)
    await answers(mine.load())
    row = mine.bookings[0]
    assert (row.stage.startswith("On the road, return "), row.action, row.urgent) == (True, "Call", False)
    assert row.action_href.startswith("tel:")
    stopped_clock.instant = asked.return_at - timedelta(hours=1)
    await answers(mine.load())
    assert mine.bookings[0].urgent, "the return is today"
    stopped_clock.instant = asked.return_at + timedelta(hours=1)
    await answers(mine.load())
    assert mine.bookings[0].urgent
    assert (mine.bookings[0].look, mine.bookings[0].stage.startswith("Late, ")) == ("late", True)
