"""The dashboard and the frame behind their pages: live figures, the sample, and turning strangers away."""

import asyncio
from datetime import date, time
from typing import Any

import pytest
from sqlalchemy import text

from rental_app.db import write
from rental_app.models import User
from rental_app.rules import clock
from rental_app.schemas.bookings import StatusChange
from rental_app.services import accounts, bookings
from rental_app.services.dashboard import Handover
from rental_app.states.vendor.dashboard import DashboardState
from rental_app.states.vendor.shell import ShellState
from rental_app.views.vendor.dashboard import _day
from tests.helpers import Shop, actor, wanted
from tests.states.tabs import answers, content, hand_over, tab_of


def confirmed(shop: Shop, days: int) -> int:
    made = write(bookings.create, actor(shop.customer), wanted(shop.vehicle, days=days)).id
    write(bookings.change_status, actor(shop.vendor), StatusChange(booking_id=made, status="confirmed"))
    return made


def test_the_page_shows_the_vendors_own_figures(shop: Shop) -> None:
    booking = confirmed(shop, days=2)

    async def visit() -> None:
        tab = await tab_of(shop.vendor, DashboardState)
        assert "error" not in await answers(tab.load())
        page = tab.page
        assert page
        assert (page.total_cars, page.total_bookings, page.pending_bookings, page.completed_bookings) == tuple("1101")
        assert (page.week_handovers, page.week_note) == ("2", "1 pickup, 1 return")
        assert [day.name for day in page.week][:2] == ["Today", "Tomorrow"]
        line = page.week[2].handovers[0]
        assert (line.kind, line.time, line.customer) == ("Pickup", "10:00 AM", shop.customer.name)
        assert line.href == page.recent[0].href == f"/vendor/manage-bookings?booking={booking}"
        assert (page.recent[0].status, page.recent[0].price) == ("Confirmed", "₹500")
        assert len(page.months) == 12
        assert not tab.sample

    asyncio.run(visit())


def test_a_day_with_many_handovers_says_how_many_more() -> None:
    today = date(2026, 12, 1)
    many = [
        Handover(kind="pickup", at=clock.at(today, time(9 + hour)), booking_id=hour, vehicle="Car", customer="Anu")
        for hour in range(7)
    ]
    day = _day(today, 0, many)
    assert (len(day.handovers), day.more) == (5, "and 2 more")
    assert _day(today, 0, many[:5]).more == ""


def test_a_failure_shows_the_labelled_sample_and_nothing_of_the_vendor(shop: Shop) -> None:
    confirmed(shop, days=2)
    write(lambda session: session.execute(text("ALTER TABLE booking RENAME TO hidden")))

    async def visit() -> None:
        tab = await tab_of(shop.vendor, DashboardState)
        assert "try again shortly" in await answers(tab.load())
        assert tab.sample
        assert tab.page
        assert tab.page.recent[0].customer == "Sample customer"
        assert all(line.href == "/vendor/manage-bookings" for day in tab.page.week for line in day.handovers)
        assert shop.customer.name not in tab.page.model_dump_json()
        write(lambda session: session.execute(text("ALTER TABLE hidden RENAME TO booking")))
        await answers(tab.load())
        assert not tab.sample
        assert tab.page.recent[0].customer == shop.customer.name

    asyncio.run(visit())


@pytest.mark.parametrize("who", ["customer", "nobody"])
def test_strangers_get_nothing_and_change_nothing(shop: Shop, who: str) -> None:
    user: User | None = shop.customer if who == "customer" else None

    async def knock() -> None:
        page = await tab_of(user, DashboardState)
        frame = await tab_of(user, ShellState)
        before = content(page), content(frame)
        for event in (page.load(), frame.load(), frame.submit({})):
            assert shop.vendor.name not in await answers(event)
        assert (content(page), content(frame)) == before

    asyncio.run(knock())


@pytest.mark.parametrize("which", [DashboardState, ShellState])
def test_the_next_user_of_a_tab_finds_nothing_of_the_vendor(shop: Shop, which: Any) -> None:
    write(accounts.set_image, actor(shop.vendor), "/media/public/mine.jpg")
    confirmed(shop, days=2)

    async def share() -> None:
        tab = await tab_of(shop.vendor, which)
        empty = content(tab)
        await answers(tab.load())
        assert content(tab) != empty
        await hand_over(tab, shop.customer)
        await answers(tab.load())
        assert content(tab) == empty

    asyncio.run(share())


def test_the_frame_shows_the_picture_or_initials(shop: Shop) -> None:
    async def visit() -> None:
        tab = await tab_of(shop.vendor, ShellState)
        await answers(tab.load())
        assert (tab.image, tab.initials) == ("", "P" + shop.vendor.name.split()[1][0])
        write(accounts.set_image, actor(shop.vendor), "/media/public/new.jpg")
        await answers(tab.load())
        assert tab.image == "/media/public/new.jpg"

    asyncio.run(visit())
