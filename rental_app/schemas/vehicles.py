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
from rental_app.schemas.people import (
    ClosingTime,
    Landmark,
    LandmarkOut,
    MapLink,
    MapLinkOut,
    Name,
    OpeningTime,
    Required,
    pincode,
)
from rental_app.schemas.wire import (
    AverageStars,
    Body,
    BodyType,
    ClosingDays,
    Delivers,
    Deposit,
    FileGroup,
    Id,
    Identified,
    IndianTime,
    ItsId,
    LongText,
    ManufacturerName,
    MediaType,
    NameOfPlan,
    NameOut,
    OdometerIn,
    OdometerOut,
    Paged,
    PickupLocality,
    Picture,
    PincodeOut,
    PlanKilometres,
    PlanPrice,
    RcNumber,
    ReviewCount,
    RupeesIn,
    RupeesOut,
    ShortText,
    Slug,
    Text,
    VehicleIdIn,
    VendorName,
    WebAddress,
    WholeNumber,
    Wire,
    YearOfManufacture,
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
SeatCount = Annotated[int, Field(description="How many people it seats")]
SpeedLimit = Annotated[int, Field(description="The highest speed allowed, in km/h")]
Transmission = Annotated[str, Field(description="The transmission, such as Automatic")]
TypeName = Annotated[str, Field(description="The type of vehicle, such as Scooter")]
VehicleTerms = Annotated[str, Field(description="The vendor's terms for this vehicle")]
CollectionPrice = Annotated[RupeesOut, Field(description="What collection from the customer costs, in rupees")]
DeliveryPrice = Annotated[RupeesOut, Field(description="What delivery to the customer costs, in rupees")]
KilometrePenalty = Annotated[RupeesOut, Field(description="What each kilometre above the limit costs, in rupees")]
LatePenalty = Annotated[RupeesOut, Field(description="What each late hour costs, in rupees")]
DeliveryCostsExtra = Annotated[bool, Field(description="Whether delivery and collection cost extra")]


class PriceOut(Wire):
    """What a vendor charges for a plan."""

    price_name: NameOfPlan
    price_paise: RupeesOut = Field(alias="price", description="Price in rupees")
    kms_limit: int = Field(description="Kilometres included in the plan; 0 means unlimited")


class VendorPrice(PriceOut):
    """What a vendor charges for a plan, and whether it is on."""

    status: Annotated[PlanStatus, stored_as(PlanStatus, "Inactive")] = Field(description="Whether the plan is on offer")

    @property
    def is_daily(self) -> bool:
        """Whether it is an active Full Day price, without which nobody can book the vehicle."""
        return self.price_name == FULL_DAY and self.status == "Active" and self.price_paise > 0


class ModelFacts(Wire):
    """A model as customers see it."""

    id: ItsId
    name: NameOut
    image: Picture
    vehicle_cc: int | None = Field(description="Engine displacement in cubic centimetres, null without one")
    top_speed: int = Field(alias="topSpeed", description="Top speed in km/h")
    fuel_tank_capacity: float = Field(alias="fuelTankCapacity", description="Size of the tank in litres")
    mileage: float = Field(description="Distance per unit of fuel or charge")


class PhotoOut(Wire):
    """A photo of one side: `src` is full size, `card` is small."""

    side: PhotoSide = Field(description="The side that the photo shows")
    src: str = Field(description="Address of the photo in full size")
    card: str = Field(description="Address of the small photo")


class VendorRef(Wire):
    """The vendor of a vehicle; `slug` is the last part of the URL of the vendor's page."""

    name: NameOut
    slug: Slug
    rating: AverageStars


class PublicVehicle(Wire):
    """A vehicle as everyone may see it: without document numbers, owner, or its vendor's phone number."""

    id: ItsId
    asset_type: TypeName
    asset_manufacturer: ManufacturerName
    asset_model: ModelFacts = Field(description="The model")
    image: Picture
    photos: list[PhotoOut] = Field(description="The photos")
    color: str = Field(description="Color of the vehicle")
    body_type: BodyType = Field(alias="bodyType")
    engine_type: str = Field(alias="engineType", description="The fuel or drive, such as Petrol")
    transmission_type: Transmission = Field(alias="transmissionType")
    seating_capacity: SeatCount = Field(alias="seatingCapacity")
    year: YearOfManufacture = Field(alias="year_of_manufacture")
    service_location: PickupLocality
    vendor_name: VendorName
    vendor_addr: str = Field(description="The vendor's address")
    vendor_pickup_maps: str = Field(description="Address of the pickup place on a map, blank if there is none")
    vendor_open_time: OpeningTime
    vendor_close_time: ClosingTime
    vendor_closing_days: ClosingDays
    deposit_paise: Deposit = Field(alias="security_deposit")
    odometer_reading: OdometerOut
    speed_limit_kmph: SpeedLimit
    late_penalty_paise: LatePenalty = Field(alias="late_penalty_per_hour")
    distance_penalty_paise: KilometrePenalty = Field(alias="distance_penalty_per_km")
    terms: VehicleTerms = Field(alias="vehicle_specific_terms")
    delivery_supported: Delivers
    drop_off_paise: DeliveryPrice = Field(alias="drop_off_payment")
    pick_up_paise: CollectionPrice = Field(alias="pick_up_payment")
    rating: AverageStars
    reviews: ReviewCount
    vendor: VendorRef = Field(description="The vendor")
    prices: list[PriceOut] = Field(default=[], description="The price plans")


class FoundVehicle(PublicVehicle):
    """A vehicle as found by a search."""

    total_paise: RupeesOut | None = Field(
        default=None, alias="total", description="The price for the dates, in rupees, null without dates"
    )
    distance_km: float | None = Field(
        default=None,
        alias="distanceKm",
        description="Distance from the place of the search, in kilometres, null without one",
    )


class FileView(Wire):
    """An uploaded paper or photo; private ones need the vendor's token."""

    id: ItsId
    group: FileGroup
    url: WebAddress
    content_type: MediaType
    size: int = Field(description="Size in bytes")


class AssetModelName(Wire):
    """Only the model's name."""

    name: NameOut


class Asset(Wire):
    """A vendor's vehicle as a source to copy prices from."""

    id: ItsId
    asset_manufacturer: ManufacturerName
    asset_model: AssetModelName = Field(description="The model")
    rc_number: RcNumber
    prices: list[VendorPrice] = Field(description="The price plans")

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
ExpiryDate = Annotated[CalendarDate, AfterValidator(_possible_expiry)]


class PriceIn(Body):
    """A plan as submitted: blank figures are 0 (specification, section 5)."""

    price_name: PlanName = Field(description="Name of the plan, such as Full Day")
    price_paise: PlanPrice = Field(default=0, alias="price")
    kms_limit: PlanKilometres = 0
    status: Literal["Active", "Inactive"] = Field(default="Active", description="Whether the plan is on offer")


def _plans_once(prices: list[PriceIn]) -> list[PriceIn]:
    if len({price.price_name for price in prices}) != len(prices):
        raise ValueError("Each plan can be given only once")
    return prices


class ModelFields(Wire):
    """The model of a vehicle, with its maker and type."""

    type_id: Id = Field(alias="vehicleType", description="Id of the type of vehicle")
    manufacturer_id: Id = Field(alias="manufacturer", description="Id of the manufacturer")
    model_id: Id = Field(alias="model", description="Id of the model")


class YearField(Wire):
    """The year a vehicle was made in; which ones are possible changes every year, and so is checked elsewhere."""

    year: WholeNumber = Field(description="Year of manufacture")


class Registered(Wire):
    """The number on a vehicle's plate."""

    rc_number: Annotated[
        str, AfterValidator(rc_number), Field(description="Number of the registration certificate and plate")
    ]


class PickupPlace(Body):
    """Where a vehicle is kept and picked up: its locality, and an address of its own.

    A blank address means its vendor's; if left out of an edit, the address stays as it is.
    """

    service_location: ShortText = Field(default="", description="Name of the locality where it is picked up")
    address: Text = Field(default="", description="Street address")
    landmark: Landmark = ""
    zip_code: Annotated[Text, AfterValidator(lambda text: text and pincode(text))] = Field(
        default="", alias="zipCode", description="The six digits of the pincode"
    )
    state: Text = Field(default="", description="Only for a `zipCode` that the look-up does not know")
    google_maps_link: MapLink = ""

    @property
    def leaves_address(self) -> bool:
        """Whether the request leaves the address out."""
        return "address" not in self.model_fields_set


class Papers(Wire):
    """The last days on which a vehicle's papers are valid."""

    insurance_expiry_date: ExpiryDate = Field(description="The last day on which the insurance is valid")
    pollution_expiry_date: ExpiryDate = Field(description="The last day on which the pollution certificate is valid")


class VehicleData(PickupPlace, Papers, Registered, YearField, ModelFields):
    """A vehicle as submitted. Dates are calendar dates, speeds km/h, distances km."""

    color: Required = Field(description="Color of the vehicle")
    engine_number: Annotated[
        str, AfterValidator(engine_number), Field(description="Engine number, as in the registration certificate")
    ]
    chassis_number: Annotated[
        str, AfterValidator(chassis_number), Field(description="Chassis number, as in the registration certificate")
    ]
    odometer_reading: OdometerIn
    owner_name_as_per_rc: Name = Field(description="The owner's name, as in the registration certificate")
    last_serviced_date: Annotated[CalendarDate, AfterValidator(_possible_service)] = Field(
        description="The day of the last service"
    )
    speed_limit_kmph: Annotated[WholeNumber, Field(ge=1, le=300)] = Field(
        description="The highest speed allowed, in km/h"
    )
    late_penalty_paise: RupeesIn = Field(
        alias="late_penalty_per_hour", description="What each late hour costs, in rupees"
    )
    distance_penalty_paise: RupeesIn = Field(
        alias="distance_penalty_per_km", description="What each kilometre above the limit costs, in rupees"
    )
    deposit_paise: RupeesIn = Field(alias="security_deposit", description="The deposit, in rupees")
    drop_off_pick_extra_payment: DeliveryCostsExtra = False
    drop_off_paise: RupeesIn = Field(
        default=0, alias="drop_off_payment", description="What delivery to the customer costs, in rupees"
    )
    pick_up_paise: RupeesIn = Field(
        default=0, alias="pick_up_payment", description="What collection from the customer costs, in rupees"
    )
    terms: LongText = Field(default="", description="Terms in words")
    prices: Annotated[list[PriceIn], Field(max_length=len(PLAN_NAMES)), AfterValidator(_plans_once)] = Field(
        default=[], description="The price plans"
    )


class VendorModel(Wire):
    """A model in the vendor's list."""

    id: ItsId
    name: NameOut
    image: Picture
    seating_capacity: SeatCount = Field(alias="seatingCapacity")
    transmission_type: Transmission = Field(alias="transmissionType")
    body_type: BodyType = Field(alias="bodyType")


class VendorVehicle(Wire):
    """A vehicle as its own vendor sees it; `edit-vehicle` takes it back as it is."""

    id: ItsId
    asset_type: TypeName
    asset_manufacturer: ManufacturerName
    asset_model: VendorModel = Field(description="The model")
    image: Picture
    type_id: int = Field(alias="vehicleType", description="Id of the type of vehicle")
    manufacturer_id: int = Field(alias="manufacturer", description="Id of the manufacturer")
    model_id: int = Field(alias="model", description="Id of the model")
    year: YearOfManufacture
    year_of_manufacture: int = Field(description="The `year`, under its name in other views")
    service_location: PickupLocality
    own_address: str = Field(alias="address", description="Street address")
    own_landmark: LandmarkOut = Field(alias="landmark")
    own_zip_code: PincodeOut = Field(alias="zipCode")
    own_maps_link: MapLinkOut = Field(alias="google_maps_link")
    color: str = Field(description="Color of the vehicle")
    rc_number: RcNumber
    engine_number: str = Field(description="Engine number, as in the registration certificate")
    chassis_number: str = Field(description="Chassis number, as in the registration certificate")
    owner_name_as_per_rc: str = Field(description="The owner's name, as in the registration certificate")
    odometer_reading: OdometerOut
    last_serviced_date: date = Field(description="The day of the last service")
    insurance_expiry_date: date = Field(description="The last day on which the insurance is valid")
    pollution_expiry_date: date = Field(description="The last day on which the pollution certificate is valid")
    speed_limit_kmph: SpeedLimit
    late_penalty_paise: LatePenalty = Field(alias="late_penalty_per_hour")
    distance_penalty_paise: KilometrePenalty = Field(alias="distance_penalty_per_km")
    deposit_paise: Deposit = Field(alias="security_deposit")
    drop_off_pick_extra_payment: DeliveryCostsExtra
    drop_off_paise: DeliveryPrice = Field(alias="drop_off_payment")
    pick_up_paise: CollectionPrice = Field(alias="pick_up_payment")
    terms: VehicleTerms
    is_available: bool = Field(alias="isAvaliable", description="Whether its vendor has it switched on")
    is_active: bool = Field(alias="isActive", description="Whether it is listed")
    prices: list[VendorPrice] = Field(description="The price plans")
    retired_at: IndianTime | None = Field(
        default=None, alias="retiredAt", description="When its vendor retired it, null while it is in the fleet"
    )
    files: list[FileView] = Field(description="The documents and photos")
    replaced_files: list[FileView] = Field(
        default=[], description="Documents that renewed ones took the place of; they are kept"
    )

    @property
    def title(self) -> str:
        """What the vehicle is called: maker and model."""
        return f"{self.asset_manufacturer} {self.asset_model.name}"


class VendorVehiclesAnswer(Paged):
    """A vendor's vehicles."""

    vehicles: list[VendorVehicle] = Field(description="The vehicles")


class EditedFiles(Identified):
    """Which of a listed vehicle's files to remove. Without `drop_files`: those of groups with new files."""

    drop_files: Annotated[
        list[Id] | None, Field(max_length=200, description="Ids of files to remove; files sent along are added")
    ] = None


class EditedVehicle(VehicleData, EditedFiles):
    """A listed vehicle's new data and files."""


class ToggleRequest(Wire):
    """The vehicle to switch on or off."""

    vehicle_id: VehicleIdIn = Field(alias="vehicleId")


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
