"""A vehicle on the wire: as everyone sees it, and as its vendor lists it, changes it and sees it."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from rental_app.domain import clock
from rental_app.domain.errors import InvalidInputError
from rental_app.domain.papers import expiry_problem, service_problem
from rental_app.domain.pictures import PhotoSide
from rental_app.domain.pricing import FULL_DAY, PLAN_NAMES, PlanName
from rental_app.domain.registration import chassis_number, engine_number, rc_number
from rental_app.schemas.people import MapLink, Name, OpenTime, Required, pincode
from rental_app.schemas.wire import (
    KILOMETRES,
    Body,
    Id,
    Identified,
    KmsLimit,
    LongText,
    Paged,
    RupeesIn,
    RupeesOut,
    ShortText,
    Text,
    WholeNumber,
    Wire,
    stored_as,
)

PlanStatus = Literal["Active", "Inactive"]
REQUIRED_FIELDS = (
    "vehicleType",
    "manufacturer",
    "model",
    "year",
    "color",
    "rc_number",
    "engine_number",
    "chassis_number",
    "odometer_reading",
    "owner_name_as_per_rc",
    "last_serviced_date",
    "insurance_expiry_date",
    "pollution_expiry_date",
    "speed_limit_kmph",
    "late_penalty_per_hour",
    "distance_penalty_per_km",
    "security_deposit",
)
# The form's choices of where a vehicle is kept, and the fields required elsewhere; API calls just send the address.
AT_VENDORS, ELSEWHERE = "vendors", "elsewhere"
OWN_ADDRESS = ("address", "zipCode", "service_location")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


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


def _calendar_date(value: Any) -> date:
    if isinstance(value, date):
        return value
    # Pydantic alone would also accept seconds since 1970 as a date.
    if isinstance(value, str) and _DATE.fullmatch(value):
        with suppress(ValueError):
            return date.fromisoformat(value)
    raise ValueError("Use a date like 2026-12-01")


def read_date(value: Any) -> date | None:
    """The calendar day that a form sends, None for what is none."""
    with suppress(ValueError):
        return _calendar_date(value)
    return None


def _possible_service(day: date) -> date:
    if problem := service_problem(day, clock.indian_today(clock.now())):
        raise ValueError(problem)
    return day


def _possible_expiry(day: date) -> date:
    if problem := expiry_problem(day, clock.indian_today(clock.now())):
        raise ValueError(problem)
    return day


CalendarDate = Annotated[date, BeforeValidator(_calendar_date, json_schema_input_type=date)]


class PriceIn(Body):
    """A plan as submitted: blank figures are 0 (specification, section 5)."""

    price_name: PlanName
    price_paise: RupeesIn = Field(default=0, alias="price")
    kms_limit: KmsLimit = 0
    status: Literal["Active", "Inactive"] = "Active"


def _plans_once(prices: list[PriceIn]) -> list[PriceIn]:
    if len({price.price_name for price in prices}) != len(prices):
        raise ValueError("Each plan can be given only once")
    return prices


class ModelFields(Wire):
    """The model of a vehicle, with its maker and type."""

    type_id: Id = Field(alias="vehicleType")
    manufacturer_id: Id = Field(alias="manufacturer")
    model_id: Id = Field(alias="model")


class YearField(Wire):
    """The year a vehicle was made in; which ones are possible changes every year, and so is checked elsewhere."""

    year: WholeNumber


class Registered(Wire):
    """The number on a vehicle's plate."""

    rc_number: Annotated[str, AfterValidator(rc_number)]


class PickupPlace(Body):
    """Where a vehicle is kept and picked up: its locality, and an address of its own.

    A blank address means its vendor's; if left out of an edit, the address stays as it is.
    """

    service_location: ShortText = ""
    address: Text = ""
    landmark: Text = ""
    zip_code: Annotated[Text, AfterValidator(lambda text: text and pincode(text))] = Field(default="", alias="zipCode")
    state: Text = Field(default="", description="Only for a `zipCode` that the look-up does not know")
    google_maps_link: MapLink = ""

    @property
    def leaves_address(self) -> bool:
        """Whether the request leaves the address out."""
        return "address" not in self.model_fields_set


class Papers(Wire):
    """The last days on which a vehicle's papers are valid."""

    insurance_expiry_date: Annotated[CalendarDate, AfterValidator(_possible_expiry)]
    pollution_expiry_date: Annotated[CalendarDate, AfterValidator(_possible_expiry)]


class VehicleData(PickupPlace, Papers, Registered, YearField, ModelFields):
    """A vehicle as submitted. Dates are calendar dates, speeds km/h, distances km."""

    color: Required
    engine_number: Annotated[str, AfterValidator(engine_number)]
    chassis_number: Annotated[str, AfterValidator(chassis_number)]
    odometer_reading: Annotated[WholeNumber, KILOMETRES, Field(ge=0, le=2_000_000)]
    owner_name_as_per_rc: Name
    last_serviced_date: Annotated[CalendarDate, AfterValidator(_possible_service)]
    speed_limit_kmph: Annotated[WholeNumber, Field(ge=1, le=300)]
    late_penalty_paise: RupeesIn = Field(alias="late_penalty_per_hour")
    distance_penalty_paise: RupeesIn = Field(alias="distance_penalty_per_km")
    deposit_paise: RupeesIn = Field(alias="security_deposit")
    drop_off_pick_extra_payment: bool = False
    drop_off_paise: RupeesIn = Field(default=0, alias="drop_off_payment")
    pick_up_paise: RupeesIn = Field(default=0, alias="pick_up_payment")
    terms: LongText = ""
    prices: Annotated[list[PriceIn], Field(max_length=len(PLAN_NAMES)), AfterValidator(_plans_once)] = []


class VendorModel(Wire):
    """A model in the vendor's list."""

    id: int
    name: str
    image: str
    seating_capacity: int = Field(alias="seatingCapacity")
    transmission_type: str = Field(alias="transmissionType")
    body_type: str = Field(alias="bodyType")


class VendorVehicle(Wire):
    """A vehicle as its own vendor sees it; `edit-vehicle` takes it back as it is."""

    id: int
    asset_type: str
    asset_manufacturer: str
    asset_model: VendorModel
    image: str
    type_id: int = Field(alias="vehicleType")
    manufacturer_id: int = Field(alias="manufacturer")
    model_id: int = Field(alias="model")
    year: int
    year_of_manufacture: int = Field(description="The `year`, under its name in other views")
    service_location: str
    own_address: str = Field(alias="address")
    own_landmark: str = Field(alias="landmark")
    own_zip_code: str = Field(alias="zipCode")
    own_maps_link: str = Field(alias="google_maps_link")
    color: str
    rc_number: str
    engine_number: str
    chassis_number: str
    owner_name_as_per_rc: str
    odometer_reading: int
    last_serviced_date: date
    insurance_expiry_date: date
    pollution_expiry_date: date
    speed_limit_kmph: int
    late_penalty_paise: RupeesOut = Field(alias="late_penalty_per_hour")
    distance_penalty_paise: RupeesOut = Field(alias="distance_penalty_per_km")
    deposit_paise: RupeesOut = Field(alias="security_deposit")
    drop_off_pick_extra_payment: bool
    drop_off_paise: RupeesOut = Field(alias="drop_off_payment")
    pick_up_paise: RupeesOut = Field(alias="pick_up_payment")
    terms: str
    is_available: bool = Field(alias="isAvaliable")
    is_active: bool = Field(alias="isActive")
    prices: list[VendorPrice]
    files: list[FileView]

    @property
    def title(self) -> str:
        """What the vehicle is called: maker and model."""
        return f"{self.asset_manufacturer} {self.asset_model.name}"


class VendorVehiclesAnswer(Paged):
    """A vendor's vehicles."""

    vehicles: list[VendorVehicle]


class EditedFiles(Identified):
    """Which of a listed vehicle's files to remove. Without `drop_files`: those of groups with new files."""

    drop_files: Annotated[
        list[Id] | None, Field(max_length=200, description="Ids of files to remove; files sent along are added")
    ] = None


class EditedVehicle(VehicleData, EditedFiles):
    """A listed vehicle's new data and files."""


class ToggleRequest(Wire):
    """The vehicle to switch on or off."""

    vehicle_id: Id = Field(alias="vehicleId")


class MissingFieldsError(InvalidInputError):
    """A vehicle with blanks; `missing` names them."""

    code = "missing_fields"

    def __init__(self, missing: Sequence[str]) -> None:
        message = f"Please fill all required fields: {', '.join(missing)}"
        super().__init__(message, fields=dict.fromkeys(missing, "Please fill this in"))
        self.missing = tuple(missing)


def require_fields(data: Mapping[str, Any]) -> None:
    """Raise MissingFieldsError naming every required field that is missing or blank."""
    needed = (*REQUIRED_FIELDS, *OWN_ADDRESS) if data.get("stands") == ELSEWHERE else REQUIRED_FIELDS
    given = {name: "" if data.get(name) is None else str(data[name]) for name in needed}
    blank = [name for name, text in given.items() if not text.strip()]
    if blank:
        raise MissingFieldsError(blank)
