"""Every handler of a vendor's bookings, at the address of another's: nothing is shown and nothing changes.

The handlers are found by where their states are, so that a new one is among them by itself.
"""

import asyncio
import itertools
from typing import Any

import pytest
from reflex.istate.data import ReflexURL, RouterData

from rental_app.models import Member, User
from rental_app.schemas.trips import TripView
from tests.conftest import Clock
from tests.support.handlers import HANDLERS, arguments, every_row, opened
from tests.support.shop import Shop, add_user, open_shop, put, token_of
from tests.support.state_tabs import answers, content, journey
from tests.support.trips import at_pickup, confirmed, pay

ROOMS = tuple(f"rental_app.web.vendor.{room}." for room in ("booking", "new_booking", "manage_bookings"))
OURS = [(owner, name, handler) for _, name, owner, handler in HANDLERS if owner.__module__.startswith(ROOMS)]
FORM: dict[str, Any] = {
    **{"of": "all", "direction": "in", "amount": "1", "method": "cash", "note": "x", "reason": "x", "odometer": "1300"},
    **{"fuel": "8", "helmets": "1", "papers": ["licence"], "kept": "0", "total": "1", "yes": True, "return": "x"},
}


# What anybody may write about their own account.
OWN = {"login_session", "audit_entry", "proof", "outbox", "second_step", "user"}


def _attackers(shop: Shop) -> dict[str, User]:
    other = open_shop("Elsewhere").vendor
    member = add_user()
    put(Member(user_id=member.id, vendor_id=other.id))
    return {"customer": shop.customer, "vendor": other, "member": member, "operator": add_user("Operator")}


async def _walk(shop: Shop, trip: TripView, token: str) -> str:
    """Call every handler at the address of a booking; what they show and tell."""
    values = [trip.id, str(trip.id), trip.reference, shop.vehicle.id, FORM | {"id": trip.id, "booking": trip.reference}]
    address = ReflexURL(f"http://localhost:3000/vendor/bookings/{trip.reference}?booking={trip.reference}")
    shown = []
    for (owner, _, handler), value in itertools.product(OURS, values):
        state: Any = await opened(owner, token)
        state._get_root_state().router = RouterData(url=address)
        load = getattr(state, "load", None)
        if load is not None:
            await answers(load())
        shown.append(await answers(handler.fn(state, *arguments(handler, value))) + str(content(state)))
    return " ".join(shown)


@pytest.mark.parametrize("who", ["visitor", "customer", "vendor", "member", "operator"])
def test_nobody_reads_or_changes_a_foreign_booking(shop: Shop, stopped_clock: Clock, who: str) -> None:
    trip = confirmed(shop)
    pay(shop, trip.id, 10_000)
    attackers = _attackers(shop)
    token = token_of(attackers[who]) if who in attackers else ""
    at_pickup(stopped_clock, trip)
    before = every_row()

    shown = asyncio.run(_walk(shop, trip, token))
    assert every_row() == before
    assert shop.customer.phone_number not in shown or who == "customer"
    assert shop.vehicle.rc_number not in shown


@pytest.mark.long
def test_the_walk_would_show_and_change_the_vendors_own(shop: Shop, stopped_clock: Clock) -> None:
    assert len(OURS) > 60
    trip, token = confirmed(shop), token_of(shop.vendor)
    at_pickup(stopped_clock, trip)
    before = every_row()
    assert shop.customer.phone_number in asyncio.run(_walk(shop, trip, token))
    assert every_row() != before


@pytest.mark.long
@pytest.mark.usefixtures("stopped_clock")
@journey
async def test_an_operator_changes_nothing_by_a_handler_outside_the_console(shop: Shop) -> None:
    trip = confirmed(shop)
    operator = add_user("Operator")
    others = [
        (owner, handler)
        for _, _, owner, handler in HANDLERS
        if not owner.__module__.startswith("rental_app.web.operator")
    ]
    before = every_row(OWN)
    for (owner, handler), value in itertools.product(others, (trip.id, trip.reference, FORM)):
        state = await opened(owner, token_of(operator))
        await answers(handler.fn(state, *arguments(handler, value)))
    assert every_row(OWN) == before
