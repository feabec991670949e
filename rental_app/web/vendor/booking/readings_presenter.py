"""Handover and return as their vendor sees them: in progress, and what they would cost."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from pydantic import BaseModel

from rental_app.content.account_words import word_of
from rental_app.domain import clock
from rental_app.domain.money import counted, format_rupees, grouped
from rental_app.domain.settlement import BREAKDOWN, fuel_missing
from rental_app.domain.uploads import DAMAGE_GROUP, PUBLIC_GROUPS, trip_upload
from rental_app.schemas.readings import PAPERS, Noted, SettlementAnswer, SettlementLine
from rental_app.schemas.uploads import UploadView
from rental_app.services.bookings.ledger import OpenBalance
from rental_app.web.parts.presenters.links import wall_text
from rental_app.web.parts.presenters.texts import Choice, Fact
from rental_app.web.parts.presenters.trip import eighths, fuel_less
from rental_app.web.parts.presenters.uploads import WaitingFile, waiting_files
from rental_app.web.vendor.booking.presenter import HandoverFigures, VendorTrip

FUEL = [Choice(value=str(count), label=eighths(count)) for count in range(8, -1, -1)]
ODOMETER = "Odometer Reading"
# Steps without which a reading cannot be final.
NEEDED = {"odometer": "Odometer", "fuel": "Fuel or charge", "photos": "Photos"}
NEEDED_FIRST = {"papers": "Documents seen"} | NEEDED


class DamageText(BaseModel):
    """A recorded damage; `id` is that of its photo."""

    id: int
    note: str
    amount: str


class ComparedFigure(BaseModel):
    """A figure of a return beside the handover's; `is_less` if something is missing."""

    label: str
    before: str
    now: str
    difference: str
    is_less: bool


class DoneStep(BaseModel):
    """A step that is done, folded into a line; `name` is that of the step."""

    name: str
    label: str
    text: str


class Side(BaseModel):
    """A side of the vehicle as it was photographed at the handover, and now."""

    name: str
    before: str
    now: str


class Draft(BaseModel):
    """A reading in progress as its steps show it; `done` names finished steps, `missing` required ones."""

    papers: list[str] = []
    odometer: str = ""
    fuel: str = ""
    helmets: str = ""
    speedings: str = ""
    odometer_photos: list[WaitingFile] = []
    photos: list[WaitingFile] = []
    damages: list[DamageText] = []
    done: list[str] = []
    missing: str = ""
    broke_down: bool = False
    # As typed; '' for just now.
    went_out: str = ""
    came_back: str = ""
    compared: list[ComparedFigure] = []
    sides: list[Side] = []
    folded: list[DoneStep] = []


class ChargedLine(BaseModel):
    """What a return charges for, how that is reckoned, and how much."""

    label: str
    how: str
    amount: str


class SettlementText(BaseModel):
    """What a return now would charge; `fuel` is what is missing of it, '' for nothing; `outcome` is all in a line, and
    `sums` are its amounts.
    """

    outcome: str
    lines: list[ChargedLine]
    sums: list[Fact]
    fuel: str
    total: str
    kept_of_deposit: str
    rent: str
    deposit: str


def draft(noted: Noted, waiting: Sequence[UploadView], kind: str, trip: VendorTrip | None = None) -> Draft:
    """The draft of a handover or return, with those of its photos that are still there."""
    files = waiting_files(waiting, {photo.id: photo.name for photo in noted.sent})
    parts = _steps(noted, {file.group for file in files})
    # Odometer and fuel are read in one step.
    done = [step for step, is_done in (parts | {"readings": parts["odometer"] and parts["fuel"]}).items() if is_done]
    needed = NEEDED_FIRST if kind == "handover" else NEEDED
    return Draft(
        papers=list(noted.papers_seen or []),
        odometer=_figure(noted.odometer),
        fuel=_figure(noted.fuel_eighths),
        helmets=_figure(noted.helmets),
        speedings=_figure(noted.speedings),
        odometer_photos=[file for file in files if file.group == trip_upload(ODOMETER)],
        photos=[file for file in files if file.group not in (trip_upload(ODOMETER), trip_upload(DAMAGE_GROUP))],
        damages=[DamageText(id=one.photo.id, note=one.note, amount=format_rupees(one.amount)) for one in noted.damages],
        done=done,
        broke_down=noted.reason == BREAKDOWN,
        went_out=wall_text(noted.went_out_at) if noted.went_out_at else trip.out_at if trip else "",
        came_back=wall_text(noted.came_back_at) if noted.came_back_at else "",
        missing=", ".join(title for step, title in needed.items() if step not in done),
        compared=_compared(trip.before, noted) if trip and trip.before and kind == "return" else [],
        sides=_sides(trip, files) if trip and kind == "return" else [],
        folded=[DoneStep(name=step, label=label, text=text) for step, label, text in _summaries(noted) if step in done],
    )


def _summaries(noted: Noted) -> list[tuple[str, str, str]]:
    """Name, title and summary of each step of figures, in the order of the steps."""
    read = f"{grouped(noted.odometer or 0)} km, {eighths(noted.fuel_eighths or 0)}"
    return [
        ("papers", "Documents", "All seen"),
        ("readings", "Readings", read),
        ("helmets", "Helmets", _figure(noted.helmets)),
        ("speedings", "Speeding fines", _figure(noted.speedings)),
    ]


def saved_text(at: datetime | None, instant: datetime) -> str:
    """When something was last saved: 'Saved 9:52 AM', with the day unless it is today; '' for never."""
    if at is None:
        return ""
    is_today = clock.indian_today(at) == clock.indian_today(instant)
    return f"Saved {clock.hour_text(at)}" if is_today else f"Saved {clock.friendly(at)}"


def _compared(before: HandoverFigures, noted: Noted) -> list[ComparedFigure]:
    """What a return reads beside the handover, of figures that have been read."""
    rows = []
    if noted.odometer is not None:
        driven = f"{grouped(noted.odometer - before.odometer)} km"
        rows.append(_row("Odometer", grouped(before.odometer), grouped(noted.odometer), driven))
    if noted.fuel_eighths is not None:
        less = fuel_missing(before.fuel, noted.fuel_eighths)
        rows.append(_row("Fuel or charge", eighths(before.fuel), eighths(noted.fuel_eighths), _lost(less, "less")))
    if noted.helmets is not None:
        less = max(0, before.helmets - noted.helmets)
        rows.append(_row("Helmets", str(before.helmets), str(noted.helmets), _lost(less, "missing")))
    return rows


def _lost(count: int, word: str) -> str:
    if not count:
        return "same"
    return f"{counted(count, 'eighth')} {word}" if word == "less" else f"{count} {word}"


def _row(label: str, before: str, now: str, difference: str) -> ComparedFigure:
    is_less = difference.endswith((" less", " missing"))
    return ComparedFigure(label=label, before=before, now=now, difference=difference, is_less=is_less)


def _sides(trip: VendorTrip, files: Sequence[WaitingFile]) -> list[Side]:
    before = {photo.text: photo.href for photo in trip.facts.handover.photos} if trip.facts.handover else {}
    now = {file.group: file.url for file in files}
    return [Side(name=side, before=before.get(side, ""), now=now.get(trip_upload(side), "")) for side in PUBLIC_GROUPS]


def _figure(number: int | None) -> str:
    return "" if number is None else str(number)


def _steps(noted: Noted, groups: set[str]) -> Mapping[str, bool]:
    return {
        "papers": set(noted.papers_seen or []) == set(PAPERS),
        "odometer": noted.odometer is not None and trip_upload(ODOMETER) in groups,
        "fuel": noted.fuel_eighths is not None,
        "photos": {trip_upload(group) for group in PUBLIC_GROUPS} <= groups,
        "helmets": noted.helmets is not None,
        "speedings": noted.speedings is not None,
    }


def settlement_text(settlement: SettlementAnswer, instant: datetime) -> SettlementText:
    """What a return would charge, before it is final."""
    then = OpenBalance(
        rent=settlement.balance.rent,
        deposit=settlement.balance.deposit,
        held=settlement.balance.held,
        vendor="you",
        return_at=instant,
        came_back=instant,
        ended=False,
        for_customer=False,
        policies=settlement.policies,
    )
    return SettlementText(
        outcome=_outcome(settlement, instant),
        lines=[_charged_line(line) for line in settlement.lines],
        sums=_sums(settlement, instant),
        fuel=fuel_less(settlement.fuel_missing),
        total=format_rupees(settlement.total),
        kept_of_deposit=format_rupees(settlement.kept_of_deposit),
        rent=then.rent_text,
        deposit=then.deposit_text,
    )


def _outcome(settlement: SettlementAnswer, instant: datetime) -> str:
    """What becomes of the deposit, and when: '₹1,030 kept, ₹970 back today, 8 to 9 PM'; or what is still to pay."""
    parts = [f"{format_rupees(settlement.kept_of_deposit)} kept"] if settlement.kept_of_deposit else []
    begin, end = clock.indian(settlement.deposit_back.begin), clock.indian(settlement.deposit_back.end)
    day = "today" if begin.date() == clock.indian_today(instant) else clock.friendly_day(begin.date())
    if settlement.balance.held > 0:
        parts.append(f"{format_rupees(settlement.balance.held)} back {day}, {begin:%-I} to {end:%-I %p}")
    if settlement.balance.rent:
        word = "still to pay" if settlement.balance.rent > 0 else "owed to the customer"
        parts.append(f"{format_rupees(abs(settlement.balance.rent))} {word}")
    return ", ".join(parts) or "Nothing to pay, nothing held"


def _sums(settlement: SettlementAnswer, instant: datetime) -> list[Fact]:
    """The deposit, what is kept of it, and what goes back."""
    held = settlement.balance.held + settlement.kept_of_deposit
    is_today = clock.indian_today(settlement.deposit_back.begin) == clock.indian_today(instant)
    back = "Back today" if is_today else "Back later"
    amounts = {"Deposit": held, "Kept": settlement.kept_of_deposit, back: settlement.balance.held}
    return [Fact(label=label, value=format_rupees(paise)) for label, paise in amounts.items()]


def _charged_line(line: SettlementLine) -> ChargedLine:
    word = word_of(line.kind)
    return ChargedLine(label=word, how="" if line.note == word else line.note, amount=format_rupees(line.amount))
