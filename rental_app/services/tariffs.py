"""What vendors ask: the active plans of vehicles, which every price is made from."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.models import Listing, VehiclePrice
from rental_app.rules.pricing import FULL_DAY, Plan, Tariff
from rental_app.services.shop import priced


def tariffs(session: Session, cars: Sequence[Listing]) -> dict[int, Tariff]:
    """The tariffs of vehicles that can be booked, by their ids, in one statement; a page of a list at most."""
    statement = select(
        col(VehiclePrice.vehicle_id),
        col(VehiclePrice.price_name),
        col(VehiclePrice.price_paise),
        col(VehiclePrice.kms_limit),
    ).where(col(VehiclePrice.vehicle_id).in_([car.id for car in cars]), col(VehiclePrice.price_name) != FULL_DAY)
    # Listings bring their Full Day price along.
    plans = {car.id: [Plan(FULL_DAY, car.daily_paise, car.kms_limit)] for car in cars}
    for vehicle_id, *plan in session.execute(statement.where(*priced())):
        plans[vehicle_id].append(Plan(*plan))
    return {vehicle_id: Tariff(tuple(asked)) for vehicle_id, asked in plans.items()}
