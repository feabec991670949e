"""The vendor's fleet table and the files of a vehicle."""

from datetime import datetime

import pytest
from sqlmodel import Session, select

from rental_app.domain.errors import ForbiddenError, InvalidInputError, NotFoundError
from rental_app.infrastructure.db import read, write
from rental_app.models import Block, Booking, LedgerEntry, Vehicle, VehicleFile, snapshots
from rental_app.schemas.fleet import FleetQuery
from rental_app.services.earnings import dashboard as earnings_today
from rental_app.services.files.checks import CheckedUploads
from rental_app.services.files.storage import CheckedFile
from rental_app.services.fleet import own_vehicles, table, vehicles
from rental_app.services.fleet import papers as fleet_files
from tests.support.shop import Shop, actor, add_user, add_vehicle, moment, open_shop, put


def rc_numbers(shop: Shop, **query: object) -> list[str]:
    page = read(table.table, actor(shop.vendor), FleetQuery.model_validate(query))
    return [vehicle.rc_number for vehicle in page.vehicles]


def test_the_fleet_and_each_of_its_vehicles_are_the_vendors_own(shop: Shop) -> None:
    open_shop("Otherpur")
    assert rc_numbers(shop) == [shop.vehicle.rc_number]
    with pytest.raises(ForbiddenError):
        read(table.table, actor(shop.customer), FleetQuery())
    with pytest.raises(ForbiddenError):
        read(table.fitting, actor(shop.customer), "")
    assert read(own_vehicles.own_vehicle, actor(shop.vendor), shop.vehicle.id).rc_number == shop.vehicle.rc_number
    with pytest.raises(NotFoundError):
        read(own_vehicles.own_vehicle, actor(add_user("Vendor")), shop.vehicle.id)
    with pytest.raises(ForbiddenError):
        read(own_vehicles.own_vehicle, actor(shop.customer), shop.vehicle.id)


def test_filters_and_orders(shop: Shop) -> None:
    soon = add_vehicle(shop.vendor, rc_number="AP01AA0001", pollution_expiry_date=moment(30).date(), color="Maroon")
    gone = add_vehicle(shop.vendor, rc_number="AP01AA0003", insurance_expiry_date=moment(-1).date(), is_active=False)
    later = add_vehicle(shop.vendor, rc_number="AP01AA0002", pollution_expiry_date=moment(31).date())
    mine = shop.vehicle.rc_number
    assert rc_numbers(shop) == [later.rc_number, gone.rc_number, soon.rc_number, mine]
    assert rc_numbers(shop, order="rc")[:3] == ["AP01AA0001", "AP01AA0002", "AP01AA0003"]
    assert rc_numbers(shop, order="papers") == [gone.rc_number, soon.rc_number, later.rc_number, mine]
    assert rc_numbers(shop, shown="expiring") == [gone.rc_number, soon.rc_number]
    assert rc_numbers(shop, shown="unavailable") == rc_numbers(shop, shown="inactive") == [gone.rc_number]
    assert gone.rc_number not in rc_numbers(shop, shown="available") + rc_numbers(shop, shown="active")
    assert rc_numbers(shop, text="ap 01 maroon") == [soon.rc_number]
    for nothing in ("100%", "_", "' OR 1=1 --"):
        assert rc_numbers(shop, text=nothing) == []
        assert read(table.fitting, actor(shop.vendor), nothing) == set()
    assert read(table.fitting, actor(shop.vendor), "ap 01 maroon") == {soon.id}
    assert rc_numbers(shop, text="ap-01aa-0002") == rc_numbers(shop, text="AP-1-AA-2") == [later.rc_number]
    assert read(table.fitting, actor(shop.vendor), "AP-01-AA0002") == {later.id}
    assert len(read(table.fitting, actor(shop.vendor), "")) == 4


def test_pages_stay_within_the_fleet(shop: Shop) -> None:
    for _ in range(20):
        add_vehicle(shop.vendor)
    first = read(table.table, actor(shop.vendor), FleetQuery())
    last = read(table.table, actor(shop.vendor), FleetQuery(page=99))
    assert (len(first.vehicles), first.pages, first.total) == (20, 2, 21)
    assert (len(last.vehicles), last.page) == (1, 2)
    nothing = read(table.table, actor(shop.vendor), FleetQuery(text="zzz"))
    assert (nothing.vehicles, nothing.pages, nothing.total, nothing.size) == ([], 1, 0, 21)


def checked(group: str, name: str) -> CheckedFile:
    folder = "public" if group == "Front" else "private"
    return CheckedFile(group, f"{folder}/{name}", "image/jpeg", 1, {})


def edit(shop: Shop, *new: CheckedFile, drop: list[int] | None = None) -> list[str]:
    data = {"id": shop.vehicle.id, "drop_files": drop}
    return write(vehicles.change, actor(shop.vendor), data, CheckedUploads(new)).unused


def files(shop: Shop) -> dict[str, int]:
    own = select(VehicleFile).where(VehicleFile.vehicle_id == shop.vehicle.id)
    return {row.key: row.id or 0 for row in read(lambda session: session.exec(own).all())}


def cover(shop: Shop) -> str:
    def image(session: Session) -> str:
        return session.get_one(Vehicle, shop.vehicle.id).image

    return read(image)


def test_files_are_replaced_one_by_one(shop: Shop) -> None:
    edit(shop, checked("RC", "r1"), checked("RC", "r2"), checked("Front", "f1.jpg"), checked("Front", "f2.jpg"))
    had = files(shop)
    assert cover(shop) == "/media/public/f1.jpg"
    first = [had[key] for key in ("private/r1", "public/f1.jpg")]
    gone = edit(shop, checked("RC", "r3"), checked("Front", "f3.jpg"), drop=first)
    assert set(files(shop)) == {"private/r2", "private/r3", "public/f2.jpg", "public/f3.jpg"}
    assert sorted(gone) == ["private/r1", "public/f1.jpg", "public/f1.webp"]
    assert cover(shop) == "/media/public/f3.jpg", "the photo that took the cover's place is the cover"
    edit(shop, checked("Front", "f4.jpg"), drop=[])
    assert cover(shop) == "/media/public/f2.jpg"


def test_no_group_is_left_empty_or_too_full(shop: Shop) -> None:
    edit(shop, *(checked("RC", f"r{number}") for number in range(8)))
    had = files(shop)
    with pytest.raises(InvalidInputError) as emptied:
        edit(shop, drop=list(had.values()))
    assert (emptied.value.code, list(emptied.value.fields)) == ("missing_documents", ["RC"])
    with pytest.raises(InvalidInputError) as full:
        edit(shop, checked("RC", "r9"), drop=[])
    assert full.value.code == "too_many_files"
    assert files(shop) == had


def test_without_a_choice_only_the_groups_sent_are_replaced(shop: Shop) -> None:
    edit(shop, checked("RC", "r1"), checked("Tyre", "t1"))
    assert edit(shop, checked("RC", "r2")) == ["private/r1"]
    assert edit(shop) == []
    assert set(files(shop)) == {"private/r2", "private/t1"}
    own = read(fleet_files.of_actor, actor(shop.vendor))[shop.vehicle.id or 0]
    assert [file.group for file in own] == ["Tyre", "RC"]


def test_another_vehicles_files_cannot_be_dropped(shop: Shop) -> None:
    other = open_shop("Otherpur")
    edit(other, checked("RC", "theirs"))
    edit(shop, checked("RC", "mine"))
    edit(shop, checked("RC", "new"), drop=list(files(other).values()))
    assert set(files(shop)) == {"private/mine", "private/new"}
    assert set(files(other)) == {"private/theirs"}


def test_the_fleet_says_what_is_true_now(shop: Shop) -> None:
    cars = {
        "rented": {},
        "off": {"is_active": False},
        "unapproved": {"is_approved": False},
        "expired": {"insurance_expiry_date": moment(-2).date()},
        "blocked": {},
        "booked": {},
        "free": {},
    }
    ids = {kind: add_vehicle(shop.vendor, **fields).id for kind, fields in cars.items()}
    away = _booked(shop, ids["rented"], moment(-1), moment(2, 9), stage="out")
    _booked(shop, ids["rented"], moment(5), moment(6))
    _booked(shop, ids["booked"], moment(4), moment(5))
    _booked(shop, ids["booked"], moment(3, 9), moment(4))
    _booked(shop, ids["free"], moment(-3), moment(-2), stage="returned")
    _booked(shop, ids["free"], moment(3), moment(4), status="pending")
    put(Block(vehicle_id=ids["blocked"], begins_at=moment(-1), ends_at=moment(2), reason="service"))
    put(LedgerEntry(booking_id=away, kind="payment", paise=45_000))

    page = read(table.table, actor(shop.vendor), FleetQuery())
    found = {kind: page.standings[each or 0] for kind, each in ids.items()}
    assert {kind: standing.kind for kind, standing in found.items()} == {kind: kind for kind in cars}
    assert (found["rented"].until, found["rented"].following) == (moment(2, 9), moment(5))
    assert (found["booked"].until, found["free"].following) == (moment(3, 9), None)
    assert found["blocked"].until == moment(2)
    assert [standing.earned_paise for standing in found.values()] == [45_000, 0, 0, 0, 0, 0, 0]


def _booked(shop: Shop, vehicle_id: int | None, pickup: datetime, return_at: datetime, **fields: str) -> int:
    booking = Booking(
        vehicle_id=vehicle_id,
        customer_id=shop.customer.id,
        pickup_at=pickup,
        return_at=return_at,
        price_paise=45_000,
        deposit_paise=0,
        lines=[],
        booked=read(snapshots)[vehicle_id or 0].model_dump(),
        answer_by=return_at,
        **({"status": "confirmed"} | fields),
    )
    return put(booking).id or 0


def test_papers_that_run_out_name_the_bookings_that_go_on_past_them(shop: Shop) -> None:
    car = add_vehicle(shop.vendor, insurance_expiry_date=moment(3).date(), pollution_expiry_date=moment(-1).date())
    add_vehicle(shop.vendor, insurance_expiry_date=moment(31).date())
    add_vehicle(open_shop("Otherpur").vendor, insurance_expiry_date=moment(3).date())
    off = add_vehicle(shop.vendor, insurance_expiry_date=moment(2).date(), is_active=False)
    out = _booked(shop, car.id, moment(-2), moment(2), stage="out")
    past = _booked(shop, car.id, moment(3, 9), moment(4))
    _booked(shop, car.id, moment(-4), moment(-3), stage="returned")
    _booked(shop, car.id, moment(5), moment(6), status="cancelled", cancelled_by="vendor")
    rows = read(lambda session: [session.get_one(Booking, each) for each in (out, past)])
    refs = {each: row.reference for each, row in zip((out, past), rows, strict=True)}

    on_page = read(table.table, actor(shop.vendor), FleetQuery()).papers
    assert {paper.vehicle_id for paper in on_page} == {car.id, off.id}
    expired, insurance = read(earnings_today.day_of_vendor, actor(shop.vendor)).papers
    assert (expired.paper, expired.bookings) == ("Pollution", [refs[out], refs[past]])
    assert (insurance.paper, insurance.bookings) == ("Insurance", [refs[past]])
