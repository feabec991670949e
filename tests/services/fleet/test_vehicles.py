"""Vehicles: who may list and change them, and what the platform says about them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event

from rental_app.domain.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError, RentalError
from rental_app.infrastructure.db import read, write
from rental_app.models import ListingInFull, Vehicle, VehiclePrice
from rental_app.schemas.vehicles import VendorVehicle
from rental_app.schemas.wire import Page
from rental_app.seed.tables import row_id
from rental_app.services import vendors
from rental_app.services.bookings import lists, requests
from rental_app.services.earnings import dashboard
from rental_app.services.files.checks import CheckedUploads
from rental_app.services.fleet import own_vehicles, vehicles
from rental_app.services.search import listings
from tests.conftest import forget
from tests.support.booking_steps import alter, every_file
from tests.support.rest_helpers import listing
from tests.support.shop import VISITOR, Shop, actor, add_user, add_vehicle, add_vehicles, count, moment, wanted

YARD = {"address": "2-4-88, Uppal Road", "landmark": "Near Uppal Metro", "zipCode": "500039"}


def seen(shop: Shop, vehicle_id: int | None) -> VendorVehicle:
    return next(v for v in read(own_vehicles.of_vendor, actor(shop.vendor)).items if v.id == vehicle_id)


def add(shop: Shop, **changes: object) -> int:
    return write(vehicles.submit, actor(shop.vendor), listing(**changes), every_file())


def public(vehicle_id: int | None) -> ListingInFull:
    return read(listings.get_listing, VISITOR, vehicle_id or 0)


def test_a_vehicle_stands_where_its_vendor_is_or_says(shop: Shop) -> None:
    assert seen(shop, add(shop)).service_location == "Testpur"
    there = seen(shop, add(shop, rc_number="TS09EA2", service_location="Uppal", **YARD))
    assert (there.service_location, there.own_address, there.own_zip_code) == ("Uppal", YARD["address"], "500039")
    assert public(there.id).pickup_address == "2-4-88, Uppal Road, Near Uppal Metro, Hyderabad, Telangana 500039"
    # A vendor without a place is asked for one.
    with pytest.raises(InvalidInputError) as refused:
        write(vehicles.submit, actor(add_user("Vendor")), listing(rc_number="TS09EA3"), every_file())
    assert refused.value.code == "no_service_location"


def test_an_edit_leaves_the_address_changes_it_or_gives_it_back(shop: Shop) -> None:
    def save(**changes: object) -> tuple[str, str]:
        write(vehicles.change, actor(shop.vendor), listing(id=shop.vehicle.id) | changes, CheckedUploads())
        return seen(shop, shop.vehicle.id).service_location, public(shop.vehicle.id).pickup_address

    at_vendors = ("Testpur", shop.vendor.full_address)
    at_yard = ("Uppal", "2-4-88, Uppal Road, Near Uppal Metro, Hyderabad, Telangana 500039")
    assert save() == at_vendors
    assert save(service_location="Uppal", **YARD) == at_yard
    assert save() == save(service_location="Uppal") == at_yard
    assert save(**YARD | {"landmark": ""}) == ("Uppal", "2-4-88, Uppal Road, Hyderabad, Telangana 500039")
    assert public(shop.vehicle.id).google_maps_link == ""
    assert save(address="") == at_vendors


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"service_location": "Uppal"}, "address"),
        ({"service_location": "Uppal", "address": "Yard 1"}, "zipCode"),
        ({"address": "Yard 1", "zipCode": "999999"}, "zipCode"),
        ({"address": "Yard 1", "zipCode": "500039", "google_maps_link": "https://evil.example"}, "google_maps_link"),
        ({"landmark": "Near the lake"}, "address"),
        ({"stands": "elsewhere"}, "address"),
        ({"stands": "elsewhere", "service_location": "Testpur", "address": "Yard 1"}, "zipCode"),
    ],
)
def test_half_an_address_is_no_place_to_fetch_a_vehicle(shop: Shop, given: dict[str, str], field: str) -> None:
    data = listing(id=shop.vehicle.id) | given
    for call in (vehicles.submit, vehicles.change):
        with pytest.raises(RentalError) as refused:
            write(call, actor(shop.vendor), data, CheckedUploads())
        assert field in refused.value.fields
    assert public(shop.vehicle.id).pickup_address == shop.vendor.full_address


def test_a_yard_with_a_pincode_that_nobody_knows_has_the_state_typed(shop: Shop) -> None:
    """The post opens new offices: as in a sign-up, nobody is turned away for one that is not among those known."""
    there = YARD | {"zipCode": "509999", "landmark": ""}
    yard = add(shop, rc_number="TS09EA2", **there, state=" Telangana ")
    assert public(yard).pickup_address == "2-4-88, Uppal Road, Hyderabad, Telangana 509999"

    def save(**changes: object) -> str:
        data = listing(id=yard, rc_number="TS09EA2", **there) | changes
        write(vehicles.change, actor(shop.vendor), data, CheckedUploads())
        return public(yard).pickup_address

    # What `edit-vehicle` takes back as it is has no state in it.
    assert save(address="Yard 2") == "Yard 2, Hyderabad, Telangana 509999"
    assert save(state="Andhra Pradesh") == "2-4-88, Uppal Road, Hyderabad, Andhra Pradesh 509999"
    with pytest.raises(InvalidInputError) as refused:
        save(zipCode="509998")
    assert refused.value.fields == {"zipCode": "There is no place with the pincode 509998"}
    assert save(zipCode="500039", state="Kerala") == "2-4-88, Uppal Road, Hyderabad, Telangana 500039"


def test_an_old_vehicle_keeps_its_year_and_no_other_takes_it(shop: Shop) -> None:
    year = moment(0).year
    old = add_vehicle(shop.vendor, year=year - 21)

    def save(**changes: object) -> None:
        data = listing(id=old.id, rc_number=old.rc_number, **changes)
        write(vehicles.change, actor(shop.vendor), data, CheckedUploads())

    save(year=year - 21, color="Red")
    assert (seen(shop, old.id).year, seen(shop, old.id).color) == (year - 21, "Red")
    for refused_year in (year - 20, year - 22, year + 1, 1979, 0, 10**12):
        with pytest.raises(InvalidInputError) as refused:
            save(year=refused_year)
        assert refused.value.fields == {"year": f"Choose a year from {year - 19} to {year}"}
    with pytest.raises(InvalidInputError):
        add(shop, year=year - 21)


def test_what_the_platform_says_is_computed(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    expired = add_vehicle(shop.vendor, insurance_expiry_date=moment(-1).date())
    today = add_vehicle(shop.vendor, pollution_expiry_date=moment(0).date())
    refused = add_vehicle(shop.vendor, is_approved=False)
    off = add_vehicle(shop.vendor, is_active=False)
    told = {v.id: (v.is_available, v.is_active) for v in read(own_vehicles.of_vendor, actor(shop.vendor)).items}
    assert [told[row_id(v)] for v in (expired, today, refused, off)] == [
        (False, True),
        (True, True),
        (False, True),
        (True, False),
    ]
    monkeypatch.setenv("RENTAL_LISTING_APPROVAL", "manual")
    forget()
    assert not seen(shop, add(shop)).is_available


def test_switching_off_leaves_bookings_alone(shop: Shop) -> None:
    made = write(requests.create, actor(shop.customer), wanted(shop.vehicle))
    told = write(vehicles.toggle, actor(shop.vendor), row_id(shop.vehicle))
    assert "blocked" in told.message
    assert [(one.reference, one.customer, one.status) for one in told.bookings] == [
        (made.reference, shop.customer.name, "pending")
    ]
    assert read(vehicles.bookings_ahead, actor(shop.vendor), row_id(shop.vehicle)) == told.bookings
    assert read(lists.of_customer, actor(shop.customer)).items == [made]
    back = write(vehicles.toggle, actor(shop.vendor), row_id(shop.vehicle))
    assert ("on the platform" in back.message, back.bookings) == (True, [])


def test_customers_list_nothing_and_strangers_find_nothing(shop: Shop) -> None:
    data = listing(id=shop.vehicle.id)
    stranger = actor(add_user("Vendor", location_id=shop.place.id))
    for call in (
        lambda who: write(vehicles.submit, who, data, every_file()),
        lambda who: read(own_vehicles.of_vendor, who),
        lambda who: read(own_vehicles.assets, who),
        lambda who: read(dashboard.of_vendor, who),
    ):
        with pytest.raises(ForbiddenError):
            call(actor(shop.customer))
    for own in (
        lambda who: write(vehicles.change, who, data, CheckedUploads()),
        lambda who: write(vehicles.toggle, who, row_id(shop.vehicle)),
        lambda who: write(vehicles.switch, who, row_id(shop.vehicle), False),
        lambda who: read(vehicles.bookings_ahead, who, row_id(shop.vehicle)),
        lambda who: read(own_vehicles.own_file, who, 1),
    ):
        with pytest.raises(ForbiddenError):
            own(actor(shop.customer))
        with pytest.raises(NotFoundError):
            own(stranger)
    assert seen(shop, shop.vehicle.id).color == "White"


def test_editing_replaces_prices_and_keeps_what_was_booked(shop: Shop) -> None:
    made = write(requests.create, actor(shop.customer), wanted(shop.vehicle))
    for _ in range(2):
        assert write(vehicles.change, actor(shop.vendor), listing(id=shop.vehicle.id), CheckedUploads()).unused == []
    assert [(p.price_name, p.price_paise) for p in seen(shop, shop.vehicle.id).prices] == [("Full Day", 49_950)]
    assert read(lists.of_customer, actor(shop.customer)).items[0].price == made.price


def test_what_an_edit_leaves_out_stays(shop: Shop) -> None:
    def save(*left_out: str, **changes: object) -> VendorVehicle:
        data = {name: value for name, value in listing(id=shop.vehicle.id, **changes).items() if name not in left_out}
        write(vehicles.change, actor(shop.vendor), data, CheckedUploads())
        return seen(shop, shop.vehicle.id)

    before = save()
    optional = ("terms", "prices", "drop_off_pick_extra_payment", "drop_off_payment", "pick_up_payment")
    after = save(*optional, speed_limit_kmph=60)
    assert after == before.model_copy(update={"speed_limit_kmph": 60})
    assert save(**dict.fromkeys(optional), speed_limit_kmph=60) == after
    assert (len(after.prices), after.drop_off_paise, after.terms) == (1, 15_000, "Helmet on\nNo racing")
    emptied = save(terms="", prices=[], drop_off_pick_extra_payment=False)
    assert (emptied.prices, emptied.terms, emptied.drop_off_pick_extra_payment) == ([], "", False)


def test_a_refused_edit_changes_nothing(shop: Shop) -> None:
    other, before = add_vehicle(shop.vendor), count("vehicle_price")
    data = listing(id=other.id, rc_number=shop.vehicle.rc_number, color="Pink")
    for place in ("", "Testpur"):
        with pytest.raises(ConflictError):
            write(vehicles.change, actor(shop.vendor), data | {"service_location": place}, CheckedUploads())
    assert seen(shop, other.id).color == "White"
    assert count("vehicle_price") == before


@contextmanager
def loaded(kind: type) -> Iterator[list[Any]]:
    """Collect the rows of a table that are loaded in this block."""
    rows: list[Any] = []

    def note(row: Any, _context: Any) -> None:
        rows.append(row)

    event.listen(kind, "load", note)
    yield rows
    event.remove(kind, "load", note)


def test_of_a_large_fleet_no_more_is_read_than_is_shown(shop: Shop) -> None:
    add_vehicles(shop.vendor, 20)
    with loaded(VehiclePrice) as prices:
        page = read(own_vehicles.of_vendor, actor(shop.vendor), Page(limit=5, cursor=shop.vehicle.id))
    assert ([len(car.prices) for car in page.items], len(prices)) == ([1] * 5, 5)
    found = read(vendors.vendor, VISITOR, shop.vendor.id, Page(limit=4), Page(limit=1))
    assert (len(found.vehicles.items), found.vehicles.total) == (4, 21)
    nobody = add_user("Vendor")
    assert read(own_vehicles.of_vendor, actor(nobody)).items == []
    assert read(vendors.vendor, VISITOR, nobody.id, Page(limit=4), Page(limit=1)).vehicles.total == 0


@pytest.mark.parametrize("paper", ["insurance_expiry_date", "pollution_expiry_date"])
def test_a_paper_that_has_expired_is_refused_when_it_is_entered(shop: Shop, paper: str) -> None:
    expired, today = f"{moment(-1):%Y-%m-%d}", f"{moment(0):%Y-%m-%d}"
    told = {paper: "This has expired: renew it, then enter the new date"}
    before = count("vehicle")
    with pytest.raises(InvalidInputError) as refused:
        add(shop, **{paper: expired})
    assert (refused.value.fields, count("vehicle")) == (told, before)
    assert add(shop, rc_number="TS09EA2", **{paper: today})

    def save(**changes: object) -> None:
        write(vehicles.change, actor(shop.vendor), listing(id=shop.vehicle.id, **changes), CheckedUploads())

    with pytest.raises(InvalidInputError) as refused:
        save(**{paper: expired})
    assert refused.value.fields == told
    # It was valid when it was entered: all else may change until it is renewed.
    alter(Vehicle, shop.vehicle.id, **{paper: moment(-1).date()})
    save(color="Red", **{paper: expired})
    assert seen(shop, shop.vehicle.id).color == "Red"
    with pytest.raises(InvalidInputError):
        save(**{paper: f"{moment(-2):%Y-%m-%d}"})


def test_both_papers_are_named_with_all_else_that_is_wrong(shop: Shop) -> None:
    wrong = dict.fromkeys(("insurance_expiry_date", "pollution_expiry_date"), f"{moment(-9):%Y-%m-%d}")
    with pytest.raises(InvalidInputError) as refused:
        add(shop, rc_number="hello", **wrong)
    assert refused.value.fields.keys() == wrong.keys() | {"rc_number"}
