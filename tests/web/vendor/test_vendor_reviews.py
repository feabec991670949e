"""The vendor's page of reviews: what customers said about their trips, answered once, and by no other vendor."""

from rental_app.web.parts.reviews.state import FORGOTTEN, NOTE, ReportState
from rental_app.web.vendor.reviews.state import ReceivedState, answer_id
from tests.conftest import Clock
from tests.support.reviews import only_review, returned, review
from tests.support.shop import Shop, open_shop, token_of
from tests.support.state_tabs import answers, journey, tab_of


@journey
async def test_a_review_is_read_and_answered_once(shop: Shop, stopped_clock: Clock) -> None:
    other = open_shop("Otherpur")
    page, stranger = await tab_of(shop.vendor, ReceivedState), await tab_of(other.vendor, ReceivedState)
    # A token issued before the clock is moved stays valid.
    assert token_of(shop.vendor)
    ref = returned(shop, stopped_clock).reference
    await answers(page.load())
    assert (page.page.reviews, page.page.rating) == ([], "")
    review(shop.customer, ref, 4, "Old tyres.")
    await answers(page.load())
    assert page.page.reviews == []
    review(shop.vendor, ref, 5)
    await answers(page.load())
    (said,) = page.page.reviews
    assert (said.text, said.vehicle, said.href) == (
        "Old tyres.",
        f"Honda Activa 6G, {shop.vehicle.rc_number}",
        f"/vendor/bookings/{ref}",
    )
    assert (page.page.rating, page.page.count, page.page.more) == ("4.0 of 5", "from 1 review", 0)

    number = str(only_review())
    refused = await answers(page.answer({"review": number, "text": " "}))
    assert answer_id(number) in refused
    assert "Your answer: Please fill this in" in refused
    assert (page.refused, page.refusal, page.busy) == (only_review(), "Please fill this in", False)
    assert "Only the vendor a review is about can answer it" in await answers(
        stranger.answer({"review": number, "text": "Mine"})
    )
    await answers(stranger.load())
    assert stranger.page.reviews == []

    assert "Your answer is shown" in await answers(page.answer({"review": number, "text": "New ones are on"}))
    assert (page.page.reviews[0].answer, page.refused) == ("New ones are on", 0)
    assert "You have answered this review already" in await answers(page.answer({"review": number, "text": "Again"}))
    assert "There is no such review" in await answers(page.answer({"review": "x", "text": "Hello"}))


@journey
async def test_a_report_that_is_refused_is_told_in_a_toast_and_in_its_dialog(shop: Shop) -> None:
    page = await tab_of(shop.customer, ReportState)
    await answers(page.ask(1_000_000, "Somebody"))
    led = await answers(page.send({"note": " "}))
    assert ("Please fill this in" in led, NOTE in led) == (True, True)
    assert "There is no such review" in await answers(page.send({"note": "Advertising"}))
    assert (page.refusal, page.busy) == ("There is no such review", False)
    await answers(page.ask(1, "Another"))
    assert page.refusal == ""


@journey
async def test_a_report_of_a_review_that_a_restart_forgot_says_so_and_a_second_press_nothing(shop: Shop) -> None:
    page = await tab_of(shop.customer, ReportState)
    await answers(page.send({"note": "Advertising"}))
    assert page.refusal == FORGOTTEN
    await answers(page.ask(1, "Somebody"))
    page._asked = 0
    await answers(page.send({"note": "Advertising"}))
    assert page.refusal == ""
