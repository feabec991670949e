"""Shapes of the catalogue: types, makers, models, locations and offers, and what operators enter of them."""

import re
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, field_validator

from rental_app.domain.pictures import Shape
from rental_app.domain.pricing import FULL_DAY
from rental_app.schemas.operating import Expected
from rental_app.schemas.wire import (
    CLEAN,
    IN_SIGHT,
    MAX_RUPEES,
    MAX_TEXT,
    VISIBLE,
    Answer,
    Body,
    Day,
    ExactBody,
    Id,
    ItsId,
    NameOfPlan,
    NameOut,
    Number,
    PincodeOut,
    RupeesOut,
    Slug,
    WholeNumber,
    Wire,
    at_most,
    exactly,
)


class CatalogueItem(Wire):
    """A bank, asset type or manufacturer."""

    id: ItsId
    name: NameOut


class LocationView(CatalogueItem):
    """A locality and where it is, in degrees."""

    slug: Slug
    latitude: float = Field(description="Latitude in degrees north")
    longitude: float = Field(description="Longitude in degrees east")


class PlanView(Wire):
    """A model's price plan."""

    price_name: NameOfPlan
    recommended_price: RupeesOut = Field(description="The price recommended, in rupees")
    max_price: RupeesOut = Field(description="The highest price, in rupees")


class ModelView(CatalogueItem):
    """A model with its price plans."""

    prices: list[PlanView] = Field(description="The price plans")


class NameOnly(Wire):
    """The `state` and `county` of a pincode."""

    name: NameOut


class PincodeView(Wire):
    """Where a pincode lies."""

    pincode: PincodeOut
    city: str = Field(description="City")
    state: NameOnly = Field(description="State")
    county: NameOnly = Field(description="District")


class PincodeRequest(Wire):
    """A pincode to look up."""

    pincode: PincodeOut


class LocationsAnswer(Answer):
    """All localities."""

    data: list[LocationView] = Field(description="What was looked up")


class NamedAnswer(Answer):
    """Banks, asset types or manufacturers."""

    data: list[CatalogueItem] = Field(description="What was looked up")


class ModelsAnswer(Answer):
    """A manufacturer's models."""

    data: list[ModelView] = Field(description="What was looked up")


class PincodeAnswer(Answer):
    """A pincode found."""

    data: PincodeView = Field(description="What was looked up")


Name = Annotated[str, at_most(60, 1), CLEAN, VISIBLE]
PlanName = Literal["Half Day", "Full Day", "Week", "Month"]
PlanRupees = Annotated[int, exactly(MAX_RUPEES), Field(gt=0)]
RETIRED = "Whether vendors choose it no longer; what they have chosen stays"


class CatalogueEntry(ExactBody):
    """What every entry of the catalogue has."""

    retired: bool = Field(default=False, description=RETIRED)
    expected: Expected = ""


class TypeEntry(CatalogueEntry):
    """A type of vehicle, such as Scooter."""

    name: Name = Field(description="What it is called")


class ManufacturerEntry(CatalogueEntry):
    """A maker of vehicles of one type."""

    type: Id = Field(description="Id of the type")
    name: Name = Field(description="What it is called")


class PlanAdvice(Body):
    """What is recommended for a model and a rental length, in rupees."""

    price_name: PlanName = Field(description="The rental length")
    recommended: PlanRupees = Field(description="What is recommended")
    most: PlanRupees = Field(description="What is the most that is usual")

    @field_validator("most")
    @classmethod
    def _in_order(cls, most: int, info: ValidationInfo) -> int:
        if most < info.data.get("recommended", 0):
            raise ValueError("The most is less than what is recommended")
        return most


class ModelEntry(CatalogueEntry):
    """A model with the facts that its vehicles' pages show, and the prices recommended for it."""

    manufacturer: Id = Field(description="Id of its maker")
    name: Name = Field(description="What it is called")
    body_type: Name = Field(alias="bodyType", description="The kind of body, such as Hatchback")
    engine_type: Name = Field(alias="engineType", description="The kind of engine, such as Petrol")
    transmission_type: Name = Field(alias="transmissionType", description="The kind of transmission")
    seating_capacity: Annotated[WholeNumber, Field(ge=1, le=12)] = Field(
        alias="seats", description="How many sit in it"
    )
    vehicle_cc: Annotated[WholeNumber, Field(ge=1, le=10_000)] | None = Field(
        default=None, alias="vehicleCc", description="Cubic capacity, null for electric ones"
    )
    top_speed: Annotated[WholeNumber, Field(ge=1, le=500)] = Field(alias="topSpeed", description="In km/h")
    fuel_tank_capacity: Annotated[Number, Field(gt=0, le=1000)] = Field(
        alias="fuelTankCapacity", description="Litres of fuel, or kWh of battery"
    )
    mileage: Annotated[Number, Field(gt=0, le=2000)] = Field(
        description="Kilometres per litre; of electric ones, per charge"
    )
    shape: Shape = Field(description="The drawing that shows it")
    prices: Annotated[list[PlanAdvice], Field(min_length=1, max_length=4)] = Field(
        description="What is recommended for it; Full Day is among them"
    )

    @field_validator("prices")
    @classmethod
    def _each_plan_once(cls, prices: list[PlanAdvice]) -> list[PlanAdvice]:
        names = [plan.price_name for plan in prices]
        if FULL_DAY not in names or len(set(names)) != len(names):
            raise ValueError("Give each plan once, Full Day among them")
        return prices


class LocationEntry(CatalogueEntry):
    """A locality and where it is; what its page is called is made from its first name, and stays."""

    name: Name = Field(description="What it is called")
    latitude: Annotated[Number, Field(ge=6, le=38)] = Field(description="In degrees, within India")
    longitude: Annotated[Number, Field(ge=68, le=98)] = Field(description="In degrees, within India")


def _in_capitals(value: Any) -> Any:
    return value.strip().upper() if isinstance(value, str) else value


def _code(text: str) -> str:
    if not re.fullmatch("[A-Z0-9]{3,20}", text):
        raise ValueError("Use 3 to 20 letters and digits")
    return text


class OfferEntry(CatalogueEntry):
    """An offer: what a code takes off the price, either percent (with or without a most) or rupees."""

    code: Annotated[str, BeforeValidator(_in_capitals), AfterValidator(_code)] = Field(
        description="What customers type: 3 to 20 letters and digits"
    )
    title: Name = Field(description="What it is called")
    terms: Annotated[str, at_most(MAX_TEXT, 1), CLEAN, IN_SIGHT] = Field(description="Its terms, in a sentence")
    starts_on: Day = Field(alias="startsOn", description="The first day on which it can be used")
    ends_on: Day = Field(alias="endsOn", description="The last day on which it can be used")
    minimum_days: Annotated[WholeNumber, Field(ge=1, le=30)] = Field(
        default=1, alias="minimumDays", description="How long a rental has to be, in days"
    )
    cap_paise: PlanRupees | None = Field(default=None, alias="cap", description="The most it takes off, in rupees")
    off_paise: Annotated[int, exactly(MAX_RUPEES)] = Field(
        default=0, alias="off", description="What it takes off, in rupees"
    )
    # After the other two, with which it is compared.
    percent: Annotated[WholeNumber, Field(ge=0, le=100)] = Field(
        default=0, validate_default=True, description="What it takes off, in percent"
    )
    uses: Annotated[WholeNumber, Field(ge=1, le=10**6)] | None = Field(
        default=None, description="How often it can be used in total, null for no limit"
    )
    uses_each: Annotated[WholeNumber, Field(ge=1, le=1000)] | None = Field(
        default=None, alias="usesEach", description="How often by each customer, null for no limit"
    )

    @field_validator("ends_on")
    @classmethod
    def _in_order(cls, ends_on: date, info: ValidationInfo) -> date:
        if ends_on < info.data.get("starts_on", ends_on):
            raise ValueError("The last day is before the first")
        return ends_on

    @field_validator("percent")
    @classmethod
    def _percent_or_rupees(cls, percent: int, info: ValidationInfo) -> int:
        off, cap = info.data.get("off_paise"), info.data.get("cap_paise")
        if off is not None and (bool(percent) == bool(off) or (off and cap)):
            raise ValueError("Give either percent, with a cap if you like, or rupees")
        return percent


class EntryAnswer(Answer):
    """An entry of the catalogue that was added or changed."""

    id: int = Field(description="Its id")
