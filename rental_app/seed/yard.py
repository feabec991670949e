"""What the demo vendor's yard shows: maintenance, a vehicle that was given up, and dearer days of another one."""

from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session

from rental_app.domain import clock
from rental_app.domain.money import PAISE_PER_RUPEE
from rental_app.models import MaintenanceEntry, PriceRule, User, Vehicle, VehiclePrice
from rental_app.seed.tables import row_id

# Days before the seeding, what was done, rupees, a note, and after how many days and kilometres it is due again.
DONE: tuple[tuple[int, str, int, str, int | None, int | None], ...] = (
    (190, "service", 1_450, "Oil, filter, chain", None, None),
    (96, "tyres", 3_900, "Rear tyre", None, 12_000),
    (88, "service", 1_650, "Oil, brake pads", 90, None),
    (30, "claim", 2_500, "Left mirror and panel, own share", None, None),
)
# How old the retired one is when it goes, and its plate.
RETIRED_AGO, RETIRED_PLATE = timedelta(days=24), "TS08EA4412"
# Friday, Saturday and Sunday, a bit for each weekday.
WEEKEND, PERCENT = 0b1110000, 10


def add_yard(session: Session, now: datetime, fleet: dict[str, Vehicle], vendor: User) -> None:
    """Insert maintenance of one of the vendor's vehicles, a retired one, and a rule for the dearest."""
    own = [each for each in fleet.values() if each.vendor_id == vendor.id]
    today = clock.indian_today(now)
    for days, kind, rupees, note, again_days, again_km in DONE:
        done_on = today - timedelta(days=days)
        odometer = max(0, own[0].odometer_reading - 25 * days)
        session.add(
            MaintenanceEntry(
                vehicle_id=row_id(own[0]),
                kind=kind,
                done_on=done_on,
                odometer_km=odometer,
                cost_paise=rupees * PAISE_PER_RUPEE,
                note=note,
                next_on=done_on + timedelta(days=again_days) if again_days else None,
                next_km=odometer + again_km if again_km else None,
                created_at=now,
            )
        )
    _retire(session, now, own[0])
    dearest = max(own, key=lambda each: each.deposit_paise)
    of_it = {"vendor_id": row_id(vendor), "vehicle_id": row_id(dearest)}
    session.add(PriceRule.model_validate(of_it | {"weekday": 4, "weekdays": WEEKEND, "percent": PERCENT}))
    session.flush()


def _retire(session: Session, now: datetime, like: Vehicle) -> None:
    """Insert an older vehicle of the same model that its vendor has sold."""
    changes: dict[str, Any] = {
        "id": None,
        "rc_number": RETIRED_PLATE,
        "engine_number": f"{like.engine_number[:-4]}4412",
        "chassis_number": f"{like.chassis_number[:-4]}4412",
        "year": like.year - 5,
        "image": "",
        "is_active": False,
        "is_featured": False,
        "retired_at": now - RETIRED_AGO,
    }
    gone = Vehicle(**like.model_dump() | changes)
    session.add(gone)
    session.flush()
    session.add(VehiclePrice(vehicle_id=row_id(gone), price_name="Full Day", price_paise=30_000, kms_limit=120))
