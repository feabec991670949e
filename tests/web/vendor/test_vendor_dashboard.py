"""The dashboard and the frame behind their pages: live figures, the sample, and the next user of a tab."""

from dataclasses import replace
from datetime import date, time, timedelta
from typing import Any

import pytest
from sqlalchemy import select, text
from sqlmodel import col

from rental_app.domain import clock
from rental_app.domain.uploads import AVATAR
from rental_app.infrastructure.db import read, write
from rental_app.models import Booking
from rental_app.schemas.bookings import BookingView, StatusChange
from rental_app.schemas.fleet import MaintenanceIn
from rental_app.schemas.validation import validated
from rental_app.services.bookings import requests
from rental_app.services.earnings import dashboard
from rental_app.services.files import uploads
from rental_app.services.files.storage import CheckedFile
from rental_app.services.fleet import maintenance
from rental_app.services.trips import detail
from rental_app.web.frame.vendor_state import ShellState
from rental_app.web.vendor.dashboard.presenter import dashboard_page
from rental_app.web.vendor.dashboard.state import DashboardState
from rental_app.web.vendor.dashboard.today_presenter import day_page
from rental_app.web.vendor.manage_vehicles.maintenance_state import MaintenanceState
from tests.conftest import Clock
from tests.support.busy_day import busy_day
from tests.support.failures import away
from tests.support.page_states import page_of
from tests.support.rest_helpers import hire
from tests.support.shop import Shop, actor, add_user, add_vehicle, moment, open_shop, wanted
from tests.support.state_tabs import answers, content, hand_over, journey, loaded, tab_of
from tests.support.vendor_requests import move_elsewhere, stored_status


def asked(shop: Shop, days: int) -> BookingView:
    return write(requests.create, actor(shop.customer), wanted(shop.vehicle, days=days))


def confirmed(shop: Shop, days: int) -> str:
    made = asked(shop, days)
    write(requests.change_status, actor(shop.vendor), StatusChange(booking_id=made.id, status="confirmed"))
    return made.reference


@journey
async def test_the_page_shows_the_vendors_own_figures(shop: Shop) -> None:
    reference = confirmed(shop, days=2)
    tab = await tab_of(shop.vendor, DashboardState)
    assert "error" not in await answers(tab.load())
    page = tab.page
    # A vendor without a vehicle adds one before anything is booked.
    newcomer = await loaded(tab_of(add_user("Vendor"), DashboardState))
    assert (page.no_vehicles, newcomer.page.no_vehicles) == (False, True)
    assert (page.total_cars, page.total_bookings, page.pending_bookings, page.completed_bookings) == tuple("1101")
    day = tab.day
    assert (day.requests, day.has_trips, day.nothing) == ([], False, True)
    assert page.recent[0].href == f"/vendor/bookings/{reference}"
    assert (page.recent[0].status, page.recent[0].price) == ("Confirmed", "₹500")
    assert len(page.months) == 12
    assert not tab.sample


def test_recent_bookings_say_the_year_where_it_is_another_one(shop: Shop) -> None:
    asked(shop, days=2)
    found = read(dashboard.overview, actor(shop.vendor))
    ends = {"pickup": clock.at(date(2026, 12, 30), time(10)), "return_at": clock.at(date(2027, 1, 4), time(10))}
    figures = found.figures.model_copy(
        update={"recent_bookings": [found.figures.recent_bookings[0].model_copy(update=ends)]}
    )
    page = dashboard_page(replace(found, figures=figures, instant=clock.at(date(2026, 12, 1), time(8))))
    assert [line.dates for line in page.recent] == ["Wed 30 Dec to Mon 4 Jan 2027"]


@journey
async def test_papers_that_run_out_lead_to_their_renewal_and_past_five_to_all(shop: Shop) -> None:
    first = add_vehicle(shop.vendor, insurance_expiry_date=moment(-2).date())
    for _ in range(6):
        add_vehicle(shop.vendor, pollution_expiry_date=moment(9).date())
    tab = await loaded(tab_of(shop.vendor, DashboardState))
    assert (len(tab.day.papers), tab.day.papers_count, bool(tab.day.papers_href)) == (5, 7, True)
    line = tab.day.papers[0]
    assert (line.vehicle, line.plate, line.overdue) == ("Honda Activa 6G", first.rc_number, True)
    assert (line.note, line.href) == ("Insurance expired 2 days ago", f"/vendor/manage-vehicles?renew={first.id}")
    assert not tab.day.papers[1].overdue


def test_a_busy_day_reads_as_times_amounts_and_next_steps(shop: Shop, stopped_clock: Clock) -> None:
    busy_day(shop)
    instant = clock.now()
    page = day_page(read(dashboard.day_of_vendor, actor(shop.vendor)), instant)
    assert page.requests_href == "/vendor/manage-bookings?part=all&due=answer&sort=deadline"
    out = page.going_out.lines
    assert (out[0].when, out[0].note, out[0].money) == ("1 PM", "", "₹2,300 due")
    assert [line.is_next for line in out] == [True, False, False, False, False]
    assert out[0].act_href == f"{out[0].href}/handover"
    back = page.coming_back
    assert (page.overdue, back.count, {line.late for line in back.lines}) == ("5 overdue", 20, {True})
    assert (back.lines[0].act, back.lines[0].money, back.lines[0].is_next) == ("Receive", "₹1,000 held", True)
    assert back.lines[0].note.endswith(" late")
    owed = page.money.lines[0]
    assert (owed.act, owed.note, page.give_back, page.collect) == ("Give back ₹1,000", "deposit", "₹20,000", "₹0")
    assert (page.objections.count, page.objections.lines[0].act) == (8, "Answer")
    soon = day_page(read(dashboard.day_of_vendor, actor(shop.vendor)), instant + timedelta(minutes=70))
    assert soon.going_out.lines[0].note == "in 50 min"


@journey
async def test_maintenance_that_is_due_leads_to_its_sheet(shop: Shop) -> None:
    noted = {"kind": "service", "doneOn": moment(-90).date(), "cost": "0", "odometer": "900", "nextKm": "1100"}
    write(maintenance.add, actor(shop.vendor), shop.vehicle.id, validated(MaintenanceIn, noted))
    tab = await loaded(tab_of(shop.vendor, DashboardState))
    (line,) = tab.day.maintenance
    assert (line.plate, line.href) == (shop.vehicle.rc_number, f"/vendor/manage-vehicles?maintenance={shop.vehicle.id}")
    assert (line.overdue, line.note) == (True, "Service due since 1,100 km")
    sheet = await page_of(shop.vendor, MaintenanceState, line.href)
    assert "maintenance" in await answers(sheet.arrive())
    assert (sheet.vehicle, len(sheet.entries)) == (shop.vehicle.id, 1)


@journey
async def test_the_first_steps_of_a_newcomer_lead_to_what_is_to_be_done(shop: Shop) -> None:
    tab = await loaded(tab_of(add_user("Vendor", upi_id="new@bank"), DashboardState))
    assert tab.day.steps_note == "1 of 5 done"
    assert [step.href for step in tab.day.steps if step.is_done] == ["/vendor/profile"]
    assert tab.day.steps[0].href == "/vendor/add-vehicle"


@journey
async def test_an_open_page_hears_of_requests_and_of_answers_given_elsewhere(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab = await loaded(tab_of(shop.vendor, DashboardState))
    readings: list[object] = []
    with monkeypatch.context() as patched:
        patched.setattr(dashboard, "overview", lambda *about: readings.append(about))
        await answers(tab.look())
    assert readings == [], "nothing more is read while nothing has changed"
    made = asked(shop, 2)
    await answers(tab.look())
    assert (tab.waiting, [card.id for card in tab.day.requests]) == (1, [str(made.id)])
    assert tab.newest.startswith(f"New request: Honda Activa 6G, {shop.vehicle.rc_number} for Person")
    write(requests.change_status, actor(shop.vendor), StatusChange(booking_id=made.id, status="confirmed"))
    await answers(tab.look())
    assert (tab.waiting, tab.day.requests) == (0, [])


@journey
async def test_what_was_answered_keeps_its_place_for_a_moment(shop: Shop, stopped_clock: Clock) -> None:
    first, second = asked(shop, 2), asked(shop, 5)
    tab = await loaded(tab_of(shop.vendor, DashboardState))
    ids = [card.id for card in tab.day.requests]
    assert ids == [str(first.id), str(second.id)]
    await answers(tab.answer(ids[0], None, ""))
    assert [card.id for card in tab.day.requests] == ids
    assert tab.day.requests[0].outcome.endswith(": accepted")
    assert (tab.day.requests[1].outcome, tab.day.requests_count) == ("", 1)
    assert await answers(tab.answer(ids[0], None, "")) == "", "the second of two quick presses"
    await answers(tab.look())
    assert [card.id for card in tab.day.requests] == ids
    stopped_clock.move(seconds=5)
    await answers(tab.look())
    assert [card.id for card in tab.day.requests] == ids[1:]


@journey
async def test_an_answer_acts_at_the_press(shop: Shop) -> None:
    accepted, declined, gone, left = (asked(shop, days) for days in (2, 5, 8, 11))
    stranger = asked(open_shop("Elsewhere"), days=2)
    write(requests.change_status, actor(shop.vendor), StatusChange(booking_id=gone.id, status="cancelled"))
    tab = await loaded(tab_of(shop.vendor, DashboardState))
    assert f"Honda Activa 6G, {shop.vehicle.rc_number} for Person" in (
        told := await answers(tab.answer(str(accepted.id), None, ""))
    )
    assert ": accepted" in told
    assert ": declined" in await answers(tab.answer(str(declined.id), None, "repair"))
    for booking, reason, said in (
        (gone.id, "", "A request: This booking was already decided"),
        (stranger.id, "", "A request: There is no such booking"),
        ("x", "", "A request: "),
        (left.id, "because", f"for {shop.customer.name}: "),
    ):
        assert said in await answers(tab.answer(str(booking), None, reason))
    assert [card.id for card in tab.day.requests if not card.outcome] == [str(left.id)]
    asked_for = [view.id for view in (accepted, declined, gone, left, stranger)]
    by_id = select(col(Booking.status)).where(col(Booking.id).in_(asked_for)).order_by(col(Booking.id))
    statuses = read(lambda session: session.scalars(by_id).all())
    assert statuses == ["confirmed", "cancelled", "cancelled", "pending", "pending"]
    happened = read(detail.view_of, actor(shop.customer), str(declined.id)).timeline
    assert [(one.what, one.note) for one in happened][-1] == ("declined", "The vehicle needs repair")


@pytest.mark.parametrize("away_for_a_moment", ["accounts.sessions.authenticate", "earnings.dashboard.overview"])
@journey
async def test_a_failing_beat_leaves_the_figures(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, away_for_a_moment: str
) -> None:
    tab = await loaded(tab_of(shop.vendor, DashboardState))
    shown = tab.page
    monkeypatch.setattr(f"rental_app.services.{away_for_a_moment}", away)
    assert await answers(tab.refresh()) == "", "not at every beat"
    assert (tab.page, tab.sample) == (shown, False)


@journey
async def test_an_answer_is_about_the_request_as_it_was_shown(shop: Shop) -> None:
    moved, stays = asked(shop, 2), asked(shop, 5)
    tab = await loaded(tab_of(shop.vendor, DashboardState))
    presses = [(card.id, card.shown) for card in tab.day.requests]
    move_elsewhere(shop, moved.id, 20, 45)
    # What counts is not what the page holds now, but what stood beside the answer when it was chosen.
    await answers(tab.refresh())
    told = "".join([await answers(tab.answer(*press, "")) for press in presses])
    assert f"for {shop.customer.name}: accepted" in told
    assert f"for {shop.customer.name}: The customer has changed this request" in told
    left = [(card.id, card.price) for card in tab.day.requests if not card.outcome]
    assert left == [(str(moved.id), "₹12,500")]
    assert (stored_status(moved.id), stored_status(stays.id)) == ("pending", "confirmed")


@journey
async def test_a_failure_shows_the_labelled_sample_and_nothing_of_the_vendor(shop: Shop) -> None:
    confirmed(shop, days=2)
    write(lambda session: session.execute(text("ALTER TABLE booking RENAME TO hidden")))
    tab = await tab_of(shop.vendor, DashboardState)
    assert "try again shortly" in await answers(tab.load())
    assert tab.sample
    assert tab.page.recent[0].customer == "Sample customer"
    assert {line.href for line in tab.day.going_out.lines} == {"/vendor/manage-bookings"}
    # Its parts agree with each other.
    assert tab.page.pending_bookings == str(len(tab.day.requests)) == "1"
    assert tab.page.year_summary.endswith(f", {tab.page.completed_bookings} confirmed bookings")
    assert tab.page.monthly_revenue == tab.page.months[-1].revenue
    statuses = {line.title: line.status for line in tab.page.recent}
    assert {statuses[line.vehicle] for line in tab.day.going_out.lines} == {"Confirmed"}
    assert {statuses[card.title] for card in tab.day.requests} == {"Pending"}
    assert shop.customer.name not in tab.page.model_dump_json()
    write(lambda session: session.execute(text("ALTER TABLE hidden RENAME TO booking")))
    await answers(tab.load())
    assert not tab.sample
    assert tab.page.recent[0].customer == shop.customer.name


def picture(name: str) -> CheckedFile:
    return CheckedFile(AVATAR, f"public/{name}.jpg", "image/jpeg", 1, {})


@pytest.mark.parametrize("which", [DashboardState, ShellState])
@journey
async def test_the_next_user_of_a_tab_finds_nothing_of_the_vendor(shop: Shop, which: Any) -> None:
    write(uploads.set_avatar, actor(shop.vendor), picture("mine"))
    confirmed(shop, days=2)
    tab = await tab_of(shop.vendor, which)
    empty = content(tab)
    await answers(tab.load())
    assert content(tab) != empty
    await hand_over(tab, shop.customer)
    await answers(tab.load())
    assert content(tab) == empty


@journey
async def test_the_frame_counts_what_waits_for_those_who_may_do_it(shop: Shop) -> None:
    asked(shop, 2)
    add_vehicle(shop.vendor, insurance_expiry_date=moment(2).date())
    add_vehicle(shop.vendor, insurance_expiry_date=moment(2).date(), is_active=False)
    tab = await loaded(tab_of(shop.vendor, ShellState))
    assert (tab.requests, tab.documents) == (1, 1)
    counter = await loaded(tab_of(hire(shop), ShellState))
    assert (counter.requests, counter.documents) == (1, 0)


@journey
async def test_the_frame_shows_the_picture_or_initials(shop: Shop) -> None:
    tab = await loaded(tab_of(shop.vendor, ShellState))
    assert (tab.image, tab.initials) == ("", "P" + shop.vendor.name.split()[1][0])
    write(uploads.set_avatar, actor(shop.vendor), picture("new"))
    await answers(tab.load())
    assert tab.image == "/media/public/new.jpg"
