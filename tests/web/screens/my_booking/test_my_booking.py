"""One booking's page behind the browser: what it shows, each action on it, and each refusal in its place."""

from datetime import timedelta

import pytest

from rental_app.domain import clock
from rental_app.infrastructure.db import read, write
from rental_app.models import Booking, User, Vehicle
from rental_app.schemas.trips import VendorCancelRequest
from rental_app.services.accounts.profile import payee
from rental_app.services.trips import cancellations, detail
from rental_app.web.parts.presenters.links import wall_text
from rental_app.web.screens.my_booking.dates_state import ChangeDatesState
from rental_app.web.screens.my_booking.presenter import trip_page
from rental_app.web.screens.my_booking.state import MyBookingState
from rental_app.web.screens.my_bookings.state import MyBookingsState
from rental_app.web.vendor.booking.presenter import trip_page as vendor_trip_page
from tests.conftest import Clock
from tests.support.booking_steps import alter, book, decide, status_of
from tests.support.failures import away
from tests.support.my_booking_state import opened, opened_as, shown
from tests.support.page_states import page_of
from tests.support.shop import DAILY_PAISE, DEPOSIT_PAISE, Shop, actor, add_user, add_vehicle, count, moment, wanted
from tests.support.state_tabs import answers, journey, loaded, tab_of, told
from tests.support.trips import confirmed, grant, hand_over, owed, pay, reverse, seen, take_back


@journey
async def test_an_escaped_address_leads_to_the_same_booking(shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    page = await opened(shop.customer, asked.reference.replace("-", "%2D"))
    assert shown(page).facts.reference == asked.reference


@journey
async def test_a_trip_is_shown_from_the_request_to_the_settled_account(shop: Shop, stopped_clock: Clock) -> None:
    alter(Vehicle, shop.vehicle.id, terms="Helmet on\nNo racing")
    asked = book(shop.customer, wanted(shop.vehicle, length=2))
    page = await opened(shop.customer, asked.reference)
    trip = shown(page)
    assert (trip.terms, trip.vendor_terms) == (["Helmet on", "No racing"], [])
    assert [(step.label, step.state) for step in trip.steps] == [
        ("Requested", "done"),
        ("Waiting", "current"),
        ("Picked up", "ahead"),
        ("Returned", "ahead"),
        ("Settled", "ahead"),
    ]
    assert (trip.may_cancel, bool(trip.request), trip.may_extend, trip.facts.receipt) == (True, True, False, "")
    assert (trip.facts.contact, trip.facts.account, trip.due) == (None, [], "₹3,000")
    decide(shop.vendor, asked.id, "confirmed")
    assert f"{trip.facts.vehicle}: Confirmed" in " ".join(await told(page.refresh()))
    trip = shown(page)
    assert trip.facts.contact.phone == shop.vendor.phone_number
    assert (trip.request, trip.may_extend, bool(trip.facts.receipt), bool(trip.bring)) == (None, True, True, True)
    assert [(line.label, line.amount, line.may_act) for line in trip.facts.account] == [("Rent", "₹1,000", False)]
    assert (trip.facts.rent, trip.facts.deposit) == ("₹1,000 still to pay", "₹2,000 still to pay")
    stopped_clock.instant = asked.pickup
    pay(shop, asked.reference, 2 * DAILY_PAISE)
    pay(shop, asked.reference, DEPOSIT_PAISE, "deposit")
    hand_over(shop, asked.reference)
    await answers(page.load())
    trip = shown(page)
    assert len(trip.facts.handover.photos) == 5
    assert (bool(trip.asks_until), trip.facts.may_object, trip.may_cancel) == (True, True, False)
    assert trip.bring == []
    stopped_clock.instant = asked.return_at + timedelta(hours=2)
    take_back(shop, asked.reference)
    await answers(page.load())
    trip = shown(page)
    assert [step.label for step in trip.steps if step.state == "current"] == ["Returned"]
    assert [line.label for line in trip.facts.account if line.may_act][-2:] == ["Late return", "Kept from the deposit"]
    assert trip.facts.deposit.startswith(f"₹1,900 held by {shop.vendor.name}, back ")
    assert trip.facts.deposit.endswith(", 8 to 9 PM")
    assert "Returned; ₹1,900 held by" in trip.facts.note
    alter(User, shop.vendor.id, gst_number="36AABCU9603R1ZX")
    pay(shop, asked.reference, 190_000, "deposit", "out")
    await answers(page.load())
    assert (trip.receipt_number, shown(page).receipt_number[-5:]) == ("", "/0001")
    assert (shown(page).steps[-1].state, shown(page).facts.deposit) == ("current", "Nothing held")
    assert shown(page).facts.note == "Returned and settled"
    # What is held again after a line was taken back is settled nowhere.
    reverse(shop, asked.reference, seen(shop.vendor, asked.id).ledger[-1].id)
    await answers(page.load())
    held = f"₹1,900 held by {shop.vendor.name}, back "
    assert (shown(page).steps[-1].state, shown(page).facts.note.startswith(f"Returned; {held}")) == ("ahead", True)
    desk = vendor_trip_page(seen(shop.vendor, asked.id), read(payee, actor(shop.vendor)), clock.now())
    assert (desk.stage, desk.facts.deposit.startswith(held)) == ("Returned, not settled yet", True)


@journey
async def test_it_says_at_which_end_the_vendor_comes(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)

    async def where(*extras: str) -> str:
        alter(Booking, trip.id, extras=[*extras], address="Flat 302")
        return shown(await opened(shop.customer, trip.reference)).where

    place = (await where()).removeprefix("Meet at ")
    both = "Delivered to and collected from Flat 302"
    assert await where("drop_off") == "Delivered to Flat 302. Return it to the vendor's own place"
    assert (await where("pick_up"), await where("drop_off", "pick_up")) == (
        f"Meet at {place}. Collected from Flat 302",
        both,
    )
    stopped_clock.instant = trip.pickup
    hand_over(shop, trip.reference)
    assert (await where("drop_off"), await where("pick_up")) == (f"Return it to {place}", "Collected from Flat 302")


@journey
async def test_nobody_elses_booking_is_there_and_visitors_are_asked_to_log_in(shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    for user, ref in ((add_user(), asked.reference), (shop.vendor, asked.reference), (shop.customer, "PH-000000")):
        page = await opened(user, ref)
        assert (page.trip, page.missing, page.problem) == (None, True, "")
    page = await page_of(None, MyBookingState, f"/my-bookings/{asked.reference}")
    assert await told(page.load()) == []
    assert (page.trip, page.missing) == (None, False)
    for ref in (asked.reference.lower(), str(asked.id)):
        assert shown(await opened(shop.customer, ref)).facts.reference == asked.reference


@journey
async def test_another_booking_starts_afresh_and_a_reconnection_does_not(shop: Shop) -> None:
    first = book(shop.customer, wanted(shop.vehicle, 3))
    second = book(shop.customer, wanted(add_vehicle(shop.vendor), 3))
    page = await opened_as(ChangeDatesState, shop.customer, first.reference)
    await answers(page.open_change())
    await answers(page.choose_pickup(wall_text(moment(6))))
    await answers(page.load())
    assert (page.changes, page.pickup) == (True, wall_text(moment(6)))
    other = await page_of(shop.customer, ChangeDatesState, f"/my-bookings/{second.reference}")
    page._get_root_state().router = other.router
    await answers(page.load())
    assert (page.changes, shown(page).facts.reference) == (False, second.reference)


@journey
async def test_what_cannot_be_loaded_says_so_until_it_can(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    monkeypatch.setattr(detail, "own", away)
    page = await opened(shop.customer, asked.reference)
    assert (page.trip, page.problem) == (None, "The service is busy")
    monkeypatch.undo()
    await answers(page.load())
    assert shown(page).facts.reference == asked.reference
    monkeypatch.setattr(detail, "own", away)
    assert await told(page.refresh()) == [], "not at every beat"
    assert (shown(page).facts.reference, page.problem) == (asked.reference, "The service is busy")


@journey
async def test_cancelling_shows_what_it_costs_and_does_what_was_shown(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop, days=8)
    pay(shop, trip.reference, 2 * DAILY_PAISE)
    page = await opened(shop.customer, trip.reference)
    await answers(page.preview_cancellation())
    assert [fact.value for fact in page.terms.facts] == ["₹250", "₹750"]
    assert page.terms.why == "Cancelling now keeps 25 % of the price."
    assert clock.friendly(trip.pickup - timedelta(hours=72)) in page.terms.dearer
    seen_terms = page.terms.paise
    # At the end of the band the new terms are shown, and nothing is cancelled.
    stopped_clock.instant = trip.pickup - timedelta(hours=72)
    told = await answers(page.cancel(seen_terms))
    assert ("check and press again" in told, "close" in told) == (True, False)
    assert page.terms.paise == 75_000
    assert page.terms_problem == "Cancelling now keeps ₹750, not ₹250. Please check and press again"
    assert (status_of(trip.id), page.busy) == ("confirmed", False)
    done = await answers(page.cancel(page.terms.paise))
    assert '"cancel-booking", "closes": true' in done
    assert "Booking cancelled" in done
    assert [step.label for step in shown(page).steps] == ["Requested", "Confirmed", "Cancelled by you"]
    assert owed(seen(shop.customer, trip.id))[0] == 75_000 - 2 * DAILY_PAISE
    assert (shown(page).may_cancel, shown(page).is_request) == (False, False)


@journey
async def test_a_request_is_withdrawn_once_however_often_it_is_pressed(shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    page, other = [await opened(shop.customer, asked.reference) for _ in range(2)]
    await answers(page.preview_cancellation())
    assert (page.terms.why, page.terms.dearer, page.terms.paise) == ("Cancelling now costs nothing.", "", 0)
    await answers(page.cancel(0))
    # The question is about a request still while it closes.
    assert (shown(page).may_cancel, shown(page).is_request) == (False, True)
    events = count("booking_event")
    page.busy = True
    assert await answers(page.cancel(0)) == ""
    told = await answers(other.cancel(0))
    assert ("This booking was already decided" in told, "close" in told) == (True, False)
    assert (other.terms_problem, shown(other).facts.status) == ("This booking was already decided", "cancelled")
    assert count("booking_event") == events
    await answers(other.preview_cancellation())
    assert (other.terms, other.terms_problem) == (None, "This booking was already decided")


@journey
async def test_a_preview_that_fails_is_told_where_it_was_to_stand(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    page = await opened(shop.customer, confirmed(shop).reference)
    monkeypatch.setattr(cancellations, "preview", away)
    assert "The service is busy" in await answers(page.preview_cancellation())
    assert (page.terms, page.terms_problem) == (None, "The service is busy")
    monkeypatch.undo()
    await answers(page.preview_cancellation())
    assert page.terms
    assert page.terms_problem == ""


@pytest.mark.parametrize(
    ("by", "label", "note"),
    [
        ("vendor", "Declined by the vendor", "Declined by the vendor"),
        ("system", "Not answered in time", "The vendor did not answer in time"),
        ("customer", "Cancelled by you", "Cancelled"),
    ],
)
def test_a_booking_that_ended_early_says_how(shop: Shop, by: str, label: str, note: str) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    alter(Booking, asked.id, status="cancelled", cancelled_by=by)
    trip = trip_page(seen(shop.customer, asked.id), clock.now())
    assert [step.label for step in trip.steps] == ["Requested", label]
    assert (trip.facts.note, trip.may_cancel, trip.facts.contact) == (note, False, None)


@journey
async def test_the_list_leads_to_each_page_and_shows_its_parts(shop: Shop) -> None:
    near, far = [book(shop.customer, wanted(add_vehicle(shop.vendor), days)) for days in (3, 9)]
    alter(Booking, book(shop.customer, wanted(shop.vehicle, 5)).id, status="cancelled", cancelled_by="vendor")
    mine = await loaded(tab_of(shop.customer, MyBookingsState))
    assert mine.parts == ["Upcoming", "Past"]
    assert [card.part for card in mine.bookings] == ["Upcoming", "Upcoming", "Past"]
    assert [card.href for card in mine.bookings[:2]] == [f"/my-bookings/{one.reference}" for one in (near, far)]


@journey
async def test_the_time_left_is_counted_to_the_pickup_then_to_the_return_and_then_what_being_late_costs(
    shop: Shop, stopped_clock: Clock
) -> None:
    alter(Vehicle, shop.vehicle.id, late_penalty_paise=90_000)
    asked = book(shop.customer, wanted(shop.vehicle, length=2))
    page = await opened(shop.customer, asked.reference)
    assert shown(page).countdown is None
    decide(shop.vendor, asked.id, "confirmed")
    stopped_clock.instant = asked.pickup - timedelta(hours=3, minutes=10)
    await answers(page.load())
    left = shown(page).countdown
    assert (left.left, left.what, left.share) == ("3 h 10 min", "until the pickup", -1)
    alter(Booking, asked.id, stage="out")
    stopped_clock.instant = asked.pickup + timedelta(hours=4)
    await answers(page.load())
    left = shown(page).countdown
    assert (left.left, left.what, left.share, left.late) == ("1 d 20 h", "left to ride", 8, False)
    stopped_clock.instant = asked.return_at + timedelta(hours=1, minutes=20)
    await answers(page.load())
    left = shown(page).countdown
    assert (left.left, left.late, " so far at " in left.what) == ("1 h 20 min", True, True)
    # Any 24 hours cost at most twice a Full Day.
    stopped_clock.instant = asked.return_at + timedelta(days=1)
    await answers(page.load())
    left = shown(page).countdown
    assert left.what.startswith("late, ₹1,000 so far")


@journey
async def test_a_declined_request_says_why_and_leads_to_others_for_the_same_dates(shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle, 4))
    page = await opened(shop.customer, asked.reference)
    assert shown(page).turned_down is None
    decide(shop.vendor, asked.id, "cancelled")
    await answers(page.load())
    assert shown(page).turned_down.others.startswith("/vehicles?pickupDate=")


@journey
async def test_an_equal_is_taken_in_place_of_what_the_vendor_cannot_give(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    equal = add_vehicle(shop.vendor, daily=2 * DAILY_PAISE)
    page = await opened(shop.customer, trip.reference)
    assert page.equals == []
    write(cancellations.cancel_as_vendor, actor(shop.vendor), trip.reference, VendorCancelRequest(reason="sold"))
    await told(page.refresh())
    assert [(one.id, one.total, one.at_once) for one in page.equals if one.at_once] == [(equal.id, "₹1,000", True)]
    gone = " ".join(await told(page.take_equal(shop.vehicle.id or 0)))
    assert "not offered in its place" in gone
    assert "not offered in its place" in page.equals_problem
    assert "/my-bookings/PH-" in " ".join(await told(page.take_equal(equal.id or 0)))
    await told(page.refresh())
    assert page.equals == []


@journey
async def test_what_the_vendor_proposes_is_agreed_to_or_refused(shop: Shop) -> None:
    trip = confirmed(shop)
    page = await opened(shop.customer, trip.reference)
    for answer, return_at in (("no", trip.return_at), ("yes", trip.return_at + timedelta(days=1))):
        grant(shop, trip.id, trip.return_at + timedelta(days=1))
        await told(page.refresh())
        asked = shown(page).facts.proposal
        await told(page.answer_proposal(asked.id, asked.total, answer))
        assert shown(page).facts.proposal is None
        assert seen(shop.customer, trip.id).return_at == return_at
    await told(page.answer_proposal(asked.id, asked.total, "yes"))
    assert seen(shop.customer, trip.id).return_at == trip.return_at + timedelta(days=1)
