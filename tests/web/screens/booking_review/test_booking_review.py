"""The review of a request: opened by its address, too late, and with changes between the look and the press."""

import pytest
from sqlalchemy import func
from sqlmodel import col, select

from rental_app.domain import clock
from rental_app.domain.policies import FIRST
from rental_app.infrastructure.db import read
from rental_app.models import Booking, User
from rental_app.schemas.bookings import BookingView
from rental_app.web.parts.presenters.terms import cancelling
from rental_app.web.screens.booking_review.presenter import OWN, meeting
from rental_app.web.screens.booking_review.state import ReviewState
from rental_app.web.session.base import SessionState
from tests.conftest import Clock
from tests.support.booking_steps import alter, ask, book, status_of
from tests.support.page_states import opened, page_of, review, send, vehicle_page
from tests.support.shop import Shop, add_user, add_vehicle, count, moment, token_of, wanted, wire
from tests.support.state_tabs import answers, journey, tab_of


def address_of(shop: Shop, *pairs: str, **more: str) -> str:
    """Return the address of a review of the shop's vehicle for a day, with further or other parameters."""
    query = {"pickupDate": wire(moment(4)), "returnDate": wire(moment(5))} | more
    own = [f"{name}={text.replace('+', '%2B')}" for name, text in query.items()]
    return f"/vehicle-details/{shop.vehicle.id}/review?{'&'.join((*own, *pairs))}"


@journey
async def test_a_link_shows_all_that_was_chosen(shop: Shop) -> None:
    alter(User, shop.vendor.id, delivery_supported=True)
    page = await tab_of(None, ReviewState)
    # As a form sends it before scripts run.
    await opened(page, address_of(shop, "extras=helmet", "extras=drop_off", "offer=firstride"))
    assert (page.car.delivers, page.price.lines[-1].label) == (True, "Offer FIRSTRIDE")
    assert page.car.meeting == f"The vehicle is delivered here. Return it to {page.car.place}."
    assert page.meaning.cancelling[0].label == "Free"
    assert (page.extras, page.offer) == (["helmet", "drop_off"], "firstride")
    assert "extras=helmet%2Cdrop_off&offer=firstride" in page.car.change
    assert shop.vehicle.rc_number not in str(page.car)


@journey
async def test_an_address_that_was_typed_takes_the_place_of_the_accounts(shop: Shop) -> None:
    alter(User, shop.vendor.id, delivery_supported=True)
    page = await tab_of(shop.customer, ReviewState)
    await opened(page, address_of(shop, "extras=drop_off"))
    assert "Test Road" in page.address
    assert await answers(page.take_over({"address": "7 Palm Grove"})) == "", "its field may hold more by then"
    assert page.address == "7 Palm Grove"
    await answers(page.take_over({}))
    assert page.address == "7 Palm Grove"


@journey
async def test_a_visitor_logs_in_and_sends_with_their_next_press(shop: Shop) -> None:
    before = count("booking")
    page = await review(await vehicle_page(shop, None))
    told = await answers(send(page))
    assert '"name": "login", "typed": {"after": "booking"}' in told
    session = await page.get_state(SessionState)
    await session._remember(token_of(shop.customer))
    await session._recognise()
    await answers(page.show_again())
    assert (count("booking"), page.busy, page.price and page.price.total) == (before, False, "₹500")
    assert "Booking requested" in await answers(send(page))
    kept = read(lambda db: db.exec(select(Booking).order_by(col(Booking.id).desc()).limit(1)).one())
    assert (kept.terms_version, kept.terms_accepted_at) == (page.terms_version, kept.created_at)
    assert count("booking") == before + 1


@journey
async def test_dates_that_pass_meanwhile_are_told(shop: Shop, stopped_clock: Clock) -> None:
    before = count("booking")
    page = await reviewed(shop, shop.customer)
    stopped_clock.move(days=5)
    assert "Pickup is in the past" in await answers(send(page))
    assert ("Pickup is in the past" in page.refusal, page.price, page.busy) == (True, None, False)
    assert count("booking") == before


@journey
async def test_an_unlisted_vehicle_is_missing(database: str) -> None:
    for path in ("/vehicle-details/999999/review", "/vehicle-details/abc/review"):
        page = await tab_of(None, ReviewState)
        await opened(page, path)
        assert page.missing
        assert await answers(page.send()) == ""


def test_cancelling_costs_more_the_later_it_is() -> None:
    instant = clock.now()
    early, middle, late = (cancelling(moment(days), instant, 100_00, FIRST) for days in (9, 2, 0))
    assert [step.label for step in early] == ["Free", "₹25 kept", "₹75 kept", "₹100 kept", "Paid in part"]
    assert [step.label for step in middle] == ["Free", "₹75 kept", "₹100 kept", "Paid in part"]
    assert [step.value for step in late][1:] == ["paid in full, from now on", "all of that is kept, at any time"]


async def reviewed(shop: Shop, user: User | None, **more: str) -> ReviewState:
    """A tab on the review."""
    return await opened(await page_of(user, ReviewState, "/"), address_of(shop, **more))


def made(shop: Shop) -> int:
    """How many bookings of the shop's vehicle there are."""
    own = select(func.count()).select_from(Booking).where(col(Booking.vehicle_id) == shop.vehicle.id)
    return read(lambda session: int(session.execute(own).scalar_one()))


def looks(page: ReviewState) -> list[str]:
    """How the lines of the price look, and `total` if that is marked."""
    return [line.look for line in page.meaning.lines] + ["total"] * page.meaning.changed


@journey
async def test_a_changed_price_is_marked_and_booked_at_the_next_press(shop: Shop) -> None:
    page = await reviewed(shop, shop.customer, extras="helmet", offer="FIRSTRIDE")
    assert looks(page) == ["", "", "off"]
    ask(shop.vehicle, 60_000)
    told = await answers(send(page))
    assert "The price has changed from ₹650 to ₹740. Please check it and press again" in told
    assert (page.refusal in told, "/my-bookings" in told) == (True, False)
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
    assert "just booked for these dates" in page.refusal
    assert other.id in [card.id for card in page.free_instead]
    # The way on, back, and to free dates keep the extras.
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
    assert page.offer_problem == "You have used the offer FIRSTRIDE already"
    assert (looks(page), page.busy) == (["", "total"], False)


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


@pytest.mark.usefixtures("rate_limits")
@journey
async def test_one_request_too_many_leads_to_those_that_wait(shop: Shop) -> None:
    for days in (10, 13, 16):
        book(shop.customer, wanted(shop.vehicle, days=days))
    page = await review(await vehicle_page(shop, shop.customer))
    told = await answers(send(page))
    assert ("which is the limit" in told, page.awaits_answers, "which is the limit" in page.refusal) == (
        True,
        True,
        True,
    )


@pytest.mark.parametrize(
    ("extras", "said"),
    [
        ({"drop_off", "pick_up"}, "delivered here, and collected here."),
        ({"drop_off"}, "delivered here. Return it to Plot 42."),
        ({"helmet", "pick_up"}, "Pick it up at Plot 42. It is collected here."),
    ],
)
def test_the_address_says_which_end_of_the_rental_is_there(extras: set[str], said: str) -> None:
    assert meeting(extras, "Plot 42").endswith(said)


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
@journey
async def test_a_link_with_broken_dates_asks_for_dates(shop: Shop, ends: dict[str, str]) -> None:
    page = await reviewed(shop, shop.customer, **ends)
    assert (page.car.pickup, page.price, page.problem) == (None, None, "")
    assert "Please select" in await answers(send(page))
