"""A vehicle as everyone sees it, its prices and files, and as a source for its vendor to copy prices from."""

from typing import Annotated, Literal

from pydantic import Field

from rental_app.domain.pictures import PhotoSide
from rental_app.domain.pricing import FULL_DAY
from rental_app.schemas.people import OpenTime
from rental_app.schemas.wire import RupeesOut, Wire, stored_as

PlanStatus = Literal["Active", "Inactive"]


class PriceOut(Wire):
    """What a vendor charges for a plan."""

    price_name: str
    price_paise: RupeesOut = Field(alias="price")
    kms_limit: int


class VendorPrice(PriceOut):
    """What a vendor charges for a plan, and whether it is on."""

    status: Annotated[PlanStatus, stored_as(PlanStatus, "Inactive")]

    @property
    def is_daily(self) -> bool:
        """Whether it is an active Full Day price, without which nobody can book the vehicle."""
        return self.price_name == FULL_DAY and self.status == "Active" and self.price_paise > 0


class ModelFacts(Wire):
    """A model as customers see it."""

    id: int
    name: str
    image: str
    vehicle_cc: int | None
    top_speed: int = Field(alias="topSpeed")
    fuel_tank_capacity: float = Field(alias="fuelTankCapacity")
    mileage: float


class PhotoOut(Wire):
    """A photo of one side: `src` is full size, `card` is small."""

    side: PhotoSide
    src: str
    card: str


class VendorRef(Wire):
    """The vendor of a vehicle; `slug` is the last part of the URL of the vendor's page."""

    name: str
    slug: str
    rating: float | None


class PublicVehicle(Wire):
    """A vehicle as everyone may see it: without document numbers, owner, or its vendor's phone number."""

    id: int
    asset_type: str
    asset_manufacturer: str
    asset_model: ModelFacts
    image: str
    photos: list[PhotoOut]
    color: str
    body_type: str = Field(alias="bodyType")
    engine_type: str = Field(alias="engineType")
    transmission_type: str = Field(alias="transmissionType")
    seating_capacity: int = Field(alias="seatingCapacity")
    year: int = Field(alias="year_of_manufacture")
    service_location: str
    vendor_name: str
    vendor_addr: str
    vendor_pickup_maps: str
    vendor_open_time: OpenTime
    vendor_close_time: OpenTime
    vendor_closing_days: list[str]
    deposit_paise: RupeesOut = Field(alias="security_deposit")
    odometer_reading: int
    speed_limit_kmph: int
    late_penalty_paise: RupeesOut = Field(alias="late_penalty_per_hour")
    distance_penalty_paise: RupeesOut = Field(alias="distance_penalty_per_km")
    terms: str = Field(alias="vehicle_specific_terms")
    delivery_supported: bool
    drop_off_paise: RupeesOut = Field(alias="drop_off_payment")
    pick_up_paise: RupeesOut = Field(alias="pick_up_payment")
    rating: float | None
    reviews: int
    vendor: VendorRef
    prices: list[PriceOut] = []


class FoundVehicle(PublicVehicle):
    """A vehicle as found by a search."""

    total_paise: RupeesOut | None = Field(default=None, alias="total")
    distance_km: float | None = Field(default=None, alias="distanceKm")


class FileView(Wire):
    """An uploaded paper or photo; private ones need the vendor's token."""

    id: int
    group: str
    url: str
    content_type: str
    size: int


class AssetModelName(Wire):
    """Only the model's name."""

    name: str


class Asset(Wire):
    """A vendor's vehicle as a source to copy prices from."""

    id: int
    asset_manufacturer: str
    asset_model: AssetModelName
    rc_number: str
    prices: list[VendorPrice]

    @property
    def is_priced(self) -> bool:
        """Whether it has a price for a day; if not, copying its prices would take other vehicles out of the shop."""
        return any(price.is_daily for price in self.prices)
