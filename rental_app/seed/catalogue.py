"""The catalogue: localities, banks, and the models sold in India with what renting them usually costs."""

from dataclasses import dataclass

from sqlmodel import Session

from rental_app.domain.pricing import PLAN_NAMES
from rental_app.models import AssetModel, AssetType, Bank, Location, Manufacturer, PricePlan
from rental_app.seed import tables
from rental_app.seed.places import PLACES
from rental_app.seed.tables import row_id

ASSET_TYPES = ("Scooter", "Motorcycle", "Electric", "Car")
# Of some 1,500 banks, mostly small co-operative ones, those with branches across Telangana.
BANK_CODES = (
    "SBIN HDFC ICIC UTIB KKBK UBIN CNRB BARB PUNB BKID CBIN IDIB IOBA UCBA MAHB PSIB IDFB INDB YESB FDRL SIBL KVBL"
    " CIUB TMBL KARB DLXB RATN DCBL BDBL AUBL ESFB UJVN IPOS AIRP FINO SCBL HSBC TSAB APMC DGBX"
)
# A plan's price in percent of a full day's, for two-wheelers and for cars: the longer, the cheaper per day.
SHARES = {"Half Day": (60, 65), "Full Day": (100, 100), "Week": (550, 600), "Month": (1800, 2000)}
MAX_PERCENT = 130
STEP_PAISE = 1000


@dataclass(frozen=True, slots=True)
class SeedModel:
    """A real model. `capacity` is litres or, when electric, kWh; `mileage` km per litre or per charge."""

    type: str
    maker: str
    name: str
    body_type: str
    shape: str
    engine_type: str
    transmission: str
    seats: int
    cc: int | None
    top_speed_kmph: int
    capacity: float
    mileage: float
    full_day_rupees: int

    @property
    def key(self) -> tuple[str, str, str]:
        """Type, maker and name, which together name one model."""
        return self.type, self.maker, self.name

    @property
    def plans(self) -> dict[str, tuple[int, int]]:
        """Recommended and highest price (paise) of each plan, in whole tens of rupees."""
        column = int(self.seats > 2)
        # Rupees times percent are paise.
        recommended = {name: round_up(self.full_day_rupees * SHARES[name][column]) for name in PLAN_NAMES}
        return {name: (paise, round_up(paise * MAX_PERCENT // 100)) for name, paise in recommended.items()}


def round_up(paise: int) -> int:
    """Paise rounded up to whole tens of rupees, as prices are written here."""
    return -(-paise // STEP_PAISE) * STEP_PAISE


MODELS = tuple(
    SeedModel(
        type=row["type"],
        maker=row["maker"],
        name=row["model"],
        body_type=row["body_type"],
        shape=row["shape"],
        engine_type=row["engine_type"],
        transmission=row["transmission"],
        seats=int(row["seats"]),
        cc=int(row["cc"]) if row["cc"] else None,
        top_speed_kmph=int(row["top_speed_kmph"]),
        capacity=float(row["tank_litres"] or row["battery_kwh"]),
        mileage=float(row["mileage"]),
        full_day_rupees=int(row["full_day_rupees"]),
    )
    for row in tables.rows("models.csv")
)
MODEL_BY_KEY = {facts.key: facts for facts in MODELS}


def bank_list() -> list[str]:
    """The names of the banks offered, in alphabetical order."""
    names = tables.bank_names()
    return sorted(names[code] for code in BANK_CODES.split())


def add_places(session: Session) -> dict[str, Location]:
    """Insert localities and banks; returns the localities by name."""
    session.add_all(Bank(name=name) for name in bank_list())
    locations = {
        place.name: Location(name=place.name, slug=place.slug, latitude=place.latitude, longitude=place.longitude)
        for place in PLACES
    }
    session.add_all(locations.values())
    session.flush()
    return locations


def add_models(session: Session) -> dict[tuple[str, str, str], AssetModel]:
    """Insert types, makers, models and price plans; returns the models by type, maker and name."""
    types = {name: AssetType(name=name) for name in ASSET_TYPES}
    session.add_all(types.values())
    session.flush()
    makers = {
        (facts.type, facts.maker): Manufacturer(asset_type_id=row_id(types[facts.type]), name=facts.maker)
        for facts in MODELS
    }
    session.add_all(makers.values())
    session.flush()
    models = {facts.key: _model(facts, row_id(makers[facts.type, facts.maker])) for facts in MODELS}
    session.add_all(models.values())
    session.flush()
    for facts in MODELS:
        session.add_all(_plans(facts, row_id(models[facts.key])))
    return models


def _model(facts: SeedModel, manufacturer_id: int) -> AssetModel:
    return AssetModel(
        manufacturer_id=manufacturer_id,
        name=facts.name,
        body_type=facts.body_type,
        engine_type=facts.engine_type,
        transmission_type=facts.transmission,
        seating_capacity=facts.seats,
        vehicle_cc=facts.cc,
        top_speed=facts.top_speed_kmph,
        fuel_tank_capacity=facts.capacity,
        mileage=facts.mileage,
        shape=facts.shape,
    )


def _plans(facts: SeedModel, model_id: int) -> list[PricePlan]:
    return [
        PricePlan(model_id=model_id, price_name=name, recommended_paise=recommended, max_paise=highest)
        for name, (recommended, highest) in facts.plans.items()
    ]
