"""The review of a request: opened by its address, by a visitor, by the vehicle's own vendor, and too late."""

from sqlmodel import col, select

from rental_app.domain import clock
from rental_app.infrastructure.db import read
from rental_app.models import Booking, User
from rental_app.web.parts.presenters.terms import cancelling
from rental_app.web.screens.booking_review.presenter import OWN
from rental_app.web.screens.booking_review.state import ReviewState
from rental_app.web.session.base import SessionState
from tests.conftest import Clock
from tests.support.booking_steps import alter
from tests.support.page_states import opened, review, run, send, vehicle_page
from tests.support.shop import Shop, count, moment, token_of, wire
from tests.support.state_tabs import answers, tab_of


def address_of(shop: Shop, *more: str) -> str:
    """Return the address of a review of the shop's vehicle for a day, with further parameters."""
    ends = f"pickupDate={wire(moment(4))}&returnDate={wire(moment(5))}".replace("+", "%2B")
    return f"/vehicle-details/{shop.vehicle.id}/review?{'&'.join((ends, *more))}"


def test_a_link_shows_all_that_was_chosen(shop: Shop) -> None:
    async def steps() -> None:
        alter(User, shop.vendor.id, delivery_supported=True)
        page = await tab_of(None, ReviewState)
        # As a form sends it before scripts run.
        await opened(page, address_of(shop, "extras=helmet", "extras=drop_off", "offer=firstride"))
        assert page.car
        assert page.price
        assert page.meaning
        assert (page.car.delivers, page.price.lines[-1].label) == (True, "Offer FIRSTRIDE")
        assert page.meaning.cancelling[0].label == "Free"
        assert (page.extras, page.offer) == (["helmet", "drop_off"], "firstride")
        assert "extras=helmet%2Cdrop_off&offer=firstride" in page.car.change
        assert shop.vehicle.rc_number not in str(page.car)

    run(steps())


def test_an_address_that_was_typed_takes_the_place_of_the_accounts(shop: Shop) -> None:
    async def steps() -> None:
        alter(User, shop.vendor.id, delivery_supported=True)
        page = await tab_of(shop.customer, ReviewState)
        await opened(page, address_of(shop, "extras=drop_off"))
        assert "Test Road" in page.address
        assert await answers(page.take_over({"address": "7 Palm Grove"})) == "", "its field may hold more by then"
        assert page.address == "7 Palm Grove"
        await answers(page.take_over({}))
        assert page.address == "7 Palm Grove"

    run(steps())


def test_without_dates_there_is_nothing_to_send(shop: Shop) -> None:
    async def steps() -> None:
        page = await tab_of(shop.customer, ReviewState)
        await opened(page, f"/vehicle-details/{shop.vehicle.id}/review")
        assert page.car
        assert (page.car.pickup, page.price) == (None, None)
        assert "Please select Pickup and Return date/time" in await answers(send(page))

    before = count("booking")
    run(steps())
    assert count("booking") == before


def test_a_visitor_logs_in_and_sends_with_their_next_press(shop: Shop) -> None:
    async def steps() -> None:
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

    before = count("booking")
    run(steps())
    assert count("booking") == before + 1


def test_its_own_vendor_is_told_so_and_sends_nothing(shop: Shop) -> None:
    async def steps() -> None:
        page = await tab_of(shop.vendor, ReviewState)
        await opened(page, address_of(shop))
        assert (page.refusal, page.price) == (OWN, None)
        assert "This is your own vehicle" in await answers(page.send(50_000, 200_000))

    before = count("booking")
    run(steps())
    assert count("booking") == before


def test_dates_that_pass_meanwhile_are_told(shop: Shop, stopped_clock: Clock) -> None:
    async def steps() -> None:
        page = await tab_of(shop.customer, ReviewState)
        await opened(page, address_of(shop))
        stopped_clock.move(days=5)
        assert "Pickup is in the past" in await answers(send(page))
        assert ("Pickup is in the past" in page.refusal, page.price, page.busy) == (True, None, False)

    before = count("booking")
    run(steps())
    assert count("booking") == before


def test_an_unlisted_vehicle_is_missing(database: str) -> None:
    async def steps() -> None:
        for path in ("/vehicle-details/999999/review", "/vehicle-details/abc/review"):
            page = await tab_of(None, ReviewState)
            await opened(page, path)
            assert page.missing
            assert await answers(page.send()) == ""

    run(steps())


def test_cancelling_costs_more_the_later_it_is() -> None:
    instant = clock.now()
    early, middle, late = (cancelling(moment(days), instant, 100_00) for days in (9, 2, 0))
    assert [step.label for step in early] == ["Free", "₹25 kept", "₹75 kept", "₹100 kept"]
    assert [step.label for step in middle] == ["Free", "₹75 kept", "₹100 kept"]
    assert [step.value for step in late][1:] == ["paid in full, from now on"]
