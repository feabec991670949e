"""What all wire shapes share: money in rupees outside and paise inside, clean text, ids, answers and refusals."""

import re
from contextlib import suppress
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from typing import Annotated, Any, Literal, get_args

import orjson
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    StringConstraints,
    model_validator,
)

from rental_app.domain.characters import all_visible, as_typed, composed, in_sight
from rental_app.domain.clock import YEARS, indian, parse_moment
from rental_app.domain.errors import InvalidInputError
from rental_app.domain.ids import MAX_ID
from rental_app.domain.money import PAISE_PER_RUPEE, grouped, plain_kilometres, read_rupees, to_paise, to_rupees
from rental_app.domain.pricing import DEAREST
from rental_app.schemas.validation import refuse_together

MAX_RUPEES = DEAREST // PAISE_PER_RUPEE
# Thirty days at that price, with delivery, collection and helmets: in paise this still fits 32-bit integers.
MAX_TOTAL_RUPEES = 33 * MAX_RUPEES
MAX_TEXT, MAX_LONG_TEXT = 200, 5000
# Of an Idempotency-Key.
MAX_KEY = 200
# All of C0 and C1 but tabs and line feeds.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_BEGINS_AS_DAY = re.compile(r"\s*\d{4}-\d{2}-\d{2}", re.ASCII)
_DIGITS = re.compile("-?[0-9]{1,30}")
A_MOMENT = "in ISO 8601: an instant, or a day alone, which means the vendor's opening time"


def stored_as(kind: Any, otherwise: str) -> BeforeValidator:
    """Of a field read from a row: a value that this version does not know, as a later one may have written while an
    upgrade is under way, is shown as another one, so that a list does not fail for one row."""
    known = frozenset(get_args(kind))
    return BeforeValidator(
        lambda value: value if isinstance(value, str) and value in known else otherwise, json_schema_input_type=kind
    )


def no_control_characters(text: str) -> str:
    """The text as it is stored, composed and with plain line feeds as line breaks; raises ValueError for other control
    characters."""
    text = composed(text.replace("\r\n", "\n"))
    if _CONTROLS.search(text):
        raise ValueError("Control characters are not allowed")
    return text


def visible_characters(text: str) -> str:
    """The text; raises ValueError if it has characters that nobody sees, or that turn its direction."""
    if not all_visible(text):
        raise ValueError("Control and direction characters are not allowed")
    return text


def _written_day(value: Any) -> Any:
    """Pydantic alone would also accept seconds since 1970 as a day: "0", 0 and 20261201."""
    if isinstance(value, date) or (isinstance(value, str) and _BEGINS_AS_DAY.match(value)):
        return value
    raise ValueError("Use a date like 2026-12-01")


def _possible(day: date) -> date:
    """Nearer the calendar's ends a day has no start in UTC."""
    if day.year not in YEARS:
        raise ValueError("Check the year of this date")
    return day


def _none_if_blank(value: Any) -> Any:
    return None if isinstance(value, str) and not as_typed(value) else value


def _read_time(value: Any) -> Any:
    """An instant, Indian time when it carries no offset; a day alone says too little."""
    if value in (None, "") or isinstance(value, datetime):
        return value or None
    moment = None
    if isinstance(value, str):
        with suppress(InvalidInputError):
            moment = parse_moment(value, "")
    if not isinstance(moment, datetime):
        raise ValueError("Use a date and time like 2026-12-01T17:50")
    return moment


def _decimal(value: Any) -> Any:
    """Pydantic alone also accepts "1_0", " 1", "+1", "1.0", 1.0 and true as whole numbers."""
    if type(value) is int or (isinstance(value, str) and _DIGITS.fullmatch(value)):
        return value
    raise ValueError("Enter a whole number")


def _plain(value: Any) -> Any:
    """Pydantic alone also accepts true, and "1_0" as 10."""
    if isinstance(value, bool) or (isinstance(value, str) and "_" in value):
        raise ValueError("Enter a number")
    return value


def _blank_is_zero(value: Any) -> Any:
    return 0 if value in (None, "") else value


def _read_kilometres(value: Any) -> Any:
    return plain_kilometres(value) if isinstance(value, str) else value


def _parse_rupees(value: Any, most: int = MAX_RUPEES) -> int:
    """Rupees as a number or its text; blank is 0 (specification, section 5)."""
    if value in (None, ""):
        return 0
    if isinstance(value, bool) or not isinstance(value, str | int | float | Decimal):
        raise ValueError("Enter an amount in rupees")
    amount = read_rupees(value) if isinstance(value, str) else Decimal(str(value))
    if not amount.is_finite() or not 0 <= amount <= most:
        raise ValueError(f"Enter an amount between 0 and {grouped(most)} rupees")
    return to_paise(amount)


def _parse_exact(value: Any, most: int) -> int:
    """Money that changes hands: nothing is rounded, and blank is not read as 0."""
    paise = _parse_rupees(value, most)
    written = read_rupees(value) if isinstance(value, str) and value else Decimal(str(value or 0))
    if value in (None, "") or written * PAISE_PER_RUPEE != paise:
        raise ValueError("Enter an amount in rupees and paise")
    return paise


def _parse_shown(value: Any) -> int | None:
    return None if value in (None, "") else _parse_rupees(value, MAX_TOTAL_RUPEES)


def _chosen(value: Any) -> Any:
    if value in (None, ""):
        raise ValueError("Choose a vehicle")
    return value


CLEAN = AfterValidator(no_control_characters)
# Of texts for people, before their length is looked at; names, links and e-mails are refused with such characters.
IN_SIGHT = BeforeValidator(lambda value: in_sight(value) if isinstance(value, str) else value)
VISIBLE = AfterValidator(visible_characters)


def at_most(most: int, least: int | None = None) -> StringConstraints:
    """The limits of a text's length without the white space around it, for `str`: a `Field` with another limit on
    `Text` would apply only after that of `Text`, and be refused as the length of a list is."""
    return StringConstraints(strip_whitespace=True, min_length=least, max_length=most)


def exactly(most: int) -> BeforeValidator:
    """Rupees up to `most` that change hands, to the paisa."""
    return BeforeValidator(partial(_parse_exact, most=most), json_schema_input_type=float | str)


Line = Annotated[str, at_most(MAX_TEXT), CLEAN]
Text = Annotated[Line, IN_SIGHT]
ShortText = Annotated[str, at_most(100), CLEAN]
LongText = Annotated[str, at_most(MAX_LONG_TEXT), CLEAN, IN_SIGHT]
WholeNumber = Annotated[int, BeforeValidator(_decimal, json_schema_input_type=int)]
Number = Annotated[float, Field(allow_inf_nan=False), BeforeValidator(_plain, json_schema_input_type=float)]
# These two run before the checks of whole numbers.
BLANK_IS_ZERO = BeforeValidator(_blank_is_zero, json_schema_input_type=int | str | None)
KILOMETRES = BeforeValidator(_read_kilometres, json_schema_input_type=int | str)
KmsLimit = Annotated[WholeNumber, KILOMETRES, BLANK_IS_ZERO, Field(ge=0, le=100_000)]
Odometer = Annotated[WholeNumber, KILOMETRES, Field(ge=0, le=2_000_000)]
Day = Annotated[date, BeforeValidator(_written_day, json_schema_input_type=date), AfterValidator(_possible)]
BLANK_IS_NONE = BeforeValidator(_none_if_blank)
Limit = Annotated[WholeNumber, Field(ge=1, le=200)] | None
Cursor = Annotated[WholeNumber, Field(ge=0, le=MAX_ID)]
Id = Annotated[WholeNumber, Field(ge=1, le=MAX_ID)]
# Of a vehicle that has to be given; forms offer a choice of them.
VehicleId = Annotated[Id, BeforeValidator(_chosen)]
# An instant or a day in ISO 8601.
Moment = Annotated[str, Field(max_length=40)]
# When something was that is noted now; blank, as forms send it, is None.
PastTime = Annotated[datetime | None, BeforeValidator(_read_time, json_schema_input_type=datetime | None)]
RupeesIn = Annotated[int, BeforeValidator(_parse_rupees, json_schema_input_type=float | str | None)]
ShownRupees = Annotated[int | None, BeforeValidator(_parse_shown, json_schema_input_type=float | str | None)]
ExactRupees = Annotated[int, exactly(MAX_TOTAL_RUPEES)]
RupeesOut = Annotated[int, PlainSerializer(to_rupees, return_type=int | float)]
WrittenTime = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
IndianTime = Annotated[
    datetime, PlainSerializer(lambda instant: indian(instant).isoformat(timespec="seconds"), return_type=WrittenTime)
]
# What means the same wherever it stands.
Picture = Annotated[str, Field(description="Address of its picture, blank if there is none")]
Amount = Annotated[RupeesOut, Field(description="Amount in rupees")]
ReviewCount = Annotated[int, Field(description="How many reviews there are")]
VehicleIdIn = Annotated[Id, Field(description="Id of the vehicle")]
ChosenVehicle = Annotated[VehicleId, Field(description="Id of the vehicle")]
VehicleIdOut = Annotated[int, Field(description="Id of the vehicle")]
VehicleOrAllOut = Annotated[int | None, Field(description="Id of the vehicle, null for all of the vendor's")]
VehicleOrAllIn = Annotated[Id | None, Field(description="Id of the vehicle; all of the vendor's if none is given")]
WebAddress = Annotated[str, Field(description="Its address")]
ItsId = Annotated[int, Field(description="Its id")]
NameOut = Annotated[str, Field(description="Its name")]
PlanKilometres = Annotated[KmsLimit, Field(description="Kilometres included in the plan; 0 means unlimited")]
IncludedKilometres = Annotated[int | None, Field(description="Kilometres included, null if unlimited")]
MediaType = Annotated[str, Field(description="Media type of the file")]
PickupLocality = Annotated[str, Field(description="Name of the locality where it is picked up")]
NameOfPlan = Annotated[str, Field(description="Name of the plan, such as Full Day")]
RcNumber = Annotated[str, Field(description="Number of the registration certificate and plate")]
OdometerIn = Annotated[Odometer, Field(description="Reading of the odometer, in kilometres")]
OdometerOut = Annotated[int, Field(description="Reading of the odometer, in kilometres")]
AverageStars = Annotated[float | None, Field(description="The average of the stars, null without reviews")]
Reference = Annotated[str, Field(description="The booking's reference")]
Deposit = Annotated[RupeesOut, Field(description="The deposit, in rupees")]
BodyType = Annotated[str, Field(description="The kind of body, such as Hatchback")]
Slug = Annotated[str, Field(description="The last part of the page's address")]
ManufacturerName = Annotated[str, Field(description="The manufacturer's name")]
PincodeOut = Annotated[str, Field(description="The six digits of the pincode")]
ShownTotal = Annotated[ShownRupees, Field(description="The total shown, in rupees: another one is refused")]
Total = Annotated[RupeesOut, Field(description="The total, in rupees")]
VendorName = Annotated[str, Field(description="The vendor's name")]
VendorTerms = Annotated[str, Field(description="The vendor's terms for all vehicles")]
ClosingDays = Annotated[
    list[str], Field(description="The weekdays on which the vendor is closed, by their English names")
]
MessageText = Annotated[str, Field(description="What happened, in words for people")]
Title = Annotated[str, Field(description="What it is called, for people")]
FileGroup = Annotated[str, Field(description="What the file shows, such as Front or Insurance")]
BeginTime = Annotated[IndianTime, Field(description="When it begins")]
EndTime = Annotated[IndianTime, Field(description="When it ends")]
EventTime = Annotated[IndianTime, Field(description="When it happened or was written")]
PickupTime = Annotated[IndianTime, Field(description="When the rental begins")]
PickupMoment = Annotated[Moment, Field(description=f"When the rental begins, {A_MOMENT}")]
ReturnTime = Annotated[IndianTime, Field(description="When the rental ends")]
ReturnMoment = Annotated[Moment, Field(description=f"When the rental ends, {A_MOMENT}")]
AnswerBy = Annotated[IndianTime, Field(description="When the request lapses if it is not answered")]
Delivers = Annotated[bool, Field(description="Whether the vendor delivers and collects vehicles")]
YearOfManufacture = Annotated[int, Field(description="Year of manufacture")]
FirstDay = Annotated[Day | None, Field(description="The first Indian day")]
LastDay = Annotated[Day | None, Field(description="The last Indian day, included")]
VehicleChoice = Annotated[Id | None, Field(description="Id of the vehicle")]
PageLimit = Annotated[Limit, Field(description="At most how many to return; all if not given")]
PageCursor = Annotated[Cursor, Field(description="Where to continue: the `next_cursor` of the page before")]
PlanPrice = Annotated[RupeesIn, Field(description="Price in rupees")]


def is_given(value: Any) -> bool:
    """Whether an optional field has a value: zero is one, a switch that is off is none."""
    return bool(value) or (value == 0 and value is not False)


class Wire(BaseModel):
    """A shape whose aliases are the names on the wire."""

    model_config = ConfigDict(populate_by_name=True)

    def written(self) -> bytes:
        """The shape as JSON."""
        return self.model_dump_json(by_alias=True).encode()


class Body(Wire):
    """A shape that callers send: null for an optional field leaves it out, unless null is its default anyway."""

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, data: Any) -> Any:
        if not isinstance(data, dict) or None not in data.values():
            return data
        fields = cls.model_fields.items()
        optional = [(name, info) for name, info in fields if not (info.is_required() or info.default is None)]
        names = {key for name, info in optional for key in (name, info.alias)}
        return {name: value for name, value in data.items() if value is not None or name not in names}


class ExactBody(Body):
    """A shape that vendors and operators send: a field that it does not know is refused, so that a slip of the
    pen is no change that quietly did not happen. The specification's own calls ignore such fields."""

    model_config = ConfigDict(extra="forbid")


class ListFilters(Body):
    """A shape whose fields narrow down what is returned: blank ones, as forms send them, do not."""

    @model_validator(mode="before")
    @classmethod
    def _without_blanks(cls, data: Any) -> Any:
        return {name: value for name, value in data.items() if value != ""} if isinstance(data, dict) else data


def documented_as_required(*names: str) -> ConfigDict:
    """The configuration of a shape with fields that are required, though it is a service that refuses without them."""

    def described(schema: dict[str, Any]) -> None:
        schema["required"] = [*schema.get("required", []), *names]
        for name in names:
            # What has a default is optional to those who generate a client.
            schema["properties"][name].pop("default", None)

    return ConfigDict(json_schema_extra=described)


class Identified(Wire):
    """Something with an id."""

    id: Id = Field(description="Its id")


class Answer(Wire):
    """What every successful call returns."""

    success: Literal[True] = Field(default=True, description="Whether the call did what was asked")
    message: MessageText = ""


class HealthAnswer(Answer):
    """That the process is up, which version of the product it runs, and what its clock says."""

    version: str = Field(description="The version of the product")
    now: IndianTime = Field(description="The present instant by the server's clock")


class FieldError(Wire):
    """One field at fault."""

    field: str = Field(description="Name of the field")
    message: MessageText


class Refusal(Wire):
    """What every refused call returns."""

    success: Literal[False] = Field(default=False, description="Whether the call did what was asked")
    message: MessageText
    code: str = Field(description="The kind of refusal, for programs")
    errors: list[FieldError] = Field(default=[], description="The fields at fault, each with what is wrong")
    # The id in the header X-Request-ID and in the operator's logs.
    request_id: Annotated[str, Field(alias="requestId")] = Field(
        default="", description="The id of the request, also in the header X-Request-ID and in the operator's logs"
    )


class Listed(Answer):
    """An answer that carries a list; `total` is given if a limit was requested."""

    total: int | None = Field(
        default=None, description="How many there are in total, null unless a limit was requested"
    )

    def written(self) -> bytes:
        """The answer as JSON; its parts may already be serialised."""
        fields = {info.alias or name: getattr(self, name) for name, info in type(self).model_fields.items()}
        return orjson.dumps(fields, default=lambda part: orjson.Fragment(part.written()))


class Paged(Listed):
    """A list in pages by id; `next_cursor` is given if a limit was requested and there is more to come."""

    next_cursor: int | None = Field(default=None, description="The `cursor` of the next page, null if there is none")


class Page(Wire):
    """Which part of a list to return; without a limit all of it, from the cursor on if there is one."""

    limit: PageLimit = None
    cursor: PageCursor = 0

    @classmethod
    def first(cls, many: int) -> "Page":
        """The beginning of a list, of which our pages show more and more: without the bound of a page over REST."""
        return cls.model_construct(limit=many, cursor=0)


def read_window(pickup: str, return_at: str) -> tuple[datetime | date, datetime | date]:
    """Read both ends of a window; raises InvalidInputError when one is missing or not a date."""
    if not pickup or not return_at:
        message = "Please select Pickup and Return date/time"
        missing = {name: message for name, text in (("pickupDate", pickup), ("returnDate", return_at)) if not text}
        raise InvalidInputError(message, code="dates_missing", fields=missing)
    try:
        return parse_moment(pickup, "pickupDate"), parse_moment(return_at, "returnDate")
    except InvalidInputError:
        ends = ((pickup, "pickupDate"), (return_at, "returnDate"))
        refuse_together(*(partial(parse_moment, *end) for end in ends))
        raise
