"""What changes between the review and the press: nothing is booked unseen, and nothing that was chosen is lost."""

import pytest
from sqlalchemy import func, select
from sqlmodel import col

from rental_app.infrastructure.db import read
from rental_app.models import Booking, User
from rental_app.schemas.bookings import BookingView
from rental_app.web.screens.booking_review.presenter import OWN
from rental_app.web.screens.booking_review.state import ReviewState
from rental_app.web.session.base import SessionState
from tests.support.booking_steps import alter, ask, book, status_of
from tests.support.page_states import opened, page_of, review, send, vehicle_page
from tests.support.shop import Shop, add_user, add_vehicle, moment, token_of, wanted, wire
from tests.support.state_tabs import answers, journey


def address_of(shop: Shop, **more: str) -> str:
    """The address of a review of the shop's vehicle for a day."""
    query = {"pickupDate": wire(moment(4)), "returnDate": wire(moment(5))} | more
    pairs = "&".join(f"{name}={text.replace('+', '%2B')}" for name, text in query.items())
    return f"/vehicle-details/{shop.vehicle.id}/review?{pairs}"


async def reviewed(shop: Shop, user: User | None, **more: str) -> ReviewState:
    """A tab on the review."""
    return await opened(await page_of(user, ReviewState, "/"), address_of(shop, **more))


def made(shop: Shop) -> int:
    """How many bookings of the shop's vehicle there are."""
    own = select(func.count()).select_from(Booking).where(col(Booking.vehicle_id) == shop.vehicle.id)
    return read(lambda session: int(session.execute(own).scalar_one()))


def looks(page: ReviewState) -> list[str]:
    """How the lines of the price look, and `total` if that is marked."""
    assert page.meaning
    return [line.look for line in page.meaning.lines] + ["total"] * page.meaning.changed


@journey
async def test_a_changed_price_is_marked_and_booked_at_the_next_press(shop: Shop) -> None:
    page = await reviewed(shop, shop.customer, extras="helmet", offer="FIRSTRIDE")
    assert looks(page) == ["", "", "off"]
    ask(shop.vehicle, 60_000)
    assert "The price has changed" in await answers(send(page))
    # The helmet costs what it did; the offer takes off more.
    assert looks(page) == ["marked", "", "marked", "total"]
    assert (page.busy, page.extras, page.offer, made(shop)) == (False, ["helmet"], "FIRSTRIDE", 0)
    assert "Booking requested" in await answers(send(page))
    assert made(shop) == 1


@journey
async def test_a_price_that_is_loaded_again_is_not_marked(shop: Shop) -> None:
    page = await reviewed(shop, shop.customer)
    ask(shop.vehicle, 60_000)
    await answers(page.load())
    assert looks(page) == [""]


@journey
async def test_a_vehicle_taken_meanwhile_leaves_what_was_chosen_and_offers_others(shop: Shop) -> None:
    alter(User, shop.vendor.id, delivery_supported=True)
    other = add_vehicle(shop.vendor)
    page = await reviewed(shop, shop.customer, extras="helmet,drop_off")
    await answers(page.give_address("7 Palm Grove"))
    book(add_user(), wanted(shop.vehicle, 4))
    assert "just booked for these dates" in await answers(send(page))
    assert (page.price, page.busy, page.address, page.extras) == (None, False, "7 Palm Grove", ["helmet", "drop_off"])
    assert other.id in [card.id for card in page.free_instead]
    # The way on, back, and to free dates keep the extras.
    assert page.car
    for href in (page.car.change, page.free_windows[0].href):
        assert "extras=helmet%2Cdrop_off" in href
    assert made(shop) == 1


@journey
async def test_an_offer_used_up_meanwhile_marks_the_new_total(shop: Shop) -> None:
    page = await reviewed(shop, shop.customer, offer="FIRSTRIDE")
    assert looks(page) == ["", "off"]
    request = wanted(shop.vehicle, 20).model_copy(update={"offer": "FIRSTRIDE"})
    assert status_of(book(shop.customer, request).id) == "pending"
    assert "You have used the offer FIRSTRIDE already" in await answers(send(page))
    assert looks(page) == ["", "total"]


@journey
async def test_whoever_logs_in_as_its_vendor_is_told_and_sends_nothing(shop: Shop) -> None:
    page = await reviewed(shop, None)
    assert '"name": "login"' in await answers(send(page))
    session = await page.get_state(SessionState)
    await session._remember(token_of(shop.vendor))
    await session._recognise()
    assert OWN in await answers(page.show_again())
    assert (page.refusal, page.price, page.busy) == (OWN, None, False)
    assert "This is your own vehicle" in await answers(page.send(50_000, 200_000))
    assert made(shop) == 0


@journey
async def test_two_tabs_send_one_request(shop: Shop) -> None:
    first, second = await reviewed(shop, shop.customer), await reviewed(shop, shop.customer)
    assert "Booking requested" in await answers(send(first))
    assert (second.requested_href, second.refusal) == ("", "")
    await answers(send(second))
    assert second.requested_href.startswith("/my-bookings/PH-")
    assert (second.busy, made(shop)) == (False, 1)
    # And so does the first one, to whoever comes back to it.
    await answers(first.load())
    assert first.requested_href == second.requested_href


@journey
async def test_a_request_already_made_is_found_on_the_vehicles_page_too(shop: Shop) -> None:
    earlier: BookingView = book(shop.customer, wanted(shop.vehicle, 4))
    page = await review(await vehicle_page(shop, shop.customer))
    assert page.requested_href == f"/my-bookings/{earlier.reference}"


@pytest.mark.parametrize("ends", [{"pickupDate": "tomorrow"}, {"returnDate": "2026-13-40"}, {"returnDate": ""}])
def test_a_link_with_broken_dates_asks_for_dates(shop: Shop, ends: dict[str, str]) -> None:
    @journey
    async def steps() -> None:
        page = await reviewed(shop, shop.customer, **ends)
        assert page.car
        assert (page.car.pickup, page.price, page.problem) == (None, None, "")
        assert "Please select" in await answers(send(page))

    steps()
