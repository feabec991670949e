"""The profile behind its page: editing, refusals beside the fields, and discarding."""

from typing import Any

import pytest

from rental_app.domain.clock import WEEKDAYS
from rental_app.infrastructure.db import read
from rental_app.models import User
from rental_app.services.accounts import profile
from rental_app.web.vendor.profile.state import ProfileState
from tests.support.rows import each
from tests.support.shop import Shop, actor
from tests.support.state_tabs import answers, content, hand_over, journey, loaded, tab_of

FORM = {"address": "2 New Road", "zipCode": "500081", "city": "Hyderabad", "closed_Sunday": "on", "notes": "A\n\nB"}


def stored(user: User) -> dict[str, Any]:
    return read(profile.profile, actor(user)).model_dump()


@journey
async def test_saving_writes_the_form_and_returns_to_the_view(shop: Shop) -> None:
    tab = await loaded(tab_of(shop.vendor, ProfileState))
    await answers(tab.edit())
    assert tab.editing
    assert "Profile updated successfully" in await answers(tab.save(FORM | {"open_time": "10:30 AM"}))
    assert not tab.editing
    assert (tab.profile.address, tab.profile.closing_days) == ("2 New Road", ["Sunday"])
    assert (tab.profile.terms, tab.profile.hours) == (["A", "B"], "10:30 AM to 8 PM")
    assert stored(shop.vendor)["state"] == "Telangana"


NO_PINCODE, NO_TIME = "Enter a 6-digit pincode", "Use a time like 09:00 AM"
NO_SUCH_PLACE = "There is no place with the pincode 999999"
NO_LOCATION = "Nowhere is not one of our locations"
NO_LINK = "Enter a link that starts with http:// or https://"
CLOSED = [f"closed_{day}" for day in WEEKDAYS]
REVERSED = {"open_time": "10:00 PM", "close_time": "09:00 AM"}
TOO_EARLY = "Closing time must be after opening time (10:00 PM)"


@each(
    ("typed", "marks"),
    [
        ({"address": " "}, {"address": "Please fill this in"}),
        ({"city": ""}, {"city": "Please fill this in"}),
        ({"zipCode": "12"}, {"zipCode": NO_PINCODE}),
        ({"zipCode": "999999"}, {"zipCode": NO_SUCH_PLACE}),
        ({"service_location": "Nowhere"}, {"service_location": NO_LOCATION}),
        ({"website": "javascript:alert(1)"}, {"website": NO_LINK}),
        ({"google_maps_link": "ftp://example.com"}, {"google_maps_link": NO_LINK}),
        ({"gst_number": "36AQTPR4817K1Z2"}, {"gst_number": "This is not a valid GST number"}),
        ({"gst_rate": "17"}, {"gst_rate": "Choose 5, 12, 18, 28 or 40 percent"}),
        ({"booking_contact_no": "12345"}, {"booking_contact_no": "Enter a 10-digit Indian mobile number"}),
        ({"no_of_staff": "many"}, {"no_of_staff": "Enter a whole number"}),
        ({"no_of_years": "1001"}, {"no_of_years": "Enter 1,000 or less"}),
        ({"open_time": "25:00"}, {"open_time": NO_TIME}),
        ({"close_time": "07:00 AM"}, {"close_time": "Closing time must be after opening time (09:00 AM)"}),
        ({"landmark": "x" * 201}, {"landmark": "At most 200 characters"}),
        (dict.fromkeys(CLOSED, "on"), {"closing_days": "Leave at least one day open"}),
        ({"zipCode": "12", "open_time": "25:00"}, {"zipCode": NO_PINCODE, "open_time": NO_TIME}),
        (
            {"zipCode": "999999", "website": "nope"} | REVERSED,
            {"zipCode": NO_SUCH_PLACE, "website": NO_LINK, "close_time": TOO_EARLY},
        ),
        (
            {"zipCode": "999999", "service_location": "Nowhere"} | REVERSED,
            {"zipCode": NO_SUCH_PLACE, "service_location": NO_LOCATION, "close_time": TOO_EARLY},
        ),
    ],
)
@journey
async def test_refusals_stand_beside_their_fields_all_at_once_and_change_nothing(
    shop: Shop, typed: dict[str, str], marks: dict[str, str]
) -> None:
    before = stored(shop.vendor)
    tab = await tab_of(shop.vendor, ProfileState)
    await answers(tab.edit())
    if pincode := typed.get("zipCode"):
        await answers(tab.look_up_pincode(tab.opening, pincode))
    told = await answers(tab.save(FORM | typed))
    assert tab.errors == marks
    assert (next(iter(marks)) in told, "getElementById" in told, "toast" in told) == (True, True, True)
    assert (tab.editing, tab.busy) == (True, False)
    assert stored(shop.vendor) == before


@journey
async def test_locked_fields_in_the_form_are_ignored(shop: Shop) -> None:
    locked = {"name": "Other", "role": "Operator", "wallet": "9", "bank_name": "Mine", "email": "x@example.com"}
    before = stored(shop.vendor)
    tab = await tab_of(shop.vendor, ProfileState)
    await answers(tab.save(FORM | locked))
    after = stored(shop.vendor)
    assert after["address"] == "2 New Road"
    for name in ("name", "role", "wallet_paise", "bank_name", "email"):
        assert after[name] == before[name]


@journey
async def test_cancelling_discards_and_a_lost_connection_does_not(shop: Shop) -> None:
    tab = await tab_of(shop.vendor, ProfileState)
    await answers(tab.edit())
    await answers(tab.save(FORM | {"zipCode": "1"}))
    await answers(tab.load())
    assert tab.editing
    assert tab.errors
    await answers(tab.cancel())
    assert (tab.editing, tab.errors) == (False, {})


@journey
async def test_the_pincode_fills_place_and_state_at_six_digits(shop: Shop) -> None:
    tab = await tab_of(shop.vendor, ProfileState)
    await answers(tab.edit())
    assert "Telangana" not in await answers(tab.look_up_pincode(tab.opening, "50008"))
    assert "Telangana" in await answers(tab.look_up_pincode(tab.opening, "500081"))
    assert "Failed to fetch location" in await answers(tab.look_up_pincode(tab.opening, "999999"))
    assert tab.errors == {"zipCode": NO_SUCH_PLACE}


@journey
async def test_a_look_up_that_comes_after_save_leaves_its_refusal(shop: Shop) -> None:
    tab = await tab_of(shop.vendor, ProfileState)
    await answers(tab.edit())
    await answers(tab.save(FORM | {"zipCode": "12"}))
    await answers(tab.look_up_pincode(tab.opening, "12"))
    assert tab.errors == {"zipCode": NO_PINCODE}
    await answers(tab.look_up_pincode(tab.opening, "5"))
    assert tab.errors == {}
    await answers(tab.save(FORM | {"city": ""}))
    assert "Telangana" in await answers(tab.look_up_pincode(tab.opening, FORM["zipCode"]))
    assert tab.errors == {"city": "Please fill this in"}


@pytest.mark.parametrize("leave", ["cancel", "save"])
@journey
async def test_what_was_typed_before_the_form_closed_does_not_reach_the_next_one(shop: Shop, leave: str) -> None:
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


@journey
async def test_the_next_user_of_a_tab_finds_nothing_of_the_vendor(shop: Shop) -> None:
    tab = await tab_of(shop.vendor, ProfileState)
    empty = content(tab)
    await answers(tab.edit())
    await hand_over(tab, shop.customer)
    await answers(tab.load())
    assert content(tab) == empty


@journey
async def test_a_vendor_types_state_and_district_for_a_pincode_that_nobody_knows(shop: Shop) -> None:
    form = FORM | {"zipCode": "509999", "state": "Telangana", "district": "Hyderabad"}
    tab = await tab_of(shop.vendor, ProfileState)
    await answers(tab.edit())
    assert tab.unknown_pincode == ""
    await answers(tab.look_up_pincode(tab.opening, "509999"))
    assert tab.unknown_pincode == "509999"
    assert profile.UPDATED in await answers(tab.save(form))
    await answers(tab.edit())
    assert tab.unknown_pincode == "509999"
    assert profile.UPDATED in await answers(tab.save(form | {"notes": "New"}))
    saved = stored(shop.vendor)
    assert (saved["pincode"], saved["state"], saved["county"]) == ("509999", "Telangana", "Hyderabad")
