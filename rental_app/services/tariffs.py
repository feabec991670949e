"""What vendors ask: the active plans of vehicles, which every price is made from."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.models import VehiclePrice
from rental_app.rules.pricing import FULL_DAY, Plan, Tariff
from rental_app.services.shop import VehicleRow, priced


def tariffs(session: Session, rows: Sequence[VehicleRow]) -> dict[int, Tariff]:
    """The tariffs of vehicles that can be booked, by their ids, in one statement; a page of a list at most."""
    wanted = select(
        col(VehiclePrice.vehicle_id),
        col(VehiclePrice.price_name),
        col(VehiclePrice.price_paise),
        col(VehiclePrice.kms_limit),
    ).where(col(VehiclePrice.vehicle_id).in_([row.id for row in rows]), col(VehiclePrice.price_name) != FULL_DAY)
    # The rows bring their Full Day price along.
    plans = {row.id: [Plan(FULL_DAY, row.daily_paise, row.kms_limit)] for row in rows}
    for vehicle_id, *plan in session.execute(wanted.where(*priced())):
        plans[vehicle_id].append(Plan(*plan))
    return {vehicle_id: Tariff(tuple(asked)) for vehicle_id, asked in plans.items()}
