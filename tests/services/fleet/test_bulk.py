"""One change of many vehicles: for all of them, or for none."""

from typing import Any

import pytest
from sqlalchemy import select
from sqlmodel import col

from rental_app.domain.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError, RentalError
from rental_app.infrastructure.db import read, write
from rental_app.infrastructure.settings import settings
from rental_app.models import Block, User, Vehicle, VehiclePrice
from rental_app.schemas.fleet import BulkAnswer, BulkRequest
from rental_app.schemas.prices import FleetPrices
from rental_app.schemas.validation import validated
from rental_app.services.fleet import bulk, prices, retirement
from rental_app.services.fleet.prices import PricesChangedError
from tests.support.booking_steps import book
from tests.support.shop import DAILY_PAISE, Shop, actor, add_vehicle, moment, open_shop, put, wanted


def change(user: User, *vehicles: Vehicle, action: str, **more: Any) -> BulkAnswer:
    return send(user, {"ids": [vehicle.id for vehicle in vehicles], "action": action} | more)


def send(user: User, body: dict[str, Any]) -> BulkAnswer:
    request = validated(BulkRequest, body, exact=True)
    return read(bulk.preview, actor(user), request) if request.preview else write(bulk.change, actor(user), request)


def of(vehicle: Vehicle) -> Vehicle:
    return read(lambda session: session.get_one(Vehicle, vehicle.id))


def priced(*vehicles: Vehicle) -> list[int]:
    ids = [vehicle.id for vehicle in vehicles]
    plans = select(VehiclePrice).where(col(VehiclePrice.vehicle_id).in_(ids)).order_by(col(VehiclePrice.id))
    return [row.price_paise for row in read(lambda session: session.scalars(plans).all())]


def refusal(kind: type[RentalError], *args: Any, **more: Any) -> RentalError:
    with pytest.raises(kind) as refused:
        change(*args, **more)
    return refused.value


@pytest.fixture
def fleet(shop: Shop) -> list[Vehicle]:
    return [shop.vehicle, add_vehicle(shop.vendor), add_vehicle(shop.vendor)]


def test_many_are_paused_and_resumed_and_their_bookings_ahead_are_named(shop: Shop, fleet: list[Vehicle]) -> None:
    ahead = book(shop.customer, wanted(fleet[1]))
    answer = change(shop.vendor, *fleet, action="pause")
    assert answer.message == "3 vehicles now blocked from booking"
    assert [each.reference for each in answer.bookings] == [ahead.reference]
    assert not any(of(each).is_active for each in fleet)
    change(shop.vendor, *fleet[:2], action="resume")
    assert [of(each).is_active for each in fleet] == [True, True, False]


def test_what_is_not_all_the_vendors_and_in_the_fleet_changes_nothing(shop: Shop, fleet: list[Vehicle]) -> None:
    foreign = open_shop("Otherpur")
    refusal(NotFoundError, shop.vendor, *fleet, foreign.vehicle, action="pause")
    with pytest.raises(ForbiddenError):
        change(shop.customer, *fleet, action="pause")
    write(retirement.retire, actor(shop.vendor), fleet[2].id or 0)
    error = refusal(ConflictError, shop.vendor, *fleet, action="price", percent=10)
    assert (error.code, fleet[2].rc_number in error.message) == ("vehicle_retired", True)
    assert all(of(each).is_active for each in [*fleet[:2], foreign.vehicle])
    assert priced(*fleet) == [DAILY_PAISE] * 3


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"ids": []}, "ids"),
        ({"ids": [1, 2, 1]}, "ids"),
        ({"ids": list(range(1, 202))}, "ids"),
        ({"action": "sell"}, "action"),
        ({"action": "price"}, "percent"),
        ({"action": "price", "percent": 0}, "percent"),
        ({"action": "price", "percent": -91}, "percent"),
        ({"action": "price", "percent": 10, "amount": 50, "plan": "Full Day"}, "amount"),
        ({"action": "price", "amount": 50}, "plan"),
        ({"action": "price", "amount": 50.5, "plan": "Full Day"}, "amount"),
        ({"action": "block", "from": "2026-12-01", "to": "2026-12-02"}, "reason"),
        ({"action": "block", "from": "2026-12-03", "to": "2026-12-01", "reason": "service"}, "to"),
        ({"action": "terms"}, "security_deposit"),
        ({"action": "terms", "security_deposit": -1}, "security_deposit"),
        ({"action": "renew", "paper": "Insurance"}, "validUntil"),
        ({"action": "renew", "paper": "RC", "validUntil": "2027-12-01"}, "paper"),
        ({"action": "pause", "percent": 10}, "percent"),
    ],
)
def test_what_makes_no_sense_is_refused_at_its_field(shop: Shop, given: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        send(shop.vendor, {"ids": [shop.vehicle.id], "action": "pause"} | given)
    assert field in refused.value.fields
    assert of(shop.vehicle).is_active


@pytest.mark.databases
def test_a_block_that_meets_one_booking_blocks_none_and_names_the_vehicle(shop: Shop, fleet: list[Vehicle]) -> None:
    taken = book(shop.customer, wanted(fleet[1], days=5))
    days = {"from": f"{moment(4):%Y-%m-%d}", "to": f"{moment(6):%Y-%m-%d}", "reason": "service", "note": "Fair"}
    error = refusal(ConflictError, shop.vendor, *fleet, action="block", **days)
    assert error.code == "booked"
    assert fleet[1].rc_number in error.message
    assert taken.reference in error.message
    ours = col(Block.vehicle_id).in_([vehicle.id for vehicle in fleet])
    blocks = select(col(Block.vehicle_id)).where(ours).order_by(col(Block.vehicle_id))
    assert read(lambda session: session.scalars(blocks).all()) == []
    answer = change(shop.vendor, fleet[0], fleet[2], action="block", **days)
    assert answer.message == "2 vehicles blocked"
    assert read(lambda session: session.scalars(blocks).all()) == [fleet[0].id, fleet[2].id]
    # What is blocked already stays as it is.
    assert refusal(ConflictError, shop.vendor, fleet[0], fleet[2], action="block", **days).code == "blocked"


def test_prices_rise_by_percent_or_rupees_after_a_preview_and_go_back(shop: Shop, fleet: list[Vehicle]) -> None:
    put(VehiclePrice(vehicle_id=fleet[0].id or 0, price_name="Week", price_paise=333_300, kms_limit=700))
    put(VehiclePrice(vehicle_id=fleet[0].id or 0, price_name="Month", price_paise=0, status="Inactive"))
    before = priced(*fleet)
    answer = change(shop.vendor, *fleet, action="price", percent=5, preview=True)
    assert priced(*fleet) == before
    assert [(each.vehicle, each.price_name, each.before, each.after) for each in answer.prices] == [
        (fleet[0].id, "Full Day", DAILY_PAISE, DAILY_PAISE * 105 // 100),
        (fleet[0].id, "Week", 333_300, 350_000),
        *((each.id, "Full Day", DAILY_PAISE, DAILY_PAISE * 105 // 100) for each in fleet[1:]),
    ]
    shown = [
        {"vehicle": each.vehicle, "price_name": each.price_name, "price": each.before / 100} for each in answer.prices
    ]
    done = change(shop.vendor, *fleet, action="price", percent=5, shown=shown)
    assert done.prices == answer.prices
    assert done.message == "4 prices changed"
    assert sorted(priced(*fleet)) == sorted([0, *(each.after for each in done.prices)])
    # A second press of the same: what was shown is no longer true.
    error = refusal(PricesChangedError, shop.vendor, *fleet, action="price", percent=5, shown=shown)
    assert len(error.details["prices"]) == 4
    back = [
        {
            "vehicle": each.vehicle,
            "price_name": each.price_name,
            "price": each.before / 100,
            "shown": {"price": each.after / 100},
        }
        for each in done.prices
    ]
    write(prices.change, actor(shop.vendor), validated(FleetPrices, back))
    assert priced(*fleet) == before
    change(shop.vendor, *fleet[1:], action="price", plan="Full Day", amount=-50)
    assert priced(*fleet[1:]) == [DAILY_PAISE - 5_000] * 2


def test_prices_that_cannot_be_are_refused_with_the_vehicles_plate(shop: Shop, fleet: list[Vehicle]) -> None:
    cheap = add_vehicle(shop.vendor, daily=100)
    error = refusal(InvalidInputError, shop.vendor, *fleet, cheap, action="price", percent=-60)
    assert f"{cheap.rc_number}: Full Day would be ₹0" in error.fields["percent"]
    assert fleet[0].rc_number not in error.fields["percent"]
    dear = add_vehicle(shop.vendor, daily=400_000 * 100)
    assert dear.rc_number in refusal(InvalidInputError, shop.vendor, dear, action="price", percent=26).message
    below = refusal(InvalidInputError, shop.vendor, *fleet, cheap, action="price", plan="Full Day", amount=-1)
    assert cheap.rc_number in below.fields["amount"]
    assert priced(*fleet, cheap, dear) == [*[DAILY_PAISE] * 3, 100, 400_000 * 100]
    unpriced = add_vehicle(shop.vendor, daily=None)
    assert refusal(ConflictError, shop.vendor, unpriced, action="price", percent=10).code == "not_priced"


def test_terms_are_set_for_all_and_only_those_given(shop: Shop, fleet: list[Vehicle]) -> None:
    change(
        shop.vendor,
        *fleet,
        action="terms",
        security_deposit=2500,
        late_penalty_per_hour="120.50",
        kms_limit=180,
        terms="Return it clean",
    )
    for vehicle in map(of, fleet):
        assert (vehicle.deposit_paise, vehicle.late_penalty_paise) == (250_000, 12_050)
        assert vehicle.terms == "Return it clean"
        assert vehicle.distance_penalty_paise == shop.vehicle.distance_penalty_paise
    plans = select(col(VehiclePrice.kms_limit), col(VehiclePrice.price_paise))
    assert set(read(lambda session: session.execute(plans).all())) >= {(180, DAILY_PAISE)}
    change(shop.vendor, fleet[0], action="terms", terms="", security_deposit=0)
    assert (of(fleet[0]).terms, of(fleet[0]).deposit_paise, of(fleet[1]).terms) == ("", 0, "Return it clean")


def test_one_date_renews_a_paper_of_all_unless_one_has_a_later_one(
    shop: Shop, fleet: list[Vehicle], monkeypatch: pytest.MonkeyPatch
) -> None:
    last = max(vehicle.insurance_expiry_date for vehicle in fleet)
    later = last.replace(year=last.year + 1).isoformat()
    answer = change(shop.vendor, *fleet, action="renew", paper="Insurance", validUntil=later)
    assert answer.message == "Insurance of 3 vehicles renewed."
    assert {of(each).insurance_expiry_date.isoformat() for each in fleet} == {later}
    error = refusal(InvalidInputError, shop.vendor, *fleet, action="renew", paper="Insurance", validUntil=later)
    assert fleet[0].rc_number in error.fields["validUntil"]
    past = f"{moment(-2):%Y-%m-%d}"
    assert refusal(InvalidInputError, shop.vendor, *fleet, action="renew", paper="Pollution", validUntil=past).fields
    monkeypatch.setattr(settings(), "listing_approval", "manual")
    again = last.replace(year=last.year + 2).isoformat()
    assert "approval" in change(shop.vendor, fleet[0], action="renew", paper="Insurance", validUntil=again).message
    assert [of(each).is_approved for each in fleet] == [False, True, True]
