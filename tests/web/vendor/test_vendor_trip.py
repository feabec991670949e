"""A vendor's booking behind its page: the return, money and questions."""

import json
from datetime import datetime, timedelta

from rental_app.domain import clock
from rental_app.domain.uploads import DAMAGE_GROUP, TRIP_GROUPS, trip_upload
from rental_app.models import Member, User
from rental_app.web.parts.presenters.links import WALL, wall_text
from rental_app.web.parts.presenters.texts import Fact
from rental_app.web.screens.my_booking.presenter import trip_page
from rental_app.web.vendor.booking.presenter import Due
from rental_app.web.vendor.booking.state import (
    CHARGE,
    CODE,
    GIVE_UP,
    GIVE_UP_REASON,
    MOVE,
    TAKE_BACK_LINE,
    VendorTripState,
    field_id,
)
from tests.conftest import Clock
from tests.support.booking_steps import alter, ask, book
from tests.support.shop import DAILY_PAISE, Shop, add_vehicle, open_shop, put, token_of, wanted
from tests.support.state_tabs import journey, told
from tests.support.trip_codes import another, code
from tests.support.trips import at_pickup, at_return, confirmed, grant, hand_over, pay, seen, take_back
from tests.support.vendor_booking_state import files, page_of


def dues(page: VendorTripState) -> list[Due]:
    """Return the payments still to be made."""
    return [due for due in (page.trip.payments.rent, page.trip.payments.deposit) if due]


@journey
async def test_what_a_return_costs_is_shown_before_it_is_final(shop: Shop, stopped_clock: Clock) -> None:
    trip, token = confirmed(shop), token_of(shop.vendor)
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.id)
    pay(shop, trip.id, trip.price)
    pay(shop, trip.id, trip.deposit, "deposit")
    at_return(stopped_clock, trip, hours=1)
    page, steps = await page_of(token, trip.id)
    assert ([line.amount for line in steps.settlement.lines], steps.settlement.fuel) == (["₹50"], "")
    await told(steps.note({"odometer": "1520", "fuelEighths": "4", "helmets": "1", "speedings": "2"}))
    assert steps.settlement.fuel == "4 eighths less than at the handover"
    led, refused = await told(steps.add_damage({"note": "Mirror", "amount": "350"}))
    assert (trip_upload(DAMAGE_GROUP) in led, "Take a photo" in refused) == (True, True)
    assert steps.errors == {trip_upload(DAMAGE_GROUP): "Take a photo"}
    await told(steps.add_damage({"note": "Mirror", "amount": "350"} | files(shop, DAMAGE_GROUP)))
    assert (steps.damage_round, [one.amount for one in steps.draft.damages]) == (1, ["₹350"])
    assert [line.amount for line in steps.settlement.lines] == ["₹50", "₹100", "₹200", "₹350"]
    assert (steps.settlement.total, steps.settlement.kept_of_deposit) == ("₹700", "₹700")
    assert steps.settlement.deposit.startswith("₹1,300 held by you, back ")

    await told(steps.note(files(shop, *TRIP_GROUPS)))
    assert "Vehicle received" in " ".join(await told(steps.take_back()))
    assert (page.trip.reading, steps.shown) == ("", "")
    assert steps.settlement is None
    fuel = Fact(label="Fuel or charge", value="1/2, 4 eighths less than at the handover")
    assert fuel in page.trip.facts.returned.facts
    theirs = trip_page(seen(shop.customer, trip.id), clock.now())
    assert (theirs.facts.handover, theirs.facts.returned) == (page.trip.facts.handover, page.trip.facts.returned)
    assert Fact(label="Speeding fines", value="2") in page.trip.facts.returned.facts
    assert Fact(label="Fuel or charge", value="Full") in theirs.facts.handover.facts
    due = page.trip.payments.deposit
    assert (page.trip.payments.rent, due.direction, due.rupees, due.upi_paise) == (None, "out", "1300", 0)
    await told(page.pay({"of": "deposit", "direction": "out", "amount": due.rupees, "method": "upi"}))
    assert (page.trip.stage, page.trip.payments.deposit) == ("Settled", None)
    assert [event.what for event in page.trip.facts.history][-2:] == ["Deposit given back", "Settled"]


@journey
async def test_a_request_tells_its_price_and_a_confirmed_booking_its_account(shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle, 4))
    page, _ = await page_of(token_of(shop.vendor), asked.reference)
    price = [Fact(label="Price", value="₹500"), Fact(label="Deposit", value="₹2,000")]
    assert (page.trip.details[-2:], page.trip.facts.account) == (price, [])
    page, _ = await page_of(token_of(shop.vendor), confirmed(shop, 9).reference)
    assert page.trip.facts.account
    assert all(fact not in page.trip.details for fact in price)


@journey
async def test_money_is_noted_once_and_upi_asks_for_what_is_owed(shop: Shop) -> None:
    trip = confirmed(shop)
    page, _ = await page_of(token_of(shop.vendor), trip.reference)
    assert page.trip
    assert [due.upi_paise for due in dues(page)] == [0, 0]
    alter(User, shop.vendor.id, upi_id="shop@bank")
    await told(page.refresh())
    assert [due.upi_paise for due in dues(page)] == [100_000, 200_000]
    assert page.asked_by_upi == {"rent": "₹1,000", "deposit": "₹2,000", "all": "₹3,000"}
    # The code asks for what is in the field, and is shown while UPI is chosen.
    whole = page.codes
    for amount, asked in (
        ("400", "₹400"),
        ("400.50", "₹400.50"),
        ("", ""),
        ("0", ""),
        ("x", ""),
        ("1e400", ""),
        ("1000", "₹1,000"),
    ):
        await told(page.type_amount("rent", amount))
        assert (page.asked_by_upi["rent"], bool(page.codes["rent"])) == (asked, bool(asked))
        assert (page.codes["rent"] == whole["rent"]) == (amount == "1000")
    assert page.codes == whole
    for of, method in (("rent", "upi"), ("deposit", "cheque"), ("x", "upi")):
        await told(page.choose_method(of, method))
    assert page.methods == {"rent": "upi", "deposit": "cash", "all": "cash"}
    nothing = {"of": "rent", "direction": "in", "amount": "0", "method": "upi", "key": page.payment_keys["rent"]}
    await told(page.pay(nothing))
    assert page.errors["rent"] == "Enter more than 0"

    form = {"of": "rent", "direction": "in", "amount": "400", "method": "cash", "key": page.payment_keys["rent"]}
    await told(page.pay(form | {"paidOn": "2099-01-01"}))
    assert list(page.errors) == ["rent.paidOn"]
    assert "Noted" in " ".join(await told(page.pay(form)))
    # The second of two quick clicks.
    assert await told(page.pay(form)) == []
    assert [due.rupees for due in dues(page)] == ["600", "2000"]
    key = page.payment_keys["rent"]
    assert key != form["key"]
    for amount in ("601", "many"):
        led, refused = await told(page.pay(form | {"amount": amount, "key": key}))
        assert (field_id("rent") in led, "toast" in refused) == (True, True)
        assert not page.errors["rent"].startswith("Amount")
    assert (page.payment_keys["rent"], page.trip.facts.rent) == (key, "₹600 owed by the customer")

    line = page.trip.facts.account[-1]
    assert "take-back-line" in (await told(page.ask_about_line(line.id)))[-1]
    assert page.asked_about == "Rent paid, ₹400"
    led, refused = await told(page.reverse({"note": " "}))
    assert (field_id(TAKE_BACK_LINE) in led, "Please fill this in" in refused) == (True, True)
    assert page.errors[TAKE_BACK_LINE] == "Please fill this in"
    await told(page.reverse({"note": "Typed twice"}))
    assert page.trip.facts.rent == "₹1,000 owed by the customer"
    assert [one.may_act for one in page.trip.facts.account] == [True, False, True]
    assert await told(page.ask_about_line(line.id)) == []
    await told(page.ask_about_line(page.trip.facts.account[-1].id))
    assert page.asked_about == "Rent paid, reversed, -₹400"
    await told(page.reverse({"note": "It was right"}))
    assert (page.trip.facts.account[-1].label, page.trip.facts.rent) == (
        "Rent paid, restored",
        "₹600 owed by the customer",
    )


@journey
async def test_rent_and_deposit_are_noted_one_right_after_the_other_on_a_slow_line(shop: Shop) -> None:
    """The second form is sent before the browser has heard of the first, and both may be pressed twice."""
    trip = confirmed(shop)
    page, _ = await page_of(token_of(shop.vendor), trip.reference)
    paid = {"direction": "in", "method": "cash"}
    rent = paid | {"of": "rent", "amount": "400", "key": page.payment_keys["rent"]}
    deposit = paid | {"of": "deposit", "amount": "2000", "key": page.payment_keys["deposit"]}
    for form, said in ((rent, "Noted"), (deposit, "Noted"), (deposit, ""), (rent, "")):
        answer = await told(page.pay(form))
        assert (said in " ".join(answer), bool(answer)) == (True, bool(said))
    assert page.trip.facts.rent == "₹600 owed by the customer"
    assert page.trip.facts.deposit.startswith(f"₹2,000 held by {shop.vendor.name}, back ")


@journey
async def test_an_extension_is_shown_first_and_refused_with_other_kilometres(shop: Shop) -> None:
    trip = confirmed(shop)
    page, _ = await page_of(token_of(shop.vendor), trip.reference)
    assert page.trip
    before = wall_text(trip.return_at)
    assert "Choose a return after" in (await told(page.ask_extension({"returnDate": before})))[-1]
    assert "Choose a return after" in page.errors["extend"]
    later = f"{datetime.fromisoformat(before) + timedelta(days=1):{WALL}}"
    for ref, chosen in (("another", ""), (trip.reference, later)):
        await told(page.regain_extension(True, json.dumps({"ref": ref, "returnDate": later})))
        assert page.later == chosen
    await told(page.ask_extension({"returnDate": later}))
    assert "₹500 more, ₹1,500 total" in page.extension
    ask(shop.vehicle, DAILY_PAISE // 2, kms_limit=100)
    await told(page.ask_extension({"returnDate": later}))
    assert "nothing more, ₹1,000 total. Kilometres included: 300 km" in page.extension
    ask(shop.vehicle, DAILY_PAISE // 2, kms_limit=80)
    assert "The kilometres included have changed" in (await told(page.extend()))[-1]
    ask(shop.vehicle, DAILY_PAISE // 2, kms_limit=100)
    assert "Booking extended" in (await told(page.extend()))[-1]
    assert (seen(shop.vendor, trip.id).return_at, page.later) == (trip.return_at + timedelta(days=1), "")
    # A second call without a new question changes nothing.
    await told(page.extend())
    assert page.trip.facts.rent == "₹1,000 owed by the customer"


@journey
async def test_a_customer_who_does_not_come_is_marked_once_it_is_time(shop: Shop, stopped_clock: Clock) -> None:
    trip, token = confirmed(shop), token_of(shop.vendor)
    at_pickup(stopped_clock, trip, hours=1)
    page, _ = await page_of(token, trip.reference)
    assert (page.trip.can_mark_absent, page.trip.can_extend) == (False, True)
    assert "can be marked from" in (await told(page.mark_absent()))[-1]
    at_pickup(stopped_clock, trip, hours=2)
    await told(page.refresh())
    assert page.trip.can_mark_absent
    assert "Marked as a no-show" in (await told(page.mark_absent()))[-1]
    assert (page.trip.stage, page.trip.reading) == ("The customer did not come", "")


@journey
async def test_a_booking_of_ones_own_with_another_vendor_is_not_on_the_vendors_page(shop: Shop) -> None:
    elsewhere = open_shop("Elsewhere")
    put(Member(user_id=shop.customer.id or 0, vendor_id=elsewhere.vendor.id or 0))
    alter(User, elsewhere.vendor.id, upi_id="shop@bank")
    page, _ = await page_of(token_of(shop.customer), confirmed(shop).reference)
    assert (page.trip, page.missing) == (None, True)


@journey
async def test_a_booking_is_given_up_with_a_reason(shop: Shop, stopped_clock: Clock) -> None:
    trip, token = confirmed(shop), token_of(shop.vendor)
    page, _ = await page_of(token, trip.id)
    assert page.trip.can_give_up
    # Until the vendor says why, nobody is told of a breakdown.
    await told(page.ask_give_up())
    assert (page.give_up_reason, page.trip.facts.status) == ("", "confirmed")
    led, _ = await told(page.give_up({"reason": "", "note": ""}))
    assert (GIVE_UP_REASON in led, page.errors) == (True, {GIVE_UP_REASON: "Choose a reason"})
    await told(page.choose_reason("other"))
    await told(page.give_up({"reason": "other", "note": ""}))
    assert page.errors == {GIVE_UP: "Say why: the customer reads it"}
    said = " ".join(await told(page.give_up({"reason": "breakdown", "note": "", "block": "1"})))
    assert "Booking cancelled" in said
    assert (page.trip.facts.status, page.trip.can_give_up) == ("cancelled", False)
    theirs = trip_page(seen(shop.customer, trip.id), clock.now())
    assert (theirs.turned_down.reason, theirs.turned_down.has_equals) == ("The vehicle has broken down", True)
    assert theirs.steps[-1].label == "Cancelled by the vendor"


@journey
async def test_something_is_charged_after_the_return_with_a_photo(shop: Shop, stopped_clock: Clock) -> None:
    trip, token = confirmed(shop), token_of(shop.vendor)
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.id)
    at_return(stopped_clock, trip)
    take_back(shop, trip.id)
    page, _ = await page_of(token, trip.id)
    assert page.trip.charges_until
    form = {"kind": "challan", "amount": "500", "note": "Signal jumped", "key": page.charge_key}
    await told(page.charge(form))
    assert page.errors == {CHARGE: "Take a photo"}
    await told(page.charge(form | files(shop, DAMAGE_GROUP)))
    line = page.trip.facts.account[-1]
    assert (line.label, line.amount, bool(line.photo), line.may_act) == ("Traffic challan", "₹500", True, True)
    assert page.charge_key != form["key"]
    theirs = trip_page(seen(shop.customer, trip.id), clock.now())
    assert (theirs.facts.account[-1].label, theirs.facts.account[-1].may_act) == ("Traffic challan", True)
    stopped_clock.move(days=8)
    page, _ = await page_of(token_of(shop.vendor), trip.id)
    assert page.trip.charges_until == ""


@journey
async def test_a_booking_is_moved_to_a_vehicle_that_is_free(shop: Shop) -> None:
    trip, spare = confirmed(shop), add_vehicle(shop.vendor)
    page, _ = await page_of(token_of(shop.vendor), trip.reference)
    await told(page.ask_move())
    assert [choice.value for choice in page.move_choices] == [str(spare.id)]
    await told(page.move({"vehicle": "", "note": ""}))
    assert list(page.errors) == [MOVE]
    assert "The customer is told" in (await told(page.move({"vehicle": str(spare.id), "note": "Service"})))[-1]
    assert page.trip.plate == spare.rc_number


@journey
async def test_the_customer_agrees_by_the_code_that_they_read_out(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    page, _ = await page_of(token_of(shop.vendor), trip.reference)
    assert "Nothing is proposed" in " ".join(await told(page.send_code()))
    grant(shop, trip.id, trip.return_at + timedelta(days=1))
    await told(page.refresh())
    await told(page.send_code())
    assert page.code_for == page.trip.facts.proposal.id
    assert page.code_sent.endswith("It works until 11:10 AM, for this proposal alone.")
    opened_again, _ = await page_of(token_of(shop.vendor), trip.reference)
    assert (opened_again.code_for, opened_again.code_sent) == (page.code_for, page.code_sent)
    for typed in ("", "12345", another(code())):
        await told(page.agree_by_code({"code": typed}))
        assert [*page.errors] == [CODE]
    assert "the customer's code is right" in " ".join(await told(page.agree_by_code({"code": code()})))
    assert (page.trip.facts.proposal, page.errors, seen(shop.vendor, trip.id).price) == (None, {}, 3 * DAILY_PAISE)
