"""Handover and return as their vendor sees them: in progress, and what they would cost."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from pydantic import BaseModel

from rental_app.content.account_words import word_of
from rental_app.domain.money import format_rupees
from rental_app.domain.settlement import BREAKDOWN
from rental_app.domain.uploads import DAMAGE_GROUP, PUBLIC_GROUPS, trip_upload
from rental_app.schemas.readings import PAPERS, SettlementAnswer, SettlementLine
from rental_app.schemas.trip_drafts import Noted
from rental_app.schemas.uploads import UploadView
from rental_app.services.bookings.open_balance import OpenBalance
from rental_app.web.parts.presenters.texts import Choice, Fact
from rental_app.web.parts.presenters.trip_words import eighths, fuel_less
from rental_app.web.parts.presenters.uploads import WaitingFile, waiting_files

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


class SettlementText(BaseModel):
    """What a return now would charge; `fuel` is what is missing of it, '' for nothing."""

    lines: list[Fact]
    fuel: str
    total: str
    kept: str
    rent: str
    deposit: str


def draft(noted: Noted, waiting: Sequence[UploadView], kind: str) -> Draft:
    """The draft of a handover or return, with those of its photos that are still there."""
    files = waiting_files(waiting, {photo.id: photo.name for photo in noted.sent})
    done = [step for step, is_done in _steps(noted, {file.group for file in files}).items() if is_done]
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
        missing=", ".join(title for step, title in needed.items() if step not in done),
    )


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


def settlement_text(found: SettlementAnswer, instant: datetime) -> SettlementText:
    """What a return would charge, before it is final."""
    then = OpenBalance(
        rent=found.balance.rent,
        deposit=found.balance.deposit,
        held=found.balance.held,
        vendor="you",
        return_at=instant,
        came_back=instant,
        ended=False,
        for_customer=False,
    )
    return SettlementText(
        lines=[Fact(label=_label(line), value=format_rupees(line.amount)) for line in found.lines],
        fuel=fuel_less(found.fuel_missing),
        total=format_rupees(found.total),
        kept=format_rupees(found.kept_of_deposit),
        rent=then.rent_text,
        deposit=then.deposit_text,
    )


def _label(line: SettlementLine) -> str:
    return ": ".join(dict.fromkeys((word_of(line.kind), line.note)))
