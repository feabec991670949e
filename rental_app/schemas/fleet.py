"""Shapes of a vendor's fleet: the query of its table, changes of many vehicles, renewed papers, maintenance."""

from collections.abc import Iterable
from datetime import date
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, Field

from rental_app.domain import clock
from rental_app.domain.ids import MAX_ID
from rental_app.domain.papers import EARLIEST_YEAR
from rental_app.domain.pricing import PLAN_NAMES, PlanName
from rental_app.domain.uploads import MAX_FILES_A_GROUP
from rental_app.schemas.calendars import BlockReason, BookingInTheWay
from rental_app.schemas.prices import PricesRefusal
from rental_app.schemas.validation import MISSING, refusal
from rental_app.schemas.vehicles import CalendarDate, ExpiryDate
from rental_app.schemas.wire import (
    BLANK_IS_NONE,
    MAX_RUPEES,
    Answer,
    Day,
    ExactBody,
    Id,
    ItsId,
    KmsLimit,
    LongText,
    Moment,
    NameOfPlan,
    Odometer,
    OdometerOut,
    PlanPrice,
    RcNumber,
    Refusal,
    RupeesIn,
    RupeesOut,
    Text,
    Title,
    VehicleIdIn,
    VehicleIdOut,
    WholeNumber,
    Wire,
    exactly,
    stored_as,
)

Shown = Literal["all", "available", "unavailable", "active", "inactive", "expiring", "free", "out", "needs", "retired"]
Order = Literal["newest", "name", "rc", "papers", "needs"]


class FleetQuery(Wire):
    """Which vehicles of the fleet, in which order, and which page of them."""

    text: Text = ""
    shown: Shown = "all"
    type_id: Annotated[WholeNumber, Field(ge=0, le=MAX_ID)] = 0
    order: Order = "newest"
    page: Annotated[WholeNumber, Field(ge=1, le=100_000)] = 1


MOST_AT_ONCE = 200
BulkAction = Literal["pause", "resume", "block", "price", "terms", "renew"]
# The papers with a date, named as their upload groups are.
DatedPaper = Literal["Insurance", "Pollution"]
LEAST_PERCENT_OFF, MOST_PERCENT_ON = -90, 200
# What vehicles share that may be set for many at once, besides the kilometres of a plan.
TERMS = (
    "deposit_paise",
    "late_penalty_paise",
    "distance_penalty_paise",
    "speed_limit_kmph",
    "drop_off_pick_extra_payment",
    "drop_off_paise",
    "pick_up_paise",
    "terms",
)
# What an action needs, at least one of each group, and what else it may have; other fields are refused.
_NEEDS: dict[BulkAction, tuple[tuple[str, ...], ...]] = {
    "pause": (),
    "resume": (),
    "block": (("begin",), ("end",), ("reason",)),
    "price": (("percent", "amount"),),
    "terms": ((*TERMS, "kms_limit"),),
    "renew": (("paper",), ("valid_until",)),
}
_MAY_HAVE = {"block": ("note",), "price": ("plan", "shown", "preview"), "terms": ("plan",)}


def _each_once(ids: list[int]) -> list[int]:
    if repeated := [str(one) for one in dict.fromkeys(ids) if ids.count(one) > 1]:
        raise ValueError(f"Name each vehicle only once, not {', '.join(repeated[:5])} again")
    return ids


class ShownPlanPrice(ExactBody):
    """The price of a plan as it was shown before the change."""

    vehicle: VehicleIdIn
    price_name: PlanName = Field(description="Name of the plan, such as Full Day")
    price_paise: PlanPrice = Field(alias="price")


class BulkRequest(ExactBody):
    """One change of many vehicles: `action` says which, and so which of the other fields are needed."""

    ids: Annotated[list[Id], Field(min_length=1, max_length=MOST_AT_ONCE), AfterValidator(_each_once)] = Field(
        description="Ids of the vehicles, each once"
    )
    action: BulkAction = Field(description="What is done to all of them")
    plan: PlanName | None = Field(
        default=None,
        description="Of `price`: the plan that changes, all that have a price if none is given."
        " Of `terms`: the plan whose `kms_limit` changes, Full Day if none is given",
    )
    percent: Annotated[WholeNumber, Field(ge=LEAST_PERCENT_OFF, le=MOST_PERCENT_ON)] | None = Field(
        default=None, description="Of `price`: percent more, or less if negative; prices stay whole rupees"
    )
    amount: Annotated[WholeNumber, Field(ge=-MAX_RUPEES, le=MAX_RUPEES)] | None = Field(
        default=None, description="Of `price`, in place of `percent`: rupees more, or less if negative; with a `plan`"
    )
    preview: bool = Field(default=False, description="Of `price`: say what would change, and change nothing")
    shown: Annotated[list[ShownPlanPrice], Field(max_length=MOST_AT_ONCE * len(PLAN_NAMES))] = Field(
        default=[], description="Of `price`: prices as they were shown; if one has changed since, nothing is changed"
    )
    begin: Moment = Field(
        default="", alias="from", description="Of `block`: when it begins, in ISO 8601; a day alone from its start"
    )
    end: Moment = Field(
        default="", alias="to", description="Of `block`: when it ends, in ISO 8601; a day alone to its end"
    )
    reason: BlockReason | None = Field(default=None, description="Of `block`: why they are blocked")
    note: Text = Field(default="", description="Of `block`: what the vendor's people should know")
    deposit_paise: RupeesIn | None = Field(
        default=None, alias="security_deposit", description="Of `terms`: the deposit, in rupees"
    )
    late_penalty_paise: RupeesIn | None = Field(
        default=None, alias="late_penalty_per_hour", description="Of `terms`: what each late hour costs, in rupees"
    )
    distance_penalty_paise: RupeesIn | None = Field(
        default=None,
        alias="distance_penalty_per_km",
        description="Of `terms`: what each kilometre above the limit costs, in rupees",
    )
    speed_limit_kmph: Annotated[WholeNumber, Field(ge=1, le=300)] | None = Field(
        default=None, description="Of `terms`: the highest speed allowed, in km/h"
    )
    kms_limit: KmsLimit | None = Field(
        default=None, description="Of `terms`: kilometres included in the `plan`; 0 means unlimited"
    )
    drop_off_pick_extra_payment: bool | None = Field(
        default=None, description="Of `terms`: whether delivery and collection cost extra"
    )
    drop_off_paise: RupeesIn | None = Field(
        default=None, alias="drop_off_payment", description="Of `terms`: what delivery costs, in rupees"
    )
    pick_up_paise: RupeesIn | None = Field(
        default=None, alias="pick_up_payment", description="Of `terms`: what collection costs, in rupees"
    )
    terms: LongText | None = Field(default=None, description="Of `terms`: terms in words")
    paper: DatedPaper | None = Field(default=None, description="Of `renew`: which paper is valid longer")
    valid_until: ExpiryDate | None = Field(
        default=None, alias="validUntil", description="Of `renew`: the last day on which it is valid"
    )

    def values_of(self, names: Iterable[str]) -> dict[str, Any]:
        """Those of some fields that the request gives, by their names here."""
        return {name: getattr(self, name) for name in names if getattr(self, name) not in (None, "")}

    def require_sense(self) -> None:
        """Raise InvalidInputError naming each field that its action lacks, or does not know."""
        needed = _NEEDS[self.action]
        known = {"ids", "action", *_MAY_HAVE.get(self.action, ()), *(name for group in needed for name in group)}
        wire = {name: info.alias or name for name, info in type(self).model_fields.items()}
        others = sorted(self.model_fields_set - known)
        problems = {wire[name]: f"Leave this out to {self.action}" for name in others if self.values_of([name])}
        for group in needed:
            # Blank terms are terms.
            if not self.values_of(group) and not (self.action == "terms" and self.terms == ""):
                problems |= dict.fromkeys((wire[name] for name in group[:2]), MISSING)
        if self.percent is not None and self.amount is not None:
            problems["amount"] = "Give a percentage or an amount, not both"
        if self.amount is not None and not self.plan:
            problems["plan"] = "Choose the plan that the amount is for"
        zeros = [name for name in ("percent", "amount") if getattr(self, name) == 0]
        problems |= dict.fromkeys(zeros, "Enter something other than 0")
        if problems:
            raise refusal(problems)


class ChangedPrice(Wire):
    """The price of a plan before and after a change."""

    vehicle: VehicleIdOut
    rc_number: RcNumber
    title: Title
    price_name: NameOfPlan
    before: RupeesOut = Field(description="Price before the change, in rupees")
    after: RupeesOut = Field(description="Price after the change, in rupees")


class BulkAnswer(Answer):
    """What was done to many vehicles."""

    prices: list[ChangedPrice] = Field(default=[], description="Of `price`: every price that changes")
    bookings: list[BookingInTheWay] = Field(
        default=[], description="Of `pause`: the bookings ahead, which stand, each to be moved or cancelled"
    )


class BulkRefusal(PricesRefusal):
    """Why nothing was changed: bookings in the way of a block, or prices that somebody else has changed meanwhile."""

    reference: str | None = Field(
        default=None, description="Reference of the first booking in the way, null unless the code is `booked`"
    )
    bookings: list[BookingInTheWay] = Field(default=[], description="The bookings in the way of a block")


class InUseRefusal(Refusal):
    """Why a vehicle was not retired: its bookings ahead, out or not settled."""

    bookings: list[BookingInTheWay] = Field(
        default=[], description="The bookings to finish, move or cancel first, if the code is `vehicle_in_use`"
    )


class RenewRequest(ExactBody):
    """A renewed paper; its files come along, or were uploaded ahead."""

    paper: DatedPaper = Field(description="Which paper was renewed")
    valid_until: ExpiryDate = Field(alias="validUntil", description="The last day on which it is valid")
    shown: CalendarDate = Field(description="The last day as it was shown before: another one stored is a conflict")
    uploads: Annotated[list[Id], Field(max_length=MAX_FILES_A_GROUP)] = Field(
        default=[], description="Ids of its files that were uploaded ahead"
    )


MaintenanceKind = Literal["service", "tyres", "battery", "brakes", "repair", "claim", "other"]
MAINTENANCE_KINDS: tuple[MaintenanceKind, ...] = get_args(MaintenanceKind)
KindOfMaintenance = Annotated[MaintenanceKind, Field(description="What was done; `claim` is one of the insurance")]


def _done(day: date) -> date:
    if day > clock.indian_today(clock.now()):
        raise ValueError("Enter a day that has come")
    if day.year < EARLIEST_YEAR:
        raise ValueError("Check the year of this date")
    return day


class MaintenanceIn(ExactBody):
    """What was done to a vehicle, and when it is due again."""

    kind: KindOfMaintenance
    done_on: Annotated[CalendarDate, AfterValidator(_done)] = Field(
        alias="doneOn", description="The Indian day on which it was done"
    )
    odometer_km: Annotated[Odometer | None, BLANK_IS_NONE] = Field(
        default=None, alias="odometer", description="Reading of the odometer then, in kilometres, null if unknown"
    )
    cost_paise: Annotated[int, exactly(MAX_RUPEES)] = Field(alias="cost", description="What it cost, in rupees")
    note: Text = Field(default="", description="What the vendor's people should know")
    next_on: Annotated[Day | None, BLANK_IS_NONE] = Field(
        default=None, alias="nextOn", description="The Indian day on which it is due again, null for none"
    )
    next_km: Annotated[Odometer | None, BLANK_IS_NONE] = Field(
        default=None, alias="nextKm", description="The reading at which it is due again, in kilometres, null for none"
    )

    def require_sense(self) -> None:
        """Raise InvalidInputError if it is due again before it was done."""
        problems = {}
        if self.next_on and self.next_on <= self.done_on:
            problems["nextOn"] = "Enter a day after the one it was done on"
        if self.next_km is not None and self.next_km <= (self.odometer_km or 0):
            problems["nextKm"] = "Enter more kilometres than it had when it was done"
        if problems:
            raise refusal(problems)


class MaintenanceView(Wire):
    """What was done to a vehicle, and whether it is due again."""

    id: ItsId
    kind: Annotated[KindOfMaintenance, stored_as(MaintenanceKind, "other")]
    done_on: date = Field(alias="doneOn", description="The Indian day on which it was done")
    odometer_km: int | None = Field(alias="odometer", description="Reading of the odometer then, null if unknown")
    cost_paise: RupeesOut = Field(alias="cost", description="What it cost, in rupees")
    note: str = Field(description="What the vendor's people should know")
    next_on: date | None = Field(alias="nextOn", description="The Indian day on which it is due again, null for none")
    next_km: int | None = Field(alias="nextKm", description="The reading at which it is due again, null for none")
    is_due: bool = Field(alias="isDue", description="Whether it is due by now, and was not done again since")


class YearCost(Wire):
    """What a vehicle's maintenance cost in an Indian calendar year."""

    year: int = Field(description="The year")
    cost_paise: RupeesOut = Field(alias="cost", description="What it cost, in rupees")


class MaintenanceAnswer(Answer):
    """All maintenance of a vehicle, the latest first."""

    entries: list[MaintenanceView] = Field(description="What was done, the latest first")
    years: list[YearCost] = Field(description="The cost by year, the latest first")
    odometer_km: OdometerOut = Field(alias="odometer")


class MaintenanceEntryAnswer(Answer):
    """What was noted."""

    entry: MaintenanceView = Field(description="What was done")
