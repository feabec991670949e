"""A vendor's members on the pages: what is closed to them reads nothing, and lost access ends at once."""

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import reflex as rx

from rental_app.domain.staff import MemberRole
from rental_app.infrastructure.db import write
from rental_app.models import User
from rental_app.schemas.accounts import RoleRequest
from rental_app.schemas.trips import PaymentRequest
from rental_app.services.accounts import members
from rental_app.services.trips import payments
from rental_app.web.frame.vendor_state import ShellState
from rental_app.web.session.base import SessionState
from rental_app.web.session.vendor_auth import VendorAuthState
from rental_app.web.vendor.calendar.state import CalendarState
from rental_app.web.vendor.dashboard.state import DashboardState
from rental_app.web.vendor.earnings.state import EarningsState
from rental_app.web.vendor.manage_bookings.state import ManageBookingsState
from rental_app.web.vendor.manage_vehicles.state import FleetState
from rental_app.web.vendor.profile import page as members_part
from rental_app.web.vendor.profile.members_state import EMAIL, MembersState
from tests.support.handlers import HANDLERS, call, opened, payload
from tests.support.rendered import rendered
from tests.support.rest_helpers import hire
from tests.support.shop import Shop, actor, add_user, statements, token_of
from tests.support.staff import join
from tests.support.state_tabs import answers, content, journey, loaded, tab_of, told
from tests.support.trips import confirmed, seen
from tests.support.vendor_booking_state import page_of
from tests.support.vendor_requests import book, stored_status

# The handlers of the vendor's pages that are open to members; all others must refuse them.
OPEN_STATES = {
    "VendorAuthState",
    "DashboardState",
    "ManageBookingsState",
    "NewBookingState",
    "VendorTripState",
    "ReadingState",
}
OPEN = {
    *("CalendarState.load", "CalendarState.choose_span", "CalendarState.shift"),
    *("CalendarState.choose_vehicle", "CalendarState.show_more"),
    *("CalendarState.ask_block", "CalendarState.ask_again", "CalendarState.block"),
    *("CalendarState.ask_unblock", "CalendarState.unblock"),
    *("ShellState.load", "ShellState.leave", "TripReviewState.write_review"),
}
# Where the states of the vendor's pages are.
PLACES = ("rental_app.web.vendor.", "rental_app.web.frame.vendor_state", "rental_app.web.session.vendor_auth")
# Those open to the members who manage for the vendor, too.
MANAGED_STATES = {
    "AddVehicleState",
    "ConfirmAtOnceState",
    "DayPriceState",
    "EarningsState",
    "EditVehicleState",
    "VehicleFilesState",
    "FleetState",
    "MaintenanceState",
    "ManyState",
    "RenewState",
    "RetireState",
    "OtherCalendarsState",
    "PriceRulesState",
    "PricesState",
    "ReceivedState",
}
MANAGED = {"CalendarState.set_buffer", "TripReviewState.answer", "VendorAuthState.enter_as_manager"}
VENDORS = [
    (state, name, owner, handler)
    for state, name, owner, handler in HANDLERS
    if owner.__module__.startswith(PLACES) and state not in OPEN_STATES
]
CLOSED = [entry for entry in VENDORS if f"{entry[0]}.{entry[1]}" not in OPEN]
MANAGERS = [entry for entry in CLOSED if entry[0] in MANAGED_STATES or f"{entry[0]}.{entry[1]}" in MANAGED]
# Who is sent what they must not have: whoever is called so, with the handlers that are closed to them.
REFUSED = [
    *((MemberRole.COUNTER, *entry) for entry in CLOSED),
    *((MemberRole.MANAGER, *entry) for entry in CLOSED if entry not in MANAGERS),
    *((None, *entry) for entry in HANDLERS if entry[2].__module__.startswith(PLACES)),
]


def test_the_open_ones_are_still_there() -> None:
    assert {f"{state}.{name}" for state, name, _, _ in VENDORS} >= OPEN | MANAGED - {"VendorAuthState.enter_as_manager"}
    assert {state for state, *_ in HANDLERS} >= OPEN_STATES | MANAGED_STATES
    assert len(CLOSED) > 40
    assert len(MANAGERS) > 30


@pytest.mark.parametrize(
    ("role", "owner", "handler"),
    [(entry[0], *entry[3:]) for entry in REFUSED],
    ids=[f"{entry[0] or 'left'} {entry[1]}.{entry[2]}" for entry in REFUSED],
)
def test_what_is_closed_to_members_reads_nothing_for_them(
    shop: Shop, role: MemberRole | None, owner: type[rx.State], handler: Any
) -> None:
    token = token_of(hire(shop, role) if role else add_user())
    with statements() as sent:
        asyncio.run(call(owner, handler, payload(handler), token))
    read = [statement for statement in sent if "JOIN login_session" not in statement]
    assert read == [], (
        "make it a manager_action, vendor_action or the like, or add it to OPEN or MANAGED if members may"
    )


@pytest.mark.parametrize(
    ("owner", "handler"), [entry[2:] for entry in MANAGERS], ids=[f"{e[0]}.{e[1]}" for e in MANAGERS]
)
def test_what_is_open_to_managers_does_not_refuse_them(shop: Shop, owner: type[rx.State], handler: Any) -> None:
    token = token_of(hire(shop, MemberRole.MANAGER))

    async def answered() -> str:
        events = handler.fn(await opened(owner, token), *payload(handler))
        return await answers(events) if hasattr(events, "__aiter__") else str(await events)

    assert "can do this" not in asyncio.run(answered())


@journey
async def test_a_member_sees_the_day_and_no_figures(shop: Shop) -> None:
    booking = book(shop)
    page = await loaded(tab_of(hire(shop), DashboardState))
    assert [request.id for request in page.day.requests] == [str(booking)]
    assert page.page is None
    assert ": accepted" in " ".join(await told(page.answer(page.day.requests[0].id, page.day.requests[0].shown, "")))
    assert stored_status(booking) == "confirmed"
    shell: ShellState = await page.get_state(ShellState)
    await told(shell.load())
    assert shell.employer == shop.vendor.name
    gate: VendorAuthState = await page.get_state(VendorAuthState)
    assert await told(gate.enter_as_staff()) == []
    refused, led = await told(gate.enter())
    assert ("Only vendors can do this" in refused, "/vendor" in led) == (True, True)


@journey
async def test_a_removed_members_open_tab_does_nothing_more(shop: Shop) -> None:
    booking, person = book(shop), hire(shop)
    page = await tab_of(person, ManageBookingsState)
    session: SessionState = await page.get_state(SessionState)
    await told(session.start())
    await told(page.load())
    assert (len(page.rows), len(page.vehicles), session.is_staff, session.is_vendor) == (1, 1, True, False)
    calendar: CalendarState = await page.get_state(CalendarState)
    await told(calendar.load())
    assert calendar.page
    write(members.remove, actor(shop.vendor), person.id)
    assert "Only vendors can do this" in await answers(page.decide(booking, None, "confirmed"))
    assert stored_status(booking) == "pending"
    assert (page.rows, page.tabs) == ([], [])
    assert content(calendar)["page"] is None
    assert (session.is_staff, session.logged_in) == (False, True)


@journey
async def test_the_history_says_who_of_the_vendors_people_did_what(shop: Shop) -> None:
    trip, person = confirmed(shop), hire(shop)
    rent = PaymentRequest(amount=100, method="cash", of="rent", direction="in")
    write(payments.record, replace(actor(person), employer=shop.vendor.id or 0), trip.reference, rent)
    for viewer, who in ((shop.vendor, ["You", person.name]), (person, [shop.vendor.name, "You"])):
        page, _ = await page_of(token_of(viewer), trip.reference)
        assert [event.who for event in page.trip.facts.history] == [shop.customer.name, *who]
    assert {event.who for event in seen(shop.customer, trip.id).timeline} == {""}


@journey
async def test_a_vendor_invites_people_and_lets_them_go(shop: Shop) -> None:
    page = await loaded(tab_of(shop.vendor, MembersState))
    assert (page.rows, page.invitations, page.loaded) == ([], [], True)
    led = await told(page.invite(form={"email": None, "role": "counter"}))
    assert EMAIL in " ".join(led)
    assert page.refusal == "Enter an email address like name@example.com"
    await told(page.invite(form={"email": shop.vendor.email, "role": "counter"}))
    assert page.refusal == "This is your own email"
    sent = await told(page.invite(form={"email": f" {shop.customer.email.upper()} ", "role": "counter"}))
    assert "is on its way" in " ".join(sent)
    ((row,), refusal) = page.invitations, page.refusal
    assert (row.email, row.role, page.rows, refusal, page.busy) == (shop.customer.email, "counter", [], "", False)
    assert row.about.startswith("Invited as counter, until ")
    await told(page.send_again(row.id))
    assert [one.email for one in page.invitations] == [shop.customer.email]
    assert page.invitations[0].id != row.id
    # Pressed in another tab, where the first one is still shown.
    assert "no such invitation" in " ".join(await told(page.cancel(row.id)))
    await told(page.cancel(page.invitations[0].id))
    assert page.invitations == []
    join(shop.vendor, shop.customer)
    await told(page.load())
    assert [(one.name, one.role) for one in page.rows] == [(shop.customer.name, "counter")]
    await told(page.change_role(shop.customer.id or 0, "manager"))
    assert page.rows[0].role == "manager"
    await told(page.change_role(shop.customer.id or 0, "owner"))
    assert page.rows[0].role == "manager"
    await told(page.ask(shop.customer.id or 0))
    assert page.asked_name == shop.customer.name
    await told(page.remove())
    assert page.rows == []


@journey
async def test_a_member_who_becomes_manager_goes_on_at_once(shop: Shop) -> None:
    person = hire(shop)
    page = await tab_of(person, FleetState)
    session: SessionState = await page.get_state(SessionState)
    await told(session.start())
    gate: VendorAuthState = await page.get_state(VendorAuthState)
    assert "/vendor" in " ".join(await told(gate.enter_as_manager()))
    await told(page.load())
    assert (page.lines, session.is_staff, session.can_manage) == ([], True, False)
    change(shop, person, MemberRole.MANAGER)
    await told(page.load())
    assert (len(page.lines), session.can_manage) == (1, True)


@journey
async def test_a_manager_who_is_one_no_longer_sees_nothing_more_of_it(shop: Shop) -> None:
    person = hire(shop, MemberRole.MANAGER)
    page = await tab_of(person, FleetState)
    session: SessionState = await page.get_state(SessionState)
    await told(session.start())
    await told(page.load())
    earned: EarningsState = await page.get_state(EarningsState)
    await told(earned.load())
    assert (len(page.lines), bool(earned.page)) == (1, True)
    change(shop, person, MemberRole.COUNTER)
    led = " ".join(await told(page.search("x")))
    assert ("Only the vendor and their managers" in led, "/vendor" in led) == (True, True)
    assert (page.lines, earned.page, session.can_manage, session.is_staff) == ([], None, False, True)
    assert "/vendor" in " ".join(await told(page.refresh()))
    bookings: ManageBookingsState = await page.get_state(ManageBookingsState)
    await told(bookings.load())
    assert bookings.problem == ""


def change(shop: Shop, person: User, role: MemberRole) -> None:
    """Let a member do more or less, as the vendor."""
    write(members.change_role, actor(shop.vendor), person.id or 0, RoleRequest(role=role))


@journey
async def test_a_manager_sees_the_figures_too(shop: Shop) -> None:
    page = await loaded(tab_of(hire(shop, MemberRole.MANAGER), DashboardState))
    assert page.page
    gate: VendorAuthState = await page.get_state(VendorAuthState)
    assert await told(gate.enter_as_manager()) == []
    refused, led = await told(gate.enter())
    assert ("Only vendors can do this" in refused, "/vendor" in led) == (True, True)


@journey
async def test_a_member_leaves(shop: Shop) -> None:
    page = await loaded(tab_of(hire(shop), ShellState))
    assert page.employer
    assert "You no longer work" in " ".join(await told(page.leave()))
    assert "Only vendors" in await answers(page.leave())


@pytest.mark.parametrize("problem", ["", "Please try again shortly"])
def test_members_that_could_not_be_loaded_are_loaded_again_by_a_button(problem: str) -> None:
    state = SimpleNamespace(loaded=False, problem=problem)
    shown = rendered(members_part.members(), members_state=state)
    assert ("Your people could not be loaded" in shown, "Try again" in shown) == (bool(problem), bool(problem))
