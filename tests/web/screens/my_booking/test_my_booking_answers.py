"""A customer's answers, on a booking's page, to what the vendor noted, and about the trip."""

import json

from rental_app.domain.uploads import ANSWER_GROUP, OBJECTION, trip_upload
from rental_app.infrastructure.db import write
from rental_app.services.files import uploads
from rental_app.services.trips import cancellations
from rental_app.web.parts.reviews.presenter import FIRST_STAR, NO_STARS
from rental_app.web.screens.my_booking.state import HANDOVER, MyReviewState
from rental_app.web.vendor.booking.review_state import REVIEW, TripReviewState
from rental_app.web.vendor.booking.state import ANSWER
from tests.conftest import Clock
from tests.support.my_booking_state import opened, opened_as, shown
from tests.support.page_states import page_of
from tests.support.shop import DAILY_PAISE, Shop, actor, token_of
from tests.support.state_tabs import answers, journey, told
from tests.support.trips import at_pickup, at_return, confirmed, hand_over, pay, photos, reverse, take_back
from tests.support.vendor_booking_state import page_of as vendor_page


@journey
async def test_the_handover_is_confirmed_or_objected_to(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    page = await opened(shop.customer, trip.reference)
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.reference)
    await answers(page.load())
    assert "object" in await answers(page.ask_to_object(HANDOVER))
    assert "getElementById" in await answers(page.object_to({"note": "  "}))
    assert page.objection_problem == "Please fill this in"
    assert shown(page).asks_until
    assert "Objection noted" in await answers(page.object_to({"note": "There is a scratch on the left"}))
    assert (shown(page).asks_until, shown(page).facts.history[-1].note) == ("", "There is a scratch on the left")
    # No question is open any more.
    assert await answers(page.object_to({"note": "Again"})) == ""
    assert "Handover confirmed" in await answers(page.acknowledge())
    at_return(stopped_clock, trip, hours=2)
    take_back(shop, trip.reference)
    await answers(page.load())
    late = next(line for line in shown(page).facts.account if line.label == "Late return")
    await answers(page.ask_to_object(late.id))
    assert page.asked_about == "Late return, ₹100"
    stopped_clock.move(hours=25)
    assert "Objections are possible" in await answers(page.object_to({"note": "I was there in time"}))
    assert page.objection_problem == "Objections are possible within 24 hours"
    stopped_clock.move(hours=-25)
    await answers(page.object_to({"note": "I was there in time"}))
    assert [line.label for line in shown(page).facts.account if line.objected] == ["Late return"]
    await answers(page.ask_to_object(999_999))
    assert page.asked_about == "Late return, ₹100"


@journey
async def test_an_objection_to_a_line_leaves_the_handover_to_be_answered(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    page = await opened(shop.customer, trip.reference)
    at_pickup(stopped_clock, trip)
    pay(shop, trip.reference, DAILY_PAISE)
    hand_over(shop, trip.reference)
    await answers(page.load())
    paid = next(line for line in shown(page).facts.account if line.may_act)
    await answers(page.ask_to_object(paid.id))
    assert "Objection noted" in await answers(page.object_to({"note": "I paid more"}))
    assert (bool(shown(page).asks_until), shown(page).facts.may_object) == (True, True)
    await answers(page.ask_to_object(HANDOVER))
    # As much as the text box takes.
    assert "At most 1,000 characters" in await answers(page.object_to({"note": "x" * 1001}))
    assert "Objection noted" in await answers(page.object_to({"note": "The tank was half full\n".ljust(1000, "!")}))
    assert (shown(page).asks_until, shown(page).facts.may_object, len(shown(page).facts.history[-1].note)) == (
        "",
        False,
        1000,
    )


@journey
async def test_what_the_vendor_charges_or_takes_back_alone_can_be_objected_to(shop: Shop, stopped_clock: Clock) -> None:
    trip, token = confirmed(shop), token_of(shop.vendor)
    page = await opened(shop.customer, trip.reference)
    paid = pay(shop, trip.reference, DAILY_PAISE).ledger[-1].id
    reverse(shop, trip.reference, paid)
    await answers(page.load())
    assert [line.label for line in shown(page).facts.account if line.may_act] == ["Rent paid, reversed"]
    await answers(page.ask_to_object(shown(page).facts.account[-1].id))
    assert "Objection noted" in await answers(page.object_to({"note": "I did pay"}))
    desk, _ = await vendor_page(token, trip.reference)
    assert [line.objected for line in desk.trip.facts.account] == [False, False, True]
    assert [(one.about, one.open) for one in desk.trip.facts.objections] == [("Rent paid, reversed, -₹500", True)]
    reverse(shop, trip.reference, shown(page).facts.account[-1].id)
    await told(desk.refresh())
    assert [one.open for one in desk.trip.facts.objections] == [False]
    at_pickup(stopped_clock, trip, hours=2)
    write(cancellations.mark_no_show, actor(shop.vendor), trip.reference)
    await answers(page.load())
    assert [line.label for line in shown(page).facts.account if line.may_act] == ["Cancellation"]


@journey
async def test_photos_go_with_an_objection_and_its_answer_is_shown(shop: Shop, stopped_clock: Clock) -> None:
    trip, token = confirmed(shop), token_of(shop.vendor)
    page = await opened(shop.customer, trip.reference)
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.reference)
    await answers(page.load())
    mine = write(uploads.store, actor(shop.customer), photos(OBJECTION)[-1]).id
    # One that was sent for an objection that was not made waits for the next one.
    await answers(page.ask_to_object(HANDOVER))
    assert [(each.id, each.url) for each in page.waiting_photos] == [(mine, f"/api/uploads/{mine}")]
    form = {"note": "A scratch", f"files.{OBJECTION}": json.dumps([{"id": mine, "name": "x.jpg"}])}
    assert "Objection noted" in await answers(page.object_to(form))
    (raised,) = shown(page).facts.objections
    assert (len(raised.photos), raised.answer, page.waiting_photos) == (1, "", [])
    assert shown(page).facts.history[-1].note == "A scratch (1 photo)"

    desk, _ = await vendor_page(token, trip.reference)
    await told(desk.ask_answer(999_999))
    assert desk.objection_about == ""
    assert ANSWER in str(await told(desk.ask_answer(raised.id)))
    await told(desk.answer({"note": " "}))
    assert desk.errors == {ANSWER: "Please fill this in"}
    group = trip_upload(ANSWER_GROUP)
    sent = write(uploads.store, actor(shop.vendor), photos(group)[-1]).id
    form = {"note": "It was there", f"files.{group}": json.dumps([{"id": sent, "name": "y.jpg"}])}
    assert "Answered" in str(await told(desk.answer(form)))
    assert [(one.answer, len(one.answer_photos)) for one in desk.trip.facts.objections] == [("It was there", 1)]
    assert "been answered already" in str(await told(desk.answer({"note": "Again"})))
    await answers(page.refresh())
    assert [(one.answer, len(one.answer_photos)) for one in shown(page).facts.objections] == [("It was there", 1)]


@journey
async def test_a_review_that_is_refused_is_told_in_a_toast_and_at_its_form(shop: Shop) -> None:
    trip = confirmed(shop)
    page = await opened_as(MyReviewState, shop.customer, trip.reference)
    led = await answers(page.write_review({"stars": "", "text": "Nice"}))
    assert (NO_STARS in led, FIRST_STAR in led) == (False, True)
    assert page.review_problem == NO_STARS
    assert "back" in await answers(page.write_review({"stars": "5", "text": "Nice"}))
    assert ("back" in page.review_problem, page.busy) == (True, False)
    desk = await page_of(shop.vendor, TripReviewState, f"/vendor/bookings/{trip.reference}")
    led = await answers(desk.write_review({"stars": "", "text": "Nice"}))
    assert (NO_STARS in led, FIRST_STAR in led) == (False, True)
    assert desk.errors == {REVIEW: NO_STARS}
