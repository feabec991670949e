"""Shapes of quotes: what is asked for, and its price line by line."""

from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field

from rental_app.domain.characters import made_storable, on_a_keyboard
from rental_app.domain.policies import Policies
from rental_app.domain.pricing import EXTRAS, Extra, Kind
from rental_app.schemas.calendars import Stretch
from rental_app.schemas.wire import (
    CLEAN,
    Amount,
    Answer,
    Body,
    Deposit,
    IncludedKilometres,
    IndianTime,
    PickupMoment,
    PickupTime,
    Refusal,
    ReturnMoment,
    ReturnTime,
    RupeesOut,
    Title,
    Total,
    VehicleIdIn,
    Wire,
    at_most,
    documented_as_required,
    stored_as,
)


def _extras(value: Any) -> Any:
    """A list, or one comma-separated text as in query strings; each extra once."""
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        raise ValueError("Send a list of extras")
    named = [name.strip() for text in texts for name in text.split(",") if name.strip()]
    if unknown := sorted({name[:40] for name in named if name not in EXTRAS}):
        raise ValueError(f"There is no extra {made_storable(', '.join(unknown[:3]))}: choose from {', '.join(EXTRAS)}")
    if len(set(named)) < len(named):
        raise ValueError("Name each extra once")
    return named


Extras = Annotated[
    list[Extra],
    BeforeValidator(_extras, json_schema_input_type=list[Extra] | str),
    Field(description="The extras, such as helmet or delivery"),
]
MAX_CODE = 40
Code = Annotated[str, at_most(MAX_CODE), CLEAN, AfterValidator(lambda code: on_a_keyboard(code).strip().upper())]


class QuoteRequest(Body):
    """A vehicle and a window; a bare date means the vendor's opening time.

    `extras` may be one comma-separated text; `offer` is a code in upper or lower case.
    """

    model_config = documented_as_required("pickupDate", "returnDate")

    car: VehicleIdIn
    pickup: PickupMoment = Field(default="", alias="pickupDate")
    return_at: ReturnMoment = Field(default="", alias="returnDate")
    extras: Extras = []
    offer: Code = Field(default="", description="Code of an offer, in upper or lower case; blank for none")


class QuoteLine(Wire):
    """One line of a price: a plan, an extra, or a discount, whose amount is negative."""

    kind: Annotated[Kind, stored_as(Kind, "extra")] = Field(
        default="plan", description="What kind of line or entry it is"
    )
    label: Title
    quantity: int = Field(description="How many of them")
    rate: RupeesOut = Field(description="Price of one, in rupees")
    amount: Amount

    @property
    def plan(self) -> str:
        """The name of the plan that a quote's line is for, which on the wire is its label; '' for other lines."""
        return self.label if self.kind == "plan" else ""


PriceLines = Annotated[list[QuoteLine], Field(description="The price, line by line")]


class Cheaper(Wire):
    """A return time that costs less, and its total."""

    return_at: IndianTime = Field(alias="returnDate", description="The return that costs less")
    total: Total


class QuoteView(Wire):
    """A price before the booking. The deposit is collected at pickup and not part of the total."""

    lines: PriceLines
    total: Total
    deposit: Deposit
    days: int = Field(description="How many days the price is for")
    kms_included: IncludedKilometres = Field(alias="kmsIncluded")
    kms_text: str = Field(alias="kmsText", description="The kilometres included, in words")
    saving: RupeesOut = Field(description="What the plans cost less than Full Days alone")
    cheaper: Cheaper | None = Field(description="A return nearby that costs less")
    pickup: PickupTime = Field(alias="pickupDate")
    return_at: ReturnTime = Field(alias="returnDate")
    confirmed_at_once: bool = Field(
        default=False, alias="confirmedAtOnce", description="Whether such a booking is confirmed as it is made"
    )
    confirm_mobile_first: bool = Field(
        default=False,
        alias="confirmMobileFirst",
        description="Whether it would be, if the customer's mobile number were confirmed",
    )
    numbers: str = Field(
        description="A short name of the numbers that the booking would go by, such as what cancelling keeps: send it"
        " back as `expectedNumbers`",
    )
    # The numbers themselves, for the texts on the pages.
    policies: Policies = Field(exclude=True)


class QuoteAnswer(Answer):
    """A quote."""

    quote: QuoteView = Field(description="The price")


class QuoteRefusal(Refusal):
    """Why there is no price; `nearest` are free windows of the same length if the code is `dates_taken`."""

    nearest: list[Stretch] | None = Field(default=None, description="Free periods of the same length nearby")
