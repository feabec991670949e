"""What the booking form asks for besides dates: extras, an address, a code; and what it offers instead."""

from sqlmodel import col, select

from rental_app.domain import clock
from rental_app.infrastructure.db import read
from rental_app.models import Booking, User, VehiclePrice
from rental_app.web.parts.presenters.links import wall_text
from rental_app.web.session.base import SessionState
from tests.support.booking_steps import alter, book
from tests.support.page_states import review, send, vehicle_page
from tests.support.shop import Shop, add_user, moment, put, token_of, wanted
from tests.support.state_tabs import answers, journey


@journey
async def test_extras_and_a_code_change_the_price_and_are_booked(shop: Shop) -> None:
    alter(User, shop.vendor.id, delivery_supported=True)
    page = await vehicle_page(shop, shop.customer)
    assert [choice.name for choice in page.choices] == ["helmet", "drop_off", "pick_up"]
    await answers(page.choose_extra("helmet", True))
    await answers(page.choose_extra("sidecar", True))
    await answers(page.use_offer({"offer": " firstride "}))
    assert [(line.label, line.value) for line in page.price.lines] == [
        ("1 × Full Day at ₹500", "₹500"),
        ("Second helmet", "₹200"),
        ("Offer FIRSTRIDE", "-₹50"),
    ]
    assert (page.price.total, page.price.due) == ("₹650", "₹2,650")
    await answers(page.choose_extra("drop_off", True))
    last = await review(page)
    assert last.needs_address
    last.address = ""
    assert "Enter the address" in await answers(send(last))
    assert (bool(last.address_problem), last.refusal, last.price is None) == (True, "", False)
    await answers(last.give_address("12 Lake Road"))
    assert "Booking requested" in await answers(send(last))


@journey
async def test_the_address_in_the_field_is_booked_whatever_the_server_has_heard(shop: Shop) -> None:
    alter(User, shop.vendor.id, delivery_supported=True)
    page = await vehicle_page(shop, shop.customer)
    await answers(page.choose_extra("drop_off", True))
    last = await review(page)
    await answers(last.give_address("12 Lake"))
    shown = last.price.total_paise, last.price.deposit_paise
    assert "Enter the address" in await answers(last.send(*shown, ""))
    assert "Booking requested" in await answers(last.send(*shown, "12 Lake View Road, Flat 7"))
    booked = select(Booking.address).where(col(Booking.vehicle_id) == shop.vehicle.id)
    assert read(lambda session: session.scalars(booked).all()) == ["12 Lake View Road, Flat 7"]


@journey
async def test_an_offer_that_fits_is_proposed_taken_and_removed(shop: Shop) -> None:
    page = await vehicle_page(shop, shop.customer)
    assert (page.fits.code, page.price.total) == ("FIRSTRIDE", "₹500")
    await answers(page.use_offer({"offer": page.fits.code}))
    assert (page.price.total, page.fits is None, page.offer) == ("₹450", True, "FIRSTRIDE")
    await answers(page.remove_offer())
    assert (page.price.total, page.fits and page.fits.code, page.offer) == ("₹500", "FIRSTRIDE", "")


@journey
async def test_the_price_says_when_the_next_half_day_begins(shop: Shop) -> None:
    page = await vehicle_page(shop, shop.customer, 4, 6)
    assert page.price.next_step == f"After {clock.friendly(moment(6))} a half day is added."


@journey
async def test_a_code_that_gives_nothing_is_told_beside_it_and_the_price_stays(shop: Shop) -> None:
    page = await vehicle_page(shop, shop.customer)
    await answers(page.use_offer({"offer": "weeklong"}))
    assert page.offer_problem == "The offer WEEKLONG is for rentals of 7 days and more"
    assert (page.price and page.price.total, page.refusal) == ("₹500", "")
    await answers(page.choose_return(wall_text(moment(11))))
    assert (page.offer_problem, page.price and page.price.lines[-1].value) == ("", "-₹300")
    await answers(page.use_offer({"offer": ""}))
    assert len(page.price.lines) == 1


@journey
async def test_the_next_person_at_a_tab_gets_nothing_of_what_the_last_one_wished_for(shop: Shop) -> None:
    alter(User, shop.vendor.id, delivery_supported=True)
    page = await vehicle_page(shop, shop.customer)
    session = await page.get_state(SessionState)
    await answers(page.choose_extra("drop_off", True))
    await answers(page.give_address("12 Lake Road"))
    await answers(page.use_offer({"offer": "firstride"}))
    await answers(session.logout())
    await answers(session.logged_out(session.token))
    assert (page.extras, page.address, page.offer) == ([], "", "")
    await answers(page.give_address("Of a visitor, who logs in to book"))
    await session._remember(token_of(add_user()))
    assert page.address


@journey
async def test_wishes_of_any_length_are_kept_only_as_far_as_they_are_known_to_be_too_long(shop: Shop) -> None:
    page = await vehicle_page(shop, shop.customer)
    long = "x" * 20_000
    await answers(page.give_address(long))
    await answers(page.use_offer({"offer": long}))
    assert (len(page.address), len(page.offer)) == (250, 250)
    assert page.offer_problem
    await answers(page.take_over({"address": long, "offer": long}))
    assert (len(page.address), len(page.offer)) == (250, 250)
    last = await review(page)
    await answers(last.send(1, 1, address=long))
    assert len(last.address) == 250


@journey
async def test_taken_dates_stand_in_place_of_the_price_and_free_ones_are_a_press_away(shop: Shop) -> None:
    held = book(add_user(), wanted(shop.vehicle, 4))
    page = await vehicle_page(shop, shop.customer)
    assert (page.price, page.refusal) == (None, "This vehicle is taken on these dates")
    assert page.nearest[0].text == f"{clock.friendly(moment(3))} to {clock.friendly(moment(4))}"
    await answers(page.take_window(page.nearest[0].pickup, page.nearest[0].return_at))
    assert (page.refusal, page.nearest, page.price and page.price.total) == ("", [], "₹500")
    alter(Booking, held.id, status="cancelled", cancelled_by="vendor")


@journey
async def test_a_return_that_costs_less_is_a_press_away(shop: Shop) -> None:
    page = await vehicle_page(shop, shop.customer)
    await answers(page.choose_return(wall_text(moment(5, 15))))
    assert (page.price.total, page.price.cheaper) == ("₹1,000", "Return by 10 AM and save ₹500")
    await answers(page.take_window(page.pickup, page.price.cheaper_return))
    assert (page.price.total, page.price.cheaper) == ("₹500", "")


@journey
async def test_what_is_taken_is_left_out_of_the_calendars(shop: Shop) -> None:
    book(add_user(), wanted(shop.vehicle, 8, 2))
    page = await vehicle_page(shop, shop.customer)
    assert page.unavailable_pickups == [{"pickup": wall_text(moment(7, 11)), "return": wall_text(moment(10))}]
    assert page.unavailable_returns[0]["pickup"] == wall_text(moment(8, 11))


@journey
async def test_a_saving_is_said_of_the_plan_that_makes_it(shop: Shop) -> None:
    page = await vehicle_page(shop, shop.customer)
    assert page.price.saving == ""
    put(VehiclePrice(vehicle_id=shop.vehicle.id, price_name="Half Day", price_paise=30_000))
    await answers(page.choose_return(wall_text(moment(5, 20))))
    assert [line.label for line in page.price.lines] == ["1 × Full Day at ₹500", "1 × Half Day at ₹300"]
    assert page.price.saving == "Half Day price: you save ₹200"
    put(VehiclePrice(vehicle_id=shop.vehicle.id, price_name="Week", price_paise=300_000))
    await answers(page.choose_return(wall_text(moment(11))))
    assert page.price.saving == "Week price: you save ₹500"
