"""Shapes of readings: a handover, a return, what it costs, and what is entered for them step by step."""

from datetime import datetime
from typing import Annotated, Literal, get_args

from pydantic import ConfigDict, Field, PlainSerializer

from rental_app.domain.money import to_rupees
from rental_app.domain.policies import Policies
from rental_app.domain.uploads import MAX_FILES_A_GROUP, TripGroup
from rental_app.schemas.bookings import BalanceNow
from rental_app.schemas.trips import Between, LineKind, Note, NoteOut
from rental_app.schemas.wire import (
    MAX_RUPEES,
    Amount,
    Answer,
    ExactBody,
    Id,
    Odometer,
    OdometerIn,
    PastTime,
    RupeesOut,
    Text,
    Total,
    WholeNumber,
    Wire,
    exactly,
)

Paper = Literal["government_id", "licence", "work_proof", "residence_proof"]
PAPERS: tuple[str, ...] = get_args(Paper)
Eighths = Annotated[WholeNumber, Field(ge=0, le=8)]
Few = Annotated[WholeNumber, Field(ge=0, le=50)]
FuelLevel = Annotated[Eighths, Field(description="Fuel or charge, in eighths of a full tank or battery")]
Speedings = Annotated[Few, Field(description="How many times the vehicle was too fast")]
MAX_DAMAGES = 8
ReturnReason = Literal["breakdown"]
_REASON = Field(
    default=None,
    description="`breakdown` if the vehicle broke down: then nothing is charged for being late, and another booking may"
    " continue this one",
)
_CAME_BACK = Field(
    default=None,
    alias="cameBackAt",
    description="When the vehicle came back, from its handover up to now, which it is if it is not given: late hours"
    " are charged by it",
)


class Damage(ExactBody):
    """One item of damage and what it costs; its photo is the one at the same position among the `Damage` files."""

    note: Note
    amount: Annotated[int, exactly(MAX_RUPEES), Field(gt=0), PlainSerializer(to_rupees)] = Field(
        description="Amount in rupees"
    )


class HandoverData(ExactBody):
    """What the vendor reads and sees when the vehicle goes out.

    A rental that had begun when it was booked went out at its pickup unless `wentOutAt` says otherwise.
    """

    odometer: OdometerIn
    fuel_eighths: FuelLevel = Field(alias="fuelEighths")
    papers_seen: list[Paper] = Field(
        default=[], alias="papersSeen", max_length=8, description="Which documents of the customer the vendor has seen"
    )
    helmets: Few = Field(default=0, description="How many helmets")
    unpaid_reason: Text = Field(
        default="",
        alias="unpaidReason",
        description="Why the vehicle goes out though rent or deposit is unpaid; needed then, and both sides see it",
    )
    went_out_at: PastTime = Field(
        default=None,
        alias="wentOutAt",
        description="When the vehicle went out, if that is noted only now: from two hours before the pickup up to now,"
        " and within the rental",
    )


class ReturnData(ExactBody):
    """What the vendor reads and sees when the vehicle comes back."""

    odometer: OdometerIn
    fuel_eighths: FuelLevel = Field(alias="fuelEighths")
    helmets: Few = Field(default=0, description="How many helmets")
    speedings: Speedings = 0
    damages: Annotated[list[Damage], Field(max_length=MAX_DAMAGES)] = Field(
        default=[], description="What is damaged, in the order of the photos of `Damage`"
    )
    reason: ReturnReason | None = _REASON
    came_back_at: PastTime = _CAME_BACK


class SettlementRequest(ExactBody):
    """Readings of a return that is not final yet; without an odometer no kilometres are charged.

    `damages` is the total cost of all damage; without `fuelEighths` no fuel counts as missing.
    """

    odometer: Odometer | None = Field(
        default=None,
        description="Reading of the odometer in kilometres; none are charged if it is not given",
    )
    fuel_eighths: Eighths | None = Field(
        default=None,
        alias="fuelEighths",
        description="Fuel or charge in eighths; none counts as missing if it is not given",
    )
    speedings: Speedings = 0
    damages: Annotated[int, exactly(MAX_DAMAGES * MAX_RUPEES)] = Field(
        default=0, description="The cost of all damage, in rupees"
    )
    reason: ReturnReason | None = _REASON
    came_back_at: PastTime = _CAME_BACK


class SettlementLine(Wire):
    """A line of what a return would cost."""

    kind: LineKind
    amount: Amount
    note: NoteOut


class SettlementAnswer(Answer):
    """What a return now would cost, how much of the deposit is kept for it, and both balances afterwards."""

    lines: list[SettlementLine] = Field(description="The price, line by line")
    fuel_missing: int = Field(
        alias="fuelMissing",
        description="Eighths missing since the handover; not charged unless the vendor adds them as damage",
    )
    total: Total
    kept_of_deposit: RupeesOut = Field(alias="keptOfDeposit", description="How much of the deposit is kept, in rupees")
    balance: BalanceNow
    deposit_back: Between = Field(alias="depositBack", description="The period in which the deposit is returned")
    # What the booking goes by, for the text on the page.
    policies: Policies = Field(exclude=True)


ReadingKind = Literal["handover", "return"]


class SentPhoto(Wire):
    """A photo that was uploaded ahead; `name` is its file name on the vendor's phone."""

    id: Id
    name: Annotated[str, Field(max_length=300)]


class NotedDamage(Damage):
    """One item of damage, with its photo."""

    # What is stored may come from a newer version.
    model_config = ConfigDict(extra="ignore")

    photo: SentPhoto


class Noted(Wire):
    """What has been entered so far, or one step of it; what is missing is None."""

    papers_seen: list[Paper] | None = Field(default=None, alias="papersSeen", max_length=8)
    odometer: Odometer | None = None
    fuel_eighths: Eighths | None = Field(default=None, alias="fuelEighths")
    helmets: Few | None = None
    speedings: Few | None = None
    photos: dict[TripGroup, Annotated[list[SentPhoto], Field(max_length=MAX_FILES_A_GROUP)]] = {}
    damages: Annotated[list[NotedDamage], Field(max_length=MAX_DAMAGES)] = []
    reason: ReturnReason | None = None
    # Without one, it is when the reading becomes final.
    went_out_at: PastTime = Field(default=None, alias="wentOutAt")
    came_back_at: PastTime = Field(default=None, alias="cameBackAt")
    # When anything was last entered; steps do not say so, and drafts of earlier versions don't.
    saved_at: datetime | None = Field(default=None, alias="savedAt")

    @property
    def sent(self) -> list[SentPhoto]:
        """Every photo, those of damages last."""
        return [photo for photos in self.photos.values() for photo in photos] + [one.photo for one in self.damages]
