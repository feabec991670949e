"""What vendors choose from: localities, banks, and the types, makers, models and price plans of vehicles."""

from sqlalchemy import CheckConstraint, UniqueConstraint, text
from sqlmodel import Field, SQLModel

# Of what is retired vendors choose nothing new; what they have chosen stays.
_NOT_RETIRED = {"server_default": text("false")}


class Location(SQLModel, table=True):
    """A locality that has vehicles."""

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    slug: str = Field(unique=True)
    latitude: float
    longitude: float
    is_retired: bool = Field(default=False, sa_column_kwargs=_NOT_RETIRED)


class Bank(SQLModel, table=True):
    """A bank a vendor may be paid through."""

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)


class AssetType(SQLModel, table=True):
    """Scooter, Motorcycle, Electric, Car."""

    __tablename__ = "asset_type"

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    is_retired: bool = Field(default=False, sa_column_kwargs=_NOT_RETIRED)


class Manufacturer(SQLModel, table=True):
    """A maker within one asset type: models are looked up by maker alone, so a maker of two types is two rows."""

    __table_args__ = (UniqueConstraint("asset_type_id", "name"),)

    id: int | None = Field(default=None, primary_key=True)
    asset_type_id: int = Field(foreign_key="asset_type.id")
    name: str
    is_retired: bool = Field(default=False, sa_column_kwargs=_NOT_RETIRED)


class AssetModel(SQLModel, table=True):
    """A model of vehicle with the facts its detail page shows.

    `fuel_tank_capacity` is litres, for electric vehicles kWh of battery; `mileage` is km per litre, for electric
    vehicles km per charge; `top_speed` is km/h. `shape` names the illustration of its body, for models without
    one of their own.
    """

    __tablename__ = "asset_model"
    __table_args__ = (
        UniqueConstraint("manufacturer_id", "name"),
        CheckConstraint("seating_capacity BETWEEN 1 AND 12", name="ck_asset_model_seating"),
        # On SQLite triggers refuse the same (migration 0029).
        CheckConstraint(
            "shape IN ('scooter', 'commuter', 'cruiser', 'sport', 'adventure', 'electric-scooter', 'hatchback',"
            " 'sedan', 'suv', 'mpv', 'electric-car')",
            name="ck_asset_model_shape",
        ).ddl_if("postgresql"),
        CheckConstraint("vehicle_cc IS NULL OR vehicle_cc > 0", name="ck_asset_model_cc"),
        CheckConstraint(
            "top_speed > 0 AND fuel_tank_capacity > 0 AND mileage > 0", name="ck_asset_model_figures_positive"
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    manufacturer_id: int = Field(foreign_key="manufacturer.id")
    name: str
    body_type: str
    engine_type: str
    transmission_type: str
    seating_capacity: int
    vehicle_cc: int | None = None
    top_speed: int
    fuel_tank_capacity: float
    mileage: float
    shape: str
    is_retired: bool = Field(default=False, sa_column_kwargs=_NOT_RETIRED)


class PricePlan(SQLModel, table=True):
    """What the platform recommends for a model and a rental length (paise). The bounds are advice only."""

    __tablename__ = "price_plan"
    __table_args__ = (
        UniqueConstraint("model_id", "price_name"),
        CheckConstraint("price_name IN ('Half Day', 'Full Day', 'Week', 'Month')", name="ck_price_plan_price_name"),
        CheckConstraint(
            "recommended_paise > 0 AND max_paise >= recommended_paise", name="ck_price_plan_bounds_ordered"
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    model_id: int = Field(foreign_key="asset_model.id")
    price_name: str
    recommended_paise: int
    max_paise: int
