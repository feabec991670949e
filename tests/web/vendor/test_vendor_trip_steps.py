"""The steps next to the vehicle: a handover resumes wherever it was left, on any phone."""

from rental_app.domain import clock
from rental_app.domain.uploads import PUBLIC_GROUPS, TRIP_GROUPS, trip_upload
from rental_app.models import TripDraft
from rental_app.schemas.readings import PAPERS
from rental_app.web.parts.presenters.links import wall_text
from tests.conftest import Clock
from tests.support.guests import at_counter
from tests.support.shop import Shop, moment, put, token_of
from tests.support.state_tabs import journey, told
from tests.support.trips import at_pickup, at_return, confirmed, hand_over, seen
from tests.support.vendor_booking_state import files, page_of

TICKED = {"papers": "1"} | dict.fromkeys(PAPERS, "on")


@journey
async def test_a_handover_step_by_step_over_a_lost_tab(shop: Shop, stopped_clock: Clock) -> None:
    trip, token = confirmed(shop), token_of(shop.vendor)
    page, steps = await page_of(token, trip.reference)
    assert (page.trip.reading, steps.shown) == ("", "")
    assert page.trip.wait.startswith("The handover can be noted from")

    at_pickup(stopped_clock, trip)
    await told(page.refresh())
    await told(steps.follow())
    assert (page.trip.reading, steps.shown) == ("handover", f"{trip.reference} handover")
    assert steps.to == "papers"
    assert "all four documents" in (await told(steps.note(TICKED | {"step": "papers", "licence": ""})))[0]
    assert await told(steps.note(TICKED | {"step": "papers"})) == []
    assert (steps.to, steps.passed, steps.saved[:6]) == ("readings", ["papers"], "Saved ")
    # Half-typed values are neither saved nor refused; valid ones are saved before anybody submits them.
    assert await told(steps.note_typed({"odometer": "13"})) == []
    assert await told(steps.note_typed({"odometer": "1,300 km"} | files(shop, "Odometer Reading"))) == []
    assert "below the vehicle" in (await told(steps.note({"odometer": "13"})))[-1]
    assert "below" in steps.errors["odometer"]
    assert (steps.draft.done, steps.draft.missing) == (["papers", "odometer"], "Fuel or charge, Photos")

    page, steps = await page_of(token, trip.reference.lower())
    assert (steps.draft.odometer, steps.draft.papers) == ("1300", list(PAPERS))
    # A page that is opened anew says when something was last saved.
    assert steps.saved == f"Saved {clock.hour_text(clock.now())}"
    assert [file.name for file in steps.draft.odometer_photos] == ["Odometer Reading.jpg"]
    await told(steps.hand_over())
    assert (steps.to, "fuelEighths" in steps.errors) == ("readings", True)
    assert set(steps.errors) == {"fuelEighths"}
    await told(steps.note({"fuelEighths": "6"}))
    assert [(one.name, one.text) for one in steps.draft.folded] == [
        ("papers", "All seen"),
        ("readings", "1,300 km, 3/4"),
    ]
    # A done step is undone as a whole, and its forms start anew; a step of the other reading is not there.
    rounds = steps.round
    for step in ("readings", "speedings", "nothing"):
        await told(steps.undo(step))
    assert (steps.draft.odometer, steps.draft.fuel, steps.to, steps.round) == ("", "", "readings", rounds + 1)
    await told(steps.note({"odometer": "1300", "fuelEighths": "6"}))
    await told(steps.hand_over())
    assert set(steps.errors) == {trip_upload(side) for side in PUBLIC_GROUPS}
    await told(steps.note(files(shop, *PUBLIC_GROUPS)))
    # Rent and deposit are unpaid: a second question asks why.
    assert "hand-over-unpaid" in " ".join(await told(steps.hand_over()))
    assert "₹1,000 of the rent and ₹2,000 of the deposit still to be paid" in steps.unpaid
    await told(steps.hand_over_unpaid({"unpaidReason": ""}))
    assert list(steps.errors) == ["unpaidReason"]
    assert "Vehicle handed over" in " ".join(await told(steps.hand_over_unpaid({"unpaidReason": "Pays tonight"})))
    assert (page.trip.stage, page.trip.reading) == ("On the road", "return")
    assert steps.shown == f"{trip.reference} return"
    assert len(page.trip.facts.handover.photos) == len(TRIP_GROUPS)
    assert seen(shop.customer, trip.id).stage == "out"


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
        # A new round is a new form: what was typed into the previous one is gone.
        assert (other.draft.odometer, other.round) == ("1300", 1)
    await told(one.load())
    assert one.round == 0


@journey
async def test_an_odometer_that_no_account_can_hold_is_corrected_on_the_page(shop: Shop, stopped_clock: Clock) -> None:
    trip, token = confirmed(shop), token_of(shop.vendor)
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.id)
    at_return(stopped_clock, trip)
    _, steps = await page_of(token, trip.reference)
    assert await told(steps.note_typed({"odometer": "1300000"})) == []
    assert "look at the odometer again" in (await told(steps.note({"odometer": "1300000"})))[-1]
    # As saved before drafts refused it.
    put(TripDraft(booking_id=trip.id, kind="return", noted={"odometer": 1_300_000}))
    _, steps = await page_of(token, trip.reference)
    assert (steps.shown, steps.draft.odometer) == (f"{trip.reference} return", "1300000")
    assert "look at the odometer again" in steps.errors["odometer"]
    await told(steps.note({"odometer": "1400"}))
    assert (steps.errors, bool(steps.settlement)) == ({}, True)


@journey
async def test_a_vehicle_that_nobody_fetched_is_not_handed_over_and_the_page_says_why(
    shop: Shop, stopped_clock: Clock
) -> None:
    trip, token = confirmed(shop), token_of(shop.vendor)
    at_return(stopped_clock, trip)
    page, steps = await page_of(token, trip.reference)
    assert (page.trip.reading, steps.shown, page.trip.can_mark_absent) == ("", "", True)
    assert page.trip.wait == "The rental period of this booking is over."


@journey
async def test_the_lines_of_a_return_follow_when_the_vehicle_came_back(shop: Shop, stopped_clock: Clock) -> None:
    trip, token = confirmed(shop), token_of(shop.vendor)
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.id)
    at_return(stopped_clock, trip, hours=3)
    _, steps = await page_of(token, trip.reference)
    assert await told(steps.note_typed({"odometer": "1300"})) == []
    assert [line.amount for line in steps.settlement.lines] == ["₹150"]
    assert "before the handover" in (await told(steps.note_came_back("2026-01-01T10:00")))[-1]
    assert "before the handover" in steps.errors["cameBackAt"]
    # Nothing is final by an earlier time while the one in the field is refused.
    await told(steps.note_breakdown(False))
    assert "before the handover" in (await told(steps.take_back()))[-1]
    assert "before the handover" in steps.errors["cameBackAt"]
    assert await told(steps.note_came_back(wall_text(trip.return_at))) == []
    assert (steps.errors, steps.settlement.lines, steps.draft.came_back) == ({}, [], wall_text(trip.return_at))
    await told(steps.note_came_back(""))
    assert [line.amount for line in steps.settlement.lines] == ["₹150"]


@journey
async def test_a_rental_that_was_over_when_it_was_booked_goes_out_and_comes_back_afterwards(
    shop: Shop, stopped_clock: Clock
) -> None:
    left, back = moment(-1), moment(0, 9)
    made = at_counter(shop.vendor, shop.vehicle, left, back, reason="The shop had no network")
    page, steps = await page_of(token_of(shop.vendor), made.reference)
    assert (page.trip.wait, page.trip.reading, steps.draft.went_out) == ("", "handover", wall_text(left))
    assert f"{clock.friendly(left)}, noted" in page.trip.facts.history[-1].when
    assert page.trip.facts.history[-1].when.endswith("by you")
    hand_over(shop, made.id)
    await told(page.refresh())
    assert page.trip.facts.handover.at.startswith(f"{clock.friendly(left)}, noted")
