"""A guest's page in a tab: each act asks for a code, says what it is about, and is done by that code alone."""

from datetime import timedelta

from reflex.istate.data import ReflexURL, RouterData

from rental_app.web.screens.guest_trip.state import GuestTripState
from tests.conftest import Clock
from tests.support.guests import at_counter, secret_of, texts
from tests.support.shop import DAILY_PAISE, Shop, moment
from tests.support.state_tabs import journey, tab_of, told
from tests.support.trip_codes import another, code, texted
from tests.support.trips import at_pickup, charge, grant, hand_over, pay, seen, take_back

PRICE = 2 * DAILY_PAISE


async def page_of(shop: Shop) -> tuple[GuestTripState, str]:
    """A guest's booking of two days in a fresh tab, and its reference."""
    made = at_counter(shop.vendor, shop.vehicle, moment(4), moment(6))
    page = await tab_of(None, GuestTripState)
    page._get_root_state().router = RouterData(url=ReflexURL(f"http://localhost:3000/trip/{secret_of(texts()[-1])}"))
    await told(page.load())
    return page, made.reference


def propose(shop: Shop, ref: str) -> None:
    grant(shop, ref, seen(shop.vendor, ref).return_at + timedelta(days=1))


@journey
async def test_what_is_proposed_is_agreed_to_by_the_code_that_was_texted(shop: Shop, stopped_clock: Clock) -> None:
    page, ref = await page_of(shop)
    assert await told(page.ask("yes")) == []
    propose(shop, ref)
    await told(page.load())
    await told(page.ask("yes"))
    assert page.about.endswith("It costs ₹500 more: ₹1,500 total.")
    await told(page.send_code())
    assert page.code_sent == "A code went to 90xxxxxx88. It works until 11:10 AM."
    for typed in ("", "12345", another(code())):
        await told(page.confirm({"code": typed}))
        assert [*page.errors] == ["code"]
    right = code()
    assert "Agreed" in " ".join(await told(page.confirm({"code": right})))
    assert (page.trip.facts.proposal, page.act, page.code_sent, seen(shop.vendor, ref).price) == (
        None, "", "", PRICE + DAILY_PAISE,
    )  # fmt: skip
    # Nothing is asked for any more.
    assert await told(page.confirm({"code": right})) == []
    assert await told(page.send_code()) == []


@journey
async def test_the_code_that_was_texted_is_asked_for_again_when_the_page_was_left(
    shop: Shop, stopped_clock: Clock
) -> None:
    page, ref = await page_of(shop)
    propose(shop, ref)
    await told(page.load())
    await told(page.ask("yes"))
    await told(page.send_code())
    sent = page.code_sent
    for act, shown in (("no", ""), ("cancel", ""), ("yes", sent)):
        await told(page.ask(act))
        assert page.code_sent == shown, act
    again = await tab_of(None, GuestTripState)
    again._get_root_state().router = page._get_root_state().router
    await told(again.load())
    await told(again.ask("yes"))
    assert again.code_sent == sent
    stopped_clock.move(minutes=11)
    await told(again.ask("yes"))
    assert again.code_sent == ""


@journey
async def test_a_cancellation_is_on_the_terms_that_were_shown(shop: Shop, stopped_clock: Clock) -> None:
    page, ref = await page_of(shop)
    pay(shop, ref, PRICE)
    await told(page.ask("cancel"))
    assert page.terms.paise == PRICE // 4
    stopped_clock.instant = moment(4) - timedelta(hours=24)
    await told(page.send_code())
    assert (page.terms.paise, page.code_sent, texted()) == (PRICE * 3 // 4, "", [])
    await told(page.send_code())
    assert page.code_sent
    stopped_clock.move(minutes=1)
    await told(page.confirm({"code": code()}))
    assert (page.terms.paise, page.code_sent, "send a code for that" in page.act_problem) == (PRICE, "", True)
    assert seen(shop.vendor, ref).status == "confirmed"
    await told(page.send_code())
    assert "Booking cancelled" in " ".join(await told(page.confirm({"code": code()})))
    assert (page.trip.may_cancel, seen(shop.vendor, ref).status) == (False, "cancelled")


@journey
async def test_lines_and_the_handover_are_objected_to_while_it_is_time(shop: Shop, stopped_clock: Clock) -> None:
    page, ref = await page_of(shop)
    assert (page.trip.facts.may_object, page.trip.may_cancel) == (False, True)
    at_pickup(stopped_clock, seen(shop.vendor, ref))
    hand_over(shop, ref)
    await told(page.load())
    assert (page.trip.facts.may_object, page.trip.may_cancel) == (True, False)
    assert all(one.href.startswith(f"{page.asked_url}/photos/") for one in page.trip.facts.handover.photos)
    assert await told(page.ask("cancel")) == []
    await told(page.ask("object"))
    await told(page.send_code())
    right = code()
    await told(page.confirm({"code": right, "note": " "}))
    assert [*page.errors] == ["note"]
    await told(page.confirm({"code": right, "note": "The mirror was broken"}))
    assert [one.note for one in page.trip.facts.objections] == ["The mirror was broken"]
    assert page.trip.facts.may_object is False
    take_back(shop, ref)
    line = charge(shop, ref).ledger[-1].id
    await told(page.load())
    assert [one.id for one in page.trip.facts.account if one.may_act][-1] == line
    await told(page.ask("object", line))
    assert page.about.startswith("Traffic challan")
    assert await told(page.ask("object", line + 1)) == []


@journey
async def test_a_page_that_is_left_open_follows_the_booking(shop: Shop, stopped_clock: Clock) -> None:
    page, ref = await page_of(shop)
    left = page.trip.countdown.left
    stopped_clock.move(hours=2)
    assert await told(page.refresh()) == []
    assert page.trip.countdown.left != left
    at_pickup(stopped_clock, seen(shop.vendor, ref))
    hand_over(shop, ref)
    await told(page.refresh())
    assert (page.trip.countdown.label, page.trip.facts.may_object) == ("On the road", True)
