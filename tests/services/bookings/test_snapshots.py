"""A booking keeps what was booked, and a listing cannot become a different vehicle behind its bookings."""

from typing import Any

import pytest

from rental_app.domain.due import DueToday
from rental_app.domain.errors import ConflictError
from rental_app.infrastructure.db import read, write
from rental_app.models import Booking, Snapshot, User, Vehicle
from rental_app.services.bookings import lists
from rental_app.services.earnings import dashboard
from rental_app.services.files.checks import CheckedUploads
from rental_app.services.files.storage import CheckedFile
from rental_app.services.fleet import vehicles
from rental_app.services.trips import detail
from tests.conftest import Clock, forget
from tests.support.booking_steps import alter, book, decide
from tests.support.rest_helpers import listing
from tests.support.shop import Shop, a_model, actor, moment, wanted


def edit(shop: Shop, **changes: Any) -> str:
    """Save the vendor's form with changes; return the message."""
    form = listing(id=shop.vehicle.id, year=shop.vehicle.year)
    return write(vehicles.change, actor(shop.vendor), form | changes, CheckedUploads()).message


def photo(shop: Shop, name: str) -> list[str]:
    """Replace the vehicle's Front photo as the vendor; return the stored files no longer used."""
    front = CheckedFile("Front", f"public/{name}", "image/jpeg", 1, {})
    return write(vehicles.change, actor(shop.vendor), {"id": shop.vehicle.id}, CheckedUploads([front])).unused


def kept(booking_id: int) -> Snapshot:
    """Return what a booking keeps of its vehicle."""
    return read(lambda session: Snapshot(**session.get_one(Booking, booking_id).booked))


def both_lists(shop: Shop) -> tuple[list[Any], list[Any]]:
    """What its customer and its vendor are shown of all bookings."""
    mine, theirs = read(lists.of_customer, actor(shop.customer)), read(lists.of_vendor, actor(shop.vendor))
    return mine.items, theirs.items


def test_a_booking_shows_what_was_booked_after_every_change_a_vendor_may_make(shop: Shop) -> None:
    old = {"google_maps_link": "https://maps.example/old", "notes": "Licence seen", "delivery_supported": True}
    alter(User, shop.vendor.id, landmark="Old Clock Tower", **old)
    alter(Vehicle, shop.vehicle.id, terms="Helmet on", drop_off_pick_extra_payment=True, drop_off_paise=9_900)
    photo(shop, "first.jpg")
    made = book(shop.customer, wanted(shop.vehicle))
    assert made.car.image == "/media/public/first.jpg"
    decide(shop.vendor, made.id, "confirmed")
    shown, before = both_lists(shop), kept(made.id)
    assert (before.asset_type, before.title, before.service_location) == ("Scooter", "Honda Activa 6G", "Testpur")
    assert (before.terms, before.late_penalty_paise, before.distance_penalty_paise) == ("Helmet on", 5_000, 500)
    assert (before.speed_limit_kmph, before.google_maps_link) == (70, "https://maps.example/old")
    assert (before.vendor_terms, before.brought_paise, before.fetched_paise) == ("Licence seen", 9_900, 0)
    assert before.pickup_address == f"{shop.vendor.address}, Old Clock Tower, Hyderabad, 500032"

    yard = {"service_location": "Uppal", "address": "Yard 7", "zipCode": "500039"}
    # A plate may be corrected: a booking names its vehicle to the vendor by the plate it has now.
    plate = {"rc_number": shop.vehicle.rc_number}
    edit(shop, color="Red", terms="None", late_penalty_per_hour=900, speed_limit_kmph=40, **yard, **plate)
    # A picture that a booking shows is kept.
    assert photo(shop, "second.jpg") == []
    assert photo(shop, "new.jpg") == ["public/second.jpg", "public/second.webp"]
    alter(Vehicle, shop.vehicle.id, drop_off_pick_extra_payment=False)
    new = {"google_maps_link": "", "notes": "", "delivery_supported": False}
    alter(User, shop.vendor.id, address="Elsewhere", location_id=1, **new)
    assert (both_lists(shop), kept(made.id)) == (shown, before)
    trip = read(detail.own, actor(shop.customer), made.reference)
    assert (trip.terms, trip.vendor_terms) == ("Helmet on", "Licence seen")
    later = kept(book(shop.customer, wanted(shop.vehicle, days=8)).id)
    assert (later.color, later.service_location, later.image) == ("Red", "Uppal", "/media/public/new.jpg")
    assert (later.pickup_address, later.google_maps_link) == ("Yard 7, Hyderabad, Telangana 500039", "")


def test_the_dashboard_names_what_was_booked(shop: Shop) -> None:
    made = book(shop.customer, wanted(shop.vehicle))
    alter(Vehicle, shop.vehicle.id, model_id=30)
    overview = read(dashboard.overview, actor(shop.vendor))
    (request,) = overview.day.due[DueToday.ANSWER].items
    assert (request.id, request.car.title, request.rc_number) == (made.id, "Honda Activa 6G", shop.vehicle.rc_number)
    assert overview.figures.recent_bookings[0].car.asset_model.name == "Activa 6G"


def other_vehicle() -> dict[str, Any]:
    model = dict(zip(("vehicleType", "manufacturer", "model"), a_model("Motorcycle"), strict=True))
    return model | {"year": moment(0).year - 14}


def locked(shop: Shop) -> list[str]:
    """Turn the scooter into an older motorcycle as the vendor; return the fields blamed, [] if it is done."""
    try:
        edit(shop, **other_vehicle())
    except ConflictError as error:
        return sorted(error.fields)
    return []


def test_under_open_bookings_a_vehicle_stays_what_it_is(shop: Shop, stopped_clock: Clock) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    assert locked(shop) == ["manufacturer", "model", "vehicleType", "year"]
    with pytest.raises(ConflictError, match="open bookings") as refused:
        edit(shop, year=shop.vehicle.year - 1)
    assert (refused.value.code, list(refused.value.fields)) == ("vehicle_booked", ["year"])
    assert edit(shop, color="Blue") == "Vehicle updated successfully!"
    decide(shop.vendor, asked.id, "confirmed")
    assert locked(shop)
    stopped_clock.instant = asked.return_at
    assert locked(shop) == []


def test_bookings_that_came_to_nothing_lock_nothing(shop: Shop, stopped_clock: Clock) -> None:
    declined, lapsing = book(shop.customer, wanted(shop.vehicle)), book(shop.customer, wanted(shop.vehicle, 8))
    decide(shop.vendor, declined.id, "cancelled")
    assert locked(shop)
    stopped_clock.move(hours=8)
    assert locked(shop) == []
    assert kept(declined.id).title == kept(lapsing.id).title == "Honda Activa 6G"


@pytest.fixture
def manual(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Listings are approved by hand, and the shop's vehicle is approved."""
    edit(shop)
    monkeypatch.setenv("RENTAL_LISTING_APPROVAL", "manual")
    forget()


def approved(shop: Shop) -> bool:
    return read(lambda session: session.get_one(Vehicle, shop.vehicle.id).is_approved)


@pytest.mark.usefixtures("manual")
def test_what_was_approved_is_approved_again_and_other_changes_need_no_approval(shop: Shop) -> None:
    changed: dict[str, object] = {}
    for change in (
        {"rc_number": "TS09EA4321"},
        {"insurance_expiry_date": f"{moment(900):%Y-%m-%d}"},
        {"pollution_expiry_date": f"{moment(900):%Y-%m-%d}"},
        {"owner_name_as_per_rc": "Somebody Else"},
    ):
        changed |= change
        assert "approval again" in edit(shop, **changed)
        assert not approved(shop)
        alter(Vehicle, shop.vehicle.id, is_approved=True)
    other = {"color": "Red", "terms": "New", "prices": [{"price_name": "Full Day", "price": 1}]}
    assert edit(shop, **changed, **other) == "Vehicle updated successfully!"
    assert approved(shop)
    photo(shop, "new.jpg")
    assert not approved(shop)


def test_without_manual_approval_nothing_waits(shop: Shop) -> None:
    assert edit(shop, rc_number="TS09EA4321") == "Vehicle updated successfully!"
    photo(shop, "new.jpg")
    assert approved(shop)
