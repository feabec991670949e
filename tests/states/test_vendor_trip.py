"""A vendor's booking behind its page: the steps beside the vehicle, money, questions, and who may ask."""

import json
from datetime import datetime, timedelta

import reflex as rx
from reflex.istate.data import ReflexURL, RouterData

from rental_app.db import write
from rental_app.models import User
from rental_app.rules.uploads import DAMAGE_GROUP, PUBLIC_GROUPS, TRIP_GROUPS, trip_upload
from rental_app.schemas.trips import PAPERS, ObjectRequest
from rental_app.services.trips import objections
from rental_app.states.base import SessionState
from rental_app.states.vendor.trip import VendorTripState
from rental_app.states.vendor.trip_readings import ReadingState
from rental_app.views.links import WALL
from rental_app.views.vendor.trip_account import Due
from tests.conftest import Clock
from tests.helpers import Shop, actor, count, open_shop, token_of
from tests.services.steps import alter
from tests.services.test_trip_drafts import send
from tests.services.trips import at_pickup, at_return, confirmed, hand_over, pay, seen
from tests.states.tabs import journey, tab_of, told

WITH_FORM = ("pay", "reverse", "ask_extension", "note", "note_typed", "add_damage")
PAYLOADS = {"ask_about_line": [1], "drop_damage": [1]}
TICKED = {"papers": "1"} | dict.fromkeys(PAPERS, "on")


async def page_of(token: str, ref: object) -> tuple[VendorTripState, ReadingState]:
    """A booking's page in a fresh tab, loaded. A token from before the clock was moved still holds, a later one not."""
    page = await tab_of(None, VendorTripState)
    (await page.get_state(SessionState)).token = token
    page._get_root_state().router = RouterData(url=ReflexURL(f"http://localhost:3000/vendor/bookings/{ref}"))
    steps = await page.get_state(ReadingState)
    await told(page.load())
    await told(steps.load())
    return page, steps


def files(shop: Shop, *groups: str) -> dict[str, str]:
    """The hidden fields of photos that have gone up."""
    return {f"files.{trip_upload(group)}": json.dumps([send(shop, group)]) for group in groups}


def dues(page: VendorTripState) -> list[Due]:
    """What is still to change hands."""
    assert page.trip
    return [due for due in (page.trip.rent_due, page.trip.deposit_due) if due]


@journey
async def test_a_handover_step_by_step_over_a_lost_tab(shop: Shop, stopped_clock: Clock) -> None:
    trip, token = confirmed(shop), token_of(shop.vendor)
    page, steps = await page_of(token, trip.reference)
    assert page.trip
    assert (page.trip.reading, steps.shown) == ("", "")
    assert page.trip.wait.startswith("The handover can be noted from")

    at_pickup(stopped_clock, trip)
    await told(page.refresh())
    await told(steps.follow())
    assert (page.trip.reading, steps.shown) == ("handover", f"{trip.reference} handover")
    assert "Saved" in (await told(steps.note(TICKED)))[-1]
    # What is half typed is neither kept nor complained of, what is right is kept before anybody sends it.
    assert await told(steps.note_typed({"odometer": "13"})) == []
    assert await told(steps.note_typed({"odometer": "1300"} | files(shop, "Odometer Reading"))) == []
    assert "below the vehicle" in (await told(steps.note({"odometer": "13"})))[-1]
    assert "below" in steps.errors["odometer"]
    assert (steps.draft.done, steps.draft.missing) == (["papers", "odometer"], "Fuel or charge, Photos")

    page, steps = await page_of(token, trip.reference.lower())
    assert (steps.draft.odometer, steps.draft.papers) == ("1300", list(PAPERS))
    assert [file.name for file in steps.draft.odometer_photos] == ["Odometer Reading.jpg"]
    assert "Fuel or charge" in " ".join(await told(steps.hand_over()))
    assert set(steps.errors) == {"fuelEighths"}
    await told(steps.note({"fuelEighths": "6"}))
    await told(steps.hand_over())
    assert set(steps.errors) == {trip_upload(side) for side in PUBLIC_GROUPS}
    await told(steps.note(files(shop, *PUBLIC_GROUPS)))
    assert "Vehicle handed over" in (await told(steps.hand_over()))[-1]
    assert page.trip
    assert page.trip.handover
    assert (page.trip.stage, page.trip.reading) == ("On the road", "return")
    assert steps.shown == f"{trip.reference} return"
    assert len(page.trip.handover.photos) == len(TRIP_GROUPS)
    assert seen(shop.customer, trip.id).stage == "out"


@journey
async def test_between_any_two_steps_the_tab_may_be_lost(shop: Shop, stopped_clock: Clock) -> None:
    trip, token = confirmed(shop), token_of(shop.vendor)
    figures = [{"odometer": "1300"}, {"fuelEighths": "6"}, {"helmets": "1"}]
    at_pickup(stopped_clock, trip)
    for form in (*figures, TICKED, *(files(shop, group) for group in TRIP_GROUPS)):
        _, steps = await page_of(token, trip.reference)
        assert "Saved" in (await told(steps.note(form)))[-1]
    assert steps.draft.missing == ""
    for done in ("Vehicle handed over", "handed over already"):
        # Pressed once more where the answer to the last press was lost.
        _, steps = await page_of(token, trip.reference)
        assert done in (await told(steps.hand_over()))[-1]

    at_return(stopped_clock, trip)
    broken = {"note": "Mirror", "amount": "350"} | files(shop, DAMAGE_GROUP)
    for form in (*figures, {"speedings": "0"}, *(files(shop, group) for group in TRIP_GROUPS)):
        _, steps = await page_of(token, trip.reference)
        assert "Saved" in (await told(steps.note(form)))[-1]
    _, steps = await page_of(token, trip.reference)
    await told(steps.add_damage(broken))
    page, steps = await page_of(token, trip.reference)
    assert steps.settlement
    assert steps.settlement.total == "₹350"
    assert set(steps.draft.done) == {"odometer", "fuel", "photos", "helmets", "speedings"}
    for done in ("Vehicle taken back", "returned already"):
        page, steps = await page_of(token, trip.reference)
        assert done in (await told(steps.take_back()))[-1]
    assert page.trip
    assert [line.what for line in page.trip.lines].count("Damage") == 1


@journey
async def test_a_reload_shows_another_phones_steps_and_keeps_what_is_typed_otherwise(
    shop: Shop, stopped_clock: Clock
) -> None:
    trip, token = confirmed(shop), token_of(shop.vendor)
    at_pickup(stopped_clock, trip)
    _, one = await page_of(token, trip.reference)
    _, other = await page_of(token, trip.reference)
    await told(one.note({"odometer": "1300"}))
    for _ in range(2):
        await told(other.load())
        # Another round is another form: what was typed into the one before is gone.
        assert (other.draft.odometer, other.round) == ("1300", 1)
    await told(one.load())
    assert one.round == 0


@journey
async def test_what_a_return_costs_is_shown_before_it_is_final(shop: Shop, stopped_clock: Clock) -> None:
    trip, token = confirmed(shop), token_of(shop.vendor)
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.id)
    pay(shop, trip.id, trip.price)
    pay(shop, trip.id, trip.deposit, "deposit")
    at_return(stopped_clock, trip, hours=1)
    page, steps = await page_of(token, trip.id)
    assert steps.settlement
    assert [line.value for line in steps.settlement.lines] == ["₹50"]
    await told(steps.note({"odometer": "1520", "fuelEighths": "8", "helmets": "1", "speedings": "2"}))
    assert "Take a photo" in (await told(steps.add_damage({"note": "Mirror", "amount": "350"})))[-1]
    await told(steps.add_damage({"note": "Mirror", "amount": "350"} | files(shop, DAMAGE_GROUP)))
    assert (steps.damage_round, [one.amount for one in steps.draft.damages]) == (1, ["₹350"])
    assert [line.value for line in steps.settlement.lines] == ["₹50", "₹100", "₹200", "₹350"]
    assert (steps.settlement.total, steps.settlement.kept) == ("₹700", "₹700")
    assert steps.settlement.deposit == "₹1,300 owed to the customer"

    await told(steps.note(files(shop, *TRIP_GROUPS)))
    assert "Vehicle taken back" in (await told(steps.take_back()))[-1]
    assert page.trip
    assert (page.trip.reading, steps.shown) == ("", "")
    assert steps.settlement is None
    due = page.trip.deposit_due
    assert due
    assert (page.trip.rent_due, due.direction, due.rupees, due.qr) == (None, "out", "1300", "")
    await told(page.pay({"of": "deposit", "direction": "out", "amount": due.rupees, "method": "upi"}))
    assert (page.trip.stage, page.trip.deposit_due) == ("Settled", None)
    assert [event.what for event in page.trip.history][-2:] == ["Deposit given back", "Settled"]


@journey
async def test_money_is_noted_once_and_upi_asks_for_what_is_owed(shop: Shop) -> None:
    trip = confirmed(shop)
    page, _ = await page_of(token_of(shop.vendor), trip.reference)
    assert page.trip
    assert [due.qr for due in dues(page)] == ["", ""]
    alter(User, shop.vendor.id, upi_id="shop@bank")
    await told(page.refresh())
    assert all(due.qr.startswith("data:image/svg+xml") for due in dues(page))

    form = {"of": "rent", "direction": "in", "amount": "400", "method": "cash", "key": page.payment_key}
    assert "Noted" in (await told(page.pay(form)))[-1]
    # The same form again, after an answer that never arrived.
    await told(page.pay(form))
    assert [due.rupees for due in dues(page)] == ["600", "2000"]
    key = page.payment_key
    assert key != form["key"]
    for amount in ("601", "0", "-1", "1.005", "many", ""):
        assert "toast" in (await told(page.pay(form | {"amount": amount, "key": key})))[-1]
        assert page.errors["rent"]
    assert (page.payment_key, page.trip.rent) == (key, "₹600 owed by the customer")

    line = page.trip.lines[-1]
    assert "take-back-line" in (await told(page.ask_about_line(line.id)))[-1]
    assert page.asked_about == "Rent paid, ₹400"
    assert "Please fill this in" in (await told(page.reverse({"note": " "})))[-1]
    await told(page.reverse({"note": "Typed twice"}))
    assert page.trip.rent == "₹1,000 owed by the customer"
    assert [one.reversible for one in page.trip.lines] == [True, False, False]
    assert await told(page.ask_about_line(line.id)) == []


@journey
async def test_an_extension_is_priced_first_and_refused_at_another_price(shop: Shop) -> None:
    trip = confirmed(shop)
    page, _ = await page_of(token_of(shop.vendor), trip.reference)
    assert page.trip
    before = page.trip.return_wall
    assert "Choose a return after" in (await told(page.ask_extension({"returnDate": before})))[-1]
    assert "Choose a return after" in page.errors["extend"]
    later = f"{datetime.fromisoformat(before) + timedelta(days=1):{WALL}}"
    await told(page.ask_extension({"returnDate": later}))
    assert "₹500 more, ₹1,500 in all" in page.extension
    assert "Booking extended" in (await told(page.extend()))[-1]
    assert page.trip.return_wall == later
    # Asked again without a new question, it changes nothing.
    await told(page.extend())
    assert page.trip.rent == "₹1,500 owed by the customer"


@journey
async def test_a_customer_who_does_not_come_is_marked_once_it_is_time(shop: Shop, stopped_clock: Clock) -> None:
    trip, token = confirmed(shop), token_of(shop.vendor)
    at_pickup(stopped_clock, trip, hours=1)
    page, _ = await page_of(token, trip.reference)
    assert page.trip
    assert (page.trip.can_mark_absent, page.trip.can_extend) == (False, True)
    assert "can be marked from" in (await told(page.mark_absent()))[-1]
    at_pickup(stopped_clock, trip, hours=2)
    await told(page.refresh())
    assert page.trip.can_mark_absent
    assert "Marked as a no-show" in (await told(page.mark_absent()))[-1]
    assert (page.trip.stage, page.trip.reading) == ("The customer did not come", "")


@journey
async def test_an_objection_is_open_until_its_line_is_taken_back(shop: Shop, stopped_clock: Clock) -> None:
    trip, token = confirmed(shop), token_of(shop.vendor)
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.id)
    paid = pay(shop, trip.id, trip.price).ledger[-1].id
    for entry in (paid, None):
        said = ObjectRequest(entry=entry, note="That is not so")
        write(objections.object_to, actor(shop.customer), str(trip.id), said)
    page, _ = await page_of(token, trip.reference)
    assert page.trip
    assert [(one.about, one.open) for one in page.trip.objections] == [
        ("Rent paid, ₹1,000", True),
        ("The handover as it was noted", True),
    ]
    assert [line.open for line in page.trip.lines] == [False, True]
    await told(page.ask_about_line(paid))
    await told(page.reverse({"note": "The customer is right"}))
    assert [one.open for one in page.trip.objections] == [False, True]


@journey
async def test_strangers_see_and_change_nothing(shop: Shop) -> None:
    trip = confirmed(shop)
    before = seen(shop.vendor, trip.id)
    form = {"of": "rent", "direction": "in", "amount": "1", "method": "cash", "note": "x", "odometer": "1300"}
    for user, missing in ((shop.customer, False), (None, False), (open_shop("Elsewhere").vendor, True)):
        page, steps = await page_of(token_of(user) if user else "", trip.reference)
        assert (page.trip, page.missing) == (None, missing)
        for state in (page, steps):
            for name in sorted(set(state.event_handlers) - set(rx.State.event_handlers)):
                await told(getattr(state, name)(*PAYLOADS.get(name, [form] if name in WITH_FORM else [])))
        assert (page.trip, steps.shown, steps.draft.done) == (None, "", [])
    assert seen(shop.vendor, trip.id) == before
    assert count("trip_draft") == 0
