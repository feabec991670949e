"""Maintenance of vehicles: what it cost, and what is due by day or by kilometres."""

from datetime import date, timedelta
from typing import Any

import pytest

from rental_app.domain import clock
from rental_app.domain.errors import ForbiddenError, InvalidInputError, NotFoundError
from rental_app.infrastructure.db import read, write
from rental_app.models import User, Vehicle
from rental_app.schemas.fleet import MaintenanceIn, MaintenanceView
from rental_app.schemas.validation import validated
from rental_app.services.fleet import maintenance, retirement
from rental_app.services.fleet.maintenance import DueMaintenance
from tests.support.booking_steps import alter
from tests.support.shop import Shop, actor, add_vehicle, open_shop


def today() -> date:
    return clock.indian_today(clock.now())


def note(shop: Shop, vehicle: Vehicle | None = None, user: User | None = None, **given: Any) -> MaintenanceView:
    asked = {"kind": "service", "doneOn": today() - timedelta(days=90), "cost": "1200"} | given
    request = validated(MaintenanceIn, asked, exact=True)
    return write(maintenance.add, actor(user or shop.vendor), (vehicle or shop.vehicle).id or 0, request)


def due(shop: Shop) -> list[DueMaintenance]:
    return read(maintenance.due_maintenance, actor(shop.vendor))


def test_what_was_done_is_listed_with_its_cost_by_year(shop: Shop) -> None:
    note(shop, doneOn="2025-11-30", cost="950.50", odometer="1,100", note="Oil")
    note(shop, doneOn="2026-01-02", kind="tyres", cost=4200)
    last = note(shop, doneOn="2026-10-02", kind="claim", cost=0)
    answer = read(maintenance.of_vehicle, actor(shop.vendor), shop.vehicle.id or 0)
    assert [entry.kind for entry in answer.entries] == ["claim", "tyres", "service"]
    assert [(year.year, year.cost_paise) for year in answer.years] == [(2026, 420_000), (2025, 95_050)]
    assert answer.odometer_km == 1200
    request = validated(MaintenanceIn, {"kind": "claim", "doneOn": "2026-10-02", "cost": 300})
    write(maintenance.change, actor(shop.vendor), shop.vehicle.id or 0, last.id, request)
    answer = read(maintenance.of_vehicle, actor(shop.vendor), shop.vehicle.id or 0)
    assert answer.years[0].cost_paise == 450_000
    write(maintenance.remove, actor(shop.vendor), shop.vehicle.id or 0, last.id)
    assert len(read(maintenance.of_vehicle, actor(shop.vendor), shop.vehicle.id or 0).entries) == 2


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"cost": -1}, "cost"),
        ({"cost": ""}, "cost"),
        ({"cost": "12.345"}, "cost"),
        ({"cost": 1e9}, "cost"),
        ({"doneOn": "2026-12-31"}, "doneOn"),
        ({"doneOn": "1980-01-01"}, "doneOn"),
        ({"nextOn": "2025-01-01"}, "nextOn"),
        ({"odometer": 5000, "nextKm": 5000}, "nextKm"),
        ({"odometer": -1}, "odometer"),
        ({"kind": "paint"}, "kind"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_what_cannot_be_is_refused_at_its_field(shop: Shop, given: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        note(shop, **given)
    assert field in refused.value.fields


def test_it_is_due_by_its_day_or_by_the_last_reading_until_it_was_done_again(shop: Shop) -> None:
    assert due(shop) == []
    other = add_vehicle(shop.vendor, odometer_reading=20_000)
    note(shop, kind="battery", nextOn=today() + timedelta(days=30))
    note(shop, kind="service", nextOn=today() + timedelta(days=7))
    note(shop, other, kind="tyres", odometer=12_000, nextKm=20_300)
    assert [(each.kind, each.is_overdue) for each in due(shop)] == [("service", False), ("tyres", False)]
    # As a return notes it.
    alter(Vehicle, other.id, odometer_reading=20_300)
    first, second = due(shop)
    assert (first.kind, first.is_overdue, first.rc_number) == ("tyres", True, other.rc_number)
    assert (first.odometer_km, second.is_overdue) == (20_300, False)
    entry = read(maintenance.of_vehicle, actor(shop.vendor), other.id or 0).entries[0]
    assert entry.is_due
    note(shop, other, kind="tyres", doneOn=today(), odometer=20_300, nextKm=28_000)
    assert [each.kind for each in due(shop)] == ["service"]
    write(retirement.retire, actor(shop.vendor), shop.vehicle.id or 0)
    assert due(shop) == []


def test_it_is_the_vendors_alone(shop: Shop) -> None:
    foreign, entry = open_shop("Otherpur"), note(shop)
    with pytest.raises(NotFoundError):
        note(shop, user=foreign.vendor)
    with pytest.raises(ForbiddenError):
        note(shop, user=shop.customer)
    for vehicle in (shop.vehicle, foreign.vehicle):
        with pytest.raises(NotFoundError):
            write(maintenance.remove, actor(foreign.vendor), vehicle.id or 0, entry.id)
    with pytest.raises(NotFoundError):
        read(maintenance.of_vehicle, actor(foreign.vendor), shop.vehicle.id or 0)
