"""The profile behind its page: editing, refusals beside the fields, discarding, and turning strangers away."""

import asyncio
from typing import Any

import pytest

from rental_app.domain.clock import WEEKDAYS
from rental_app.infrastructure.db import read
from rental_app.models import User
from rental_app.services.accounts import profile
from rental_app.web.vendor.profile.state import ProfileState
from tests.support.shop import Shop, actor
from tests.support.state_tabs import answers, content, hand_over, tab_of

FORM = {"address": "2 New Road", "zipCode": "500081", "city": "Hyderabad", "closed_Sunday": "on", "notes": "A\n\nB"}


def stored(user: User) -> dict[str, Any]:
    return read(profile.profile, actor(user)).model_dump()


def test_saving_writes_the_form_and_returns_to_the_view(shop: Shop) -> None:
    async def edit() -> None:
        tab = await tab_of(shop.vendor, ProfileState)
        await answers(tab.load())
        await answers(tab.edit())
        assert tab.editing
        assert "Profile updated successfully" in await answers(tab.save(FORM | {"open_time": "10:30 AM"}))
        assert not tab.editing
        assert tab.profile
        assert (tab.profile.address, tab.profile.closing_days) == ("2 New Road", ["Sunday"])
        assert (tab.profile.terms, tab.profile.hours) == (["A", "B"], "10:30 AM to 08:00 PM")

    asyncio.run(edit())
    assert stored(shop.vendor)["state"] == "Telangana"


@pytest.mark.parametrize(
    ("field", "typed", "message"),
    [
        ("address", " ", "Please fill this in"),
        ("city", "", "Please fill this in"),
        ("zipCode", "12", "Enter a 6-digit pincode"),
        ("zipCode", "999999", "There is no place with the pincode 999999"),
        ("service_location", "Nowhere", "Nowhere is not one of our locations"),
        ("website", "javascript:alert(1)", "Enter a link that starts with http:// or https://"),
        ("google_maps_link", "ftp://example.com", "Enter a link that starts with http:// or https://"),
        ("gst_number", "36AQTPR4817K1Z2", "This is not a valid GST number"),
        ("booking_contact_no", "12345", "Enter a 10-digit Indian mobile number"),
        ("no_of_staff", "many", "Enter a whole number"),
        ("no_of_years", "1001", "Enter 1,000 or less"),
        ("open_time", "25:00", "Use a time like 09:00 AM"),
        ("close_time", "07:00 AM", "Closing time must be after opening time (09:00 AM)"),
        ("landmark", "x" * 201, "At most 200 characters"),
    ],
)
def test_a_refusal_stands_beside_its_field_and_changes_nothing(
    shop: Shop, field: str, typed: str, message: str
) -> None:
    before = stored(shop.vendor)

    async def edit() -> None:
        tab = await tab_of(shop.vendor, ProfileState)
        await answers(tab.edit())
        told = await answers(tab.save(FORM | {field: typed}))
        assert tab.errors == {field: message}
        assert "Please correct" in told
        assert "_set_focus" in told
        assert tab.editing
        assert not tab.busy

    asyncio.run(edit())
    assert stored(shop.vendor) == before


HOURS_REVERSED = {"open_time": "10:00 PM", "close_time": "09:00 AM"}
REVERSED = "Closing time must be after opening time (10:00 PM)"
NO_SUCH_PLACE = "There is no place with the pincode 999999"


@pytest.mark.parametrize(
    ("typed", "marks"),
    [
        (
            {"zipCode": "999999", "website": "nope"} | HOURS_REVERSED,
            {
                "zipCode": NO_SUCH_PLACE,
                "website": "Enter a link that starts with http:// or https://",
                "close_time": REVERSED,
            },
        ),
        (
            {"zipCode": "999999", "service_location": "Nowhere"} | HOURS_REVERSED,
            {
                "zipCode": NO_SUCH_PLACE,
                "service_location": "Nowhere is not one of our locations",
                "close_time": REVERSED,
            },
        ),
        (
            {"zipCode": "12", "open_time": "25:00", "close_time": "01:00 AM"},
            {"zipCode": "Enter a 6-digit pincode", "open_time": "Use a time like 09:00 AM"},
        ),
    ],
)
def test_everything_wrong_with_a_profile_is_said_at_once(
    shop: Shop, typed: dict[str, str], marks: dict[str, str]
) -> None:
    before = stored(shop.vendor)

    async def edit() -> None:
        tab = await tab_of(shop.vendor, ProfileState)
        await answers(tab.edit())
        await answers(tab.look_up_pincode(tab.opening, typed["zipCode"]))
        await answers(tab.save(FORM | typed))
        assert tab.errors == marks

    asyncio.run(edit())
    assert stored(shop.vendor) == before


def test_a_shop_that_never_opens_is_refused(shop: Shop) -> None:
    before = stored(shop.vendor)

    async def edit() -> None:
        tab = await tab_of(shop.vendor, ProfileState)
        await answers(tab.edit())
        assert "Please correct: Closing days" in await answers(
            tab.save(FORM | {f"closed_{day}": "on" for day in WEEKDAYS})
        )
        assert tab.errors == {"closing_days": "Leave at least one day open"}

    asyncio.run(edit())
    assert stored(shop.vendor) == before


def test_locked_fields_in_the_form_are_ignored(shop: Shop) -> None:
    locked = {"name": "Other", "role": "Operator", "wallet": "9", "bank_name": "Mine", "email": "x@example.com"}
    before = stored(shop.vendor)

    async def edit() -> None:
        tab = await tab_of(shop.vendor, ProfileState)
        await answers(tab.save(FORM | locked))

    asyncio.run(edit())
    after = stored(shop.vendor)
    assert after["address"] == "2 New Road"
    for name in ("name", "role", "wallet_paise", "bank_name", "email"):
        assert after[name] == before[name]


def test_cancelling_discards_and_a_lost_connection_does_not(shop: Shop) -> None:
    async def edit() -> None:
        tab = await tab_of(shop.vendor, ProfileState)
        await answers(tab.edit())
        await answers(tab.save(FORM | {"zipCode": "1"}))
        await answers(tab.load())
        assert tab.editing
        assert tab.errors
        await answers(tab.cancel())
        assert (tab.editing, tab.errors) == (False, {})

    asyncio.run(edit())


def test_the_pincode_fills_place_and_state_at_six_digits(shop: Shop) -> None:
    async def edit() -> None:
        tab = await tab_of(shop.vendor, ProfileState)
        await answers(tab.edit())
        assert "Telangana" not in await answers(tab.look_up_pincode(tab.opening, "50008"))
        assert "Telangana" in await answers(tab.look_up_pincode(tab.opening, "500081"))
        assert "Failed to fetch location" in await answers(tab.look_up_pincode(tab.opening, "999999"))
        assert tab.errors == {"zipCode": "There is no place with the pincode 999999"}

    asyncio.run(edit())


def test_a_look_up_that_comes_after_save_leaves_its_refusal(shop: Shop) -> None:
    async def edit() -> None:
        tab = await tab_of(shop.vendor, ProfileState)
        await answers(tab.edit())
        await answers(tab.save(FORM | {"zipCode": "12"}))
        await answers(tab.look_up_pincode(tab.opening, "12"))
        assert tab.errors == {"zipCode": "Enter a 6-digit pincode"}
        await answers(tab.look_up_pincode(tab.opening, "5"))
        assert tab.errors == {}
        await answers(tab.save(FORM | {"city": ""}))
        assert "Telangana" in await answers(tab.look_up_pincode(tab.opening, FORM["zipCode"]))
        assert tab.errors == {"city": "Please fill this in"}

    asyncio.run(edit())


@pytest.mark.parametrize("leave", ["cancel", "save"])
def test_what_was_typed_before_the_form_closed_does_not_reach_the_next_one(shop: Shop, leave: str) -> None:
    async def edit() -> None:
        tab = await tab_of(shop.vendor, ProfileState)
        await answers(tab.edit())
        closed = tab.opening
        await answers(tab.save(FORM) if leave == "save" else tab.cancel())
        for _ in ("closed", "opened again"):
            terms = tab.terms
            await answers(tab.preview_terms(closed, "Late"))
            assert await answers(tab.look_up_pincode(closed, "999999")) == ""
            assert (tab.terms, tab.errors) == (terms, {})
            await answers(tab.edit())
        await answers(tab.preview_terms(tab.opening, "In time"))
        assert tab.terms == ["In time"]

    asyncio.run(edit())


@pytest.mark.parametrize("who", ["customer", "nobody"])
def test_strangers_get_nothing_and_change_nothing(shop: Shop, who: str) -> None:
    user: User | None = shop.customer if who == "customer" else None
    before = stored(shop.vendor), stored(shop.customer)

    async def knock() -> None:
        tab = await tab_of(user, ProfileState)
        empty = content(tab)
        arguments = {"preview_terms": (1, "A"), "look_up_pincode": (1, "500081"), "save": (FORM,)}
        # Every handler, so that a new one without its check fails here.
        for name in set(ProfileState.event_handlers) - {"setvar"}:
            told = await answers(getattr(tab, name)(*arguments.get(name, ())))
            assert "log in" in told or "Only vendors" in told
        assert content(tab) == empty

    asyncio.run(knock())
    assert (stored(shop.vendor), stored(shop.customer)) == before


def test_the_next_user_of_a_tab_finds_nothing_of_the_vendor(shop: Shop) -> None:
    async def share() -> None:
        tab = await tab_of(shop.vendor, ProfileState)
        empty = content(tab)
        await answers(tab.edit())
        await hand_over(tab, shop.customer)
        await answers(tab.load())
        assert content(tab) == empty

    asyncio.run(share())


def test_a_vendor_types_state_and_district_for_a_pincode_that_nobody_knows(shop: Shop) -> None:
    form = FORM | {"zipCode": "509999", "state": "Telangana", "district": "Hyderabad"}

    async def edit() -> None:
        tab = await tab_of(shop.vendor, ProfileState)
        await answers(tab.edit())
        assert tab.unknown_pincode == ""
        await answers(tab.look_up_pincode(tab.opening, "509999"))
        assert tab.unknown_pincode == "509999"
        assert profile.UPDATED in await answers(tab.save(form))
        await answers(tab.edit())
        assert tab.unknown_pincode == "509999"
        assert profile.UPDATED in await answers(tab.save(form | {"notes": "New"}))

    asyncio.run(edit())
    saved = stored(shop.vendor)
    assert (saved["pincode"], saved["state"], saved["county"]) == ("509999", "Telangana", "Hyderabad")
