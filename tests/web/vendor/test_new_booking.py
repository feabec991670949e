"""The page on which a vendor books for somebody at the counter."""

import asyncio
from typing import Any

import pytest

from rental_app.infrastructure.db import read
from rental_app.models import Booking
from rental_app.web.parts.presenters.links import wall_text
from rental_app.web.vendor.new_booking.state import NewBookingState
from tests.conftest import Clock
from tests.support.booking_steps import book
from tests.support.page_states import page_of
from tests.support.shop import DAILY_PAISE, Shop, add_user, add_vehicle, count, moment, wanted
from tests.support.state_tabs import journey, loaded, told
from tests.support.trips import walk_in_broken_down

GUEST = {"name": "Suresh Babu", "phone": "9000020288", "total": "500"}


async def opened(shop: Shop, query: str = "") -> NewBookingState:
    page = await loaded(page_of(shop.vendor, NewBookingState, f"/vendor/new-booking{query}"))
    return page


@journey
async def test_what_is_free_now_is_booked_for_a_day(shop: Shop, stopped_clock: Clock) -> None:
    other = add_vehicle(shop.vendor, daily=2 * DAILY_PAISE)
    page = await opened(shop)
    assert (page.pickup, page.return_at) == (wall_text(moment(0, 11)), wall_text(moment(1, 11)))
    assert [one.id for one in page.listed.vehicles] == [shop.vehicle.id, other.id]
    await told(page.search(other.rc_number.lower()))
    assert [one.id for one in page.listed.vehicles] == [other.id]
    await told(page.choose(shop.vehicle.id or 0))
    assert (page.price.total, page.total, page.price.deposit) == ("₹500", "500", "₹2,000")
    said = " ".join(await told(page.book(GUEST)))
    assert "/vendor/bookings/PH-" in said
    made = read(lambda session: session.get_one(Booking, count("booking")))
    assert (made.source, made.price_paise) == ("counter", DAILY_PAISE)


def test_a_load_that_was_cut_off_takes_the_whole_address_the_next_time(
    shop: Shop, stopped_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def cut_off(*_: Any, **__: Any) -> None:
        raise asyncio.CancelledError

    @journey
    async def visit() -> None:
        asked = f"/vendor/new-booking?vehicle={shop.vehicle.id}&extras=helmet"
        page = await page_of(shop.vendor, NewBookingState, asked)
        with monkeypatch.context() as left:
            left.setattr(NewBookingState, "_look", cut_off)
            with pytest.raises(asyncio.CancelledError):
                await told(page.load())
        await told(page.load())
        assert (page.vehicle.id, page.extras) == (shop.vehicle.id, ["helmet"])

    visit()


@journey
async def test_another_total_asks_why(shop: Shop, stopped_clock: Clock) -> None:
    page = await opened(shop)
    await told(page.choose(shop.vehicle.id or 0))
    await told(page.type_total("420"))
    assert page.asks_why == "Why ₹80 less"
    before = count("booking")
    await told(page.book(GUEST | {"total": "420"}))
    assert list(page.errors) == ["reason"]
    assert count("booking") == before
    await told(page.book(GUEST | {"total": "420", "reason": "Other", "other": "A friend"}))
    assert count("booking") == before + 1


@journey
async def test_the_button_says_only_money_that_can_be_read(shop: Shop, stopped_clock: Clock) -> None:
    page = await opened(shop)
    await told(page.choose(shop.vehicle.id or 0))
    assert page.costs == " for ₹500"
    said = {"420": " for ₹420", "₹ 1,420.5": " for ₹1,420.50", "1e3": "", "-5": "", "0": "", "12.5.6": "", "": ""}
    for typed, costs in said.items():
        await told(page.type_total(typed))
        assert page.costs == costs, typed
    await told(page.choose(0))
    assert page.costs == ""


@journey
async def test_a_vehicle_taken_meanwhile_says_so_and_all_else_stays(shop: Shop, stopped_clock: Clock) -> None:
    page = await opened(shop, f"?vehicle={shop.vehicle.id}&day={moment(3):%Y-%m-%d}")
    assert (page.vehicle.id, page.pickup[:10]) == (shop.vehicle.id, f"{moment(3):%Y-%m-%d}")
    await told(page.choose_length("36"))
    book(shop.customer, wanted(shop.vehicle, days=3))
    said = " ".join(await told(page.book(GUEST | {"total": ""})))
    assert "just booked" in said
    assert page.vehicle.taken
    assert "taken until" in page.errors["vehicle"]
    assert page.length == "36"


@journey
async def test_what_is_missing_is_said_beside_its_field(shop: Shop, stopped_clock: Clock) -> None:
    page = await opened(shop)
    led, refused = await told(page.book({"phone": "+1 202 555 0143"}))
    # In the order of the page, whose first gets the focus; the toast only counts them.
    assert list(page.errors) == ["vehicle", "phone", "name"]
    assert ("vehicle" in led, "phone" in led, "Please check 3 fields" in refused) == (True, False, True)


@journey
async def test_a_page_without_a_vehicle_to_book_says_so(shop: Shop, stopped_clock: Clock) -> None:
    assert not (await opened(shop)).has_none
    newcomer = await loaded(page_of(add_user("Vendor"), NewBookingState, "/vendor/new-booking"))
    assert newcomer.has_none
    # Of times that cannot be rented nothing is known.
    await told(newcomer.choose_return(newcomer.pickup))
    assert (list(newcomer.errors), newcomer.has_none) == (["returnDate"], False)


@journey
async def test_a_trip_that_broke_down_goes_on_for_its_customer(stopped_clock: Clock, shop: Shop) -> None:
    ref = walk_in_broken_down(shop)
    spare = add_vehicle(shop.vendor)
    page = await opened(shop, f"?continues={ref}")
    assert "Suresh Babu" in page.continued.text
    assert page.return_at == wall_text(moment(2))
    await told(page.choose(spare.id or 0))
    said = " ".join(await told(page.book({"note": "The gearbox"})))
    assert "/vendor/bookings/PH-" in said
    made = read(lambda session: session.get_one(Booking, count("booking")))
    assert (made.price_paise, made.follows_id) == (0, count("booking") - 1)
    again = await opened(shop, f"?continues={ref}")
    assert "continues this one" in again.problem


@journey
async def test_a_typed_total_stays_as_long_as_the_computed_one(shop: Shop, stopped_clock: Clock) -> None:
    page = await opened(shop)
    await told(page.choose(shop.vehicle.id or 0))
    await told(page.type_total("420"))
    await told(page.choose_return(wall_text(moment(1, 10))))
    assert (page.total, page.costs, page.asks_why) == ("420", " for ₹420", "Why ₹80 less")
    await told(page.choose_length("36"))
    assert (page.total, page.costs, page.asks_why) == ("1000", " for ₹1,000", "")


@journey
async def test_what_is_chosen_is_in_the_address_and_read_from_it(shop: Shop, stopped_clock: Clock) -> None:
    other = add_vehicle(shop.vendor)
    page = await opened(shop, f"?vehicle={shop.vehicle.id}")
    await told(page.choose_pickup(wall_text(moment(3))))
    await told(page.choose_length("36"))
    await told(page.choose(other.id or 0))
    said = " ".join(await told(page.toggle_extra("helmet")))
    assert page.asked_url.partition("?")[2] in said
    # A server that has restarted, another one, a reload.
    again = await opened(shop, f"?{page.asked_url.partition('?')[2]}")
    chosen = page.pickup, page.return_at, page.length, page.vehicle, page.extras, page.total
    assert chosen == (again.pickup, again.return_at, again.length, again.vehicle, again.extras, again.total)
    assert (again.vehicle.id, again.length, again.extras) == (other.id, "36", ["helmet"])


@journey
async def test_a_window_in_the_address_that_has_passed_is_not_taken(shop: Shop, stopped_clock: Clock) -> None:
    for end in (wall_text(moment(-1)), wall_text(moment(0, 9)), "x", "\x00", "9999-12-31T23:59+99:00"):
        page = await opened(shop, f"?day={wall_text(moment(-2))}&until={end}")
        assert (page.pickup, page.return_at) == (wall_text(moment(0, 11)), wall_text(moment(1, 11))), end


@journey
async def test_a_walk_in_of_days_ago_asks_why_it_is_noted_only_now(shop: Shop, stopped_clock: Clock) -> None:
    page = await opened(shop, f"?vehicle={shop.vehicle.id}")
    await told(page.choose_pickup(wall_text(moment(0, 0))))
    assert (page.asks_late, page.errors) == ("", {})
    await told(page.choose_pickup(wall_text(moment(-3))))
    assert "12 hours ago" in page.asks_late
    # A restarted server knows nothing but the address.
    page = await opened(shop, f"?{page.asked_url.partition('?')[2]}")
    assert page.pickup == wall_text(moment(-3))
    before = count("booking")
    assert "lateReason" in " ".join(await told(page.book(GUEST)))
    assert (list(page.errors), count("booking")) == (["lateReason"], before)
    await told(page.book(GUEST | {"lateReason": "The phone was flat"}))
    assert count("booking") == before + 1
