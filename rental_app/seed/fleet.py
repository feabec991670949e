"""The fleet: sixty vehicles, each vendor's in two neighbouring localities, with papers valid for months."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from fractions import Fraction
from random import Random

from sqlmodel import Session

from rental_app.domain import clock
from rental_app.domain.money import PAISE_PER_RUPEE
from rental_app.domain.pricing import FULL_DAY
from rental_app.models import AssetModel, Location, User, Vehicle, VehiclePrice
from rental_app.seed import conditions, tables
from rental_app.seed.catalogue import MODEL_BY_KEY, SeedModel, round_up
from rental_app.seed.people import VENDORS, own_address
from rental_app.seed.tables import row_id

# Telangana changed its registration prefix from TS to TG in March 2024.
FIRST_TG_YEAR = 2024
CHASSIS_CHARACTERS = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789"
# A plan's kilometres in percent of a day's, and vendors' own price levels in percent of the recommendation.
KMS_SHARES = {"Half Day": 50, "Full Day": 100, "Week": 600, "Month": 2000}
PRICE_LEVELS = (95, 100, 100, 105, 110)


@dataclass(frozen=True, slots=True)
class SeedListing:
    """One vehicle of fleet.csv; `insurance_days` and `full_day_rupees` are None if its papers and its prices are like
    everyone else's."""

    vendor: str
    place: str
    facts: SeedModel
    color: str
    age: int
    plate: str
    is_active: bool
    insurance_days: int | None
    full_day_rupees: int | None

    @property
    def conditions(self) -> conditions.Conditions:
        """The conditions on which its kind is rented out."""
        return conditions.BY_SHAPE[self.facts.shape]

    def dice(self, topic: str) -> Random:
        """A random generator that gives the same values for this vehicle and topic every time."""
        return Random(f"{self.plate} {topic}")  # noqa: S311 - variety in demo data, nothing secret


LISTINGS = tuple(
    SeedListing(
        vendor=row["vendor"],
        place=row["place"],
        facts=MODEL_BY_KEY[row["type"], row["maker"], row["model"]],
        color=row["color"],
        age=int(row["age"]),
        plate=row["plate"],
        is_active=row["active"] == "yes",
        insurance_days=int(row["insurance_days"]) if row["insurance_days"] else None,
        full_day_rupees=int(row["full_day_rupees"]) if row["full_day_rupees"] else None,
    )
    for row in tables.rows("fleet.csv")
)


def vehicle(listing: SeedListing, now: datetime, vendor_id: int, model_id: int, location_id: int) -> Vehicle:
    """The row of a listing on the day it is seeded; nothing is inserted."""
    today = clock.indian_today(now)
    year = today.year - listing.age
    dice, let = listing.dice("vehicle"), listing.conditions
    delivery = let.delivery * PAISE_PER_RUPEE if VENDORS[listing.vendor]["delivery_supported"] else 0
    insurance, pollution = _expiry_dates(listing, today)
    return Vehicle(
        vendor_id=vendor_id,
        model_id=model_id,
        location_id=location_id,
        **own_address(listing.vendor, listing.place),
        year=year,
        color=listing.color,
        rc_number=("TG" if year >= FIRST_TG_YEAR else "TS") + listing.plate,
        chassis_number="M" + "".join(dice.choices(CHASSIS_CHARACTERS, k=10)) + f"{dice.randrange(10**6):06}",
        engine_number="".join(dice.choices(CHASSIS_CHARACTERS, k=5)) + f"{dice.randrange(10**6):06}",
        owner_name_as_per_rc=VENDORS[listing.vendor]["name"],
        odometer_reading=listing.age * dice.randint(5000, 9000) + dice.randint(800, 4000),
        last_serviced_date=today - timedelta(days=dice.randint(5, 75)),
        insurance_expiry_date=insurance,
        pollution_expiry_date=pollution,
        speed_limit_kmph=let.speed_limit_kmph,
        late_penalty_paise=dice.choice(let.late_penalty) * PAISE_PER_RUPEE,
        distance_penalty_paise=dice.choice(let.distance_penalty) * PAISE_PER_RUPEE,
        deposit_paise=dice.choice(let.deposit) * PAISE_PER_RUPEE,
        drop_off_pick_extra_payment=delivery > 0,
        drop_off_paise=delivery,
        pick_up_paise=delivery,
        terms="\n".join(let.terms),
        is_active=listing.is_active,
        created_at=now - timedelta(days=dice.randint(370, 440)),
    )


def _expiry_dates(listing: SeedListing, today: date) -> tuple[date, date]:
    dice = listing.dice("papers")
    insurance, pollution = dice.randint(60, 330), dice.randint(60, 330)
    return today + timedelta(days=listing.insurance_days or insurance), today + timedelta(days=pollution)


def prices(listing: SeedListing, vehicle_id: int) -> list[VehiclePrice]:
    """What the vendor asks for each plan; about every sixth vehicle is let without a limit of kilometres."""
    dice = listing.dice("prices")
    level, unlimited, monthly = Fraction(dice.choice(PRICE_LEVELS), 100), dice.random() < 1 / 6, dice.random() < 3 / 4
    own = (listing.full_day_rupees or 0) * PAISE_PER_RUPEE
    if own:
        level = Fraction(own, listing.facts.plans[FULL_DAY][0])
    return [
        VehiclePrice(
            vehicle_id=vehicle_id,
            price_name=name,
            price_paise=own if own and name == FULL_DAY else round_up(int(recommended * level)),
            kms_limit=0 if unlimited else listing.conditions.kms_a_day * KMS_SHARES[name] // 100,
            status="Inactive" if name == "Month" and not monthly else "Active",
        )
        for name, (recommended, _) in listing.facts.plans.items()
    ]


def add_vehicles(
    session: Session,
    now: datetime,
    vendors: dict[str, User],
    models: dict[tuple[str, str, str], AssetModel],
    locations: dict[str, Location],
) -> dict[str, Vehicle]:
    """Insert the vehicles with their prices; returns them by plate."""
    fleet = {
        listing.plate: vehicle(
            listing,
            now,
            row_id(vendors[listing.vendor]),
            row_id(models[listing.facts.key]),
            row_id(locations[listing.place]),
        )
        for listing in LISTINGS
    }
    session.add_all(fleet.values())
    session.flush()
    for listing in LISTINGS:
        session.add_all(prices(listing, row_id(fleet[listing.plate])))
    session.flush()
    return fleet
