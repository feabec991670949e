"""A fleet's plans as one table, and the changes made in it."""

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

from pydantic import BaseModel

from rental_app.domain.money import to_rupees
from rental_app.domain.pricing import PLAN_NAMES, order_of
from rental_app.schemas.prices import FleetPrice
from rental_app.schemas.validation import ticked
from rental_app.schemas.vehicles import Asset, VendorPrice
from rental_app.web.parts.presenters.texts import Choice
from rental_app.web.parts.vehicle_form.presenter import source_name

# How many vehicles are shown before "Show more".
ROWS = 25
FIGURES = ("price", "kms_limit")
_PARTS = (*FIGURES, "status")
_INDEXES = {str(index) for index in range(len(PLAN_NAMES))}


class PriceCell(BaseModel):
    """A plan of a vehicle: the `name` its fields begin with, their initial texts, and the whole plan as it is stored.

    Without a price it is not a plan yet, and cannot be switched.
    """

    name: str
    price: str
    kms_limit: str
    active: bool
    is_plan: bool
    shown: str


class VehicleChoice(Choice):
    """A vehicle to copy prices from or to, with the parts of its label."""

    title: str
    rc_number: str


class PriceRow(BaseModel):
    """A vehicle with its plans in the order of PLAN_NAMES; a new `version` is drawn afresh."""

    id: int
    version: int
    title: str
    rc_number: str
    cells: list[PriceCell]


def vehicle_choice(asset: Asset) -> VehicleChoice:
    """A vehicle as its vendor chooses it."""
    return VehicleChoice(value=str(asset.id), label=source_name(asset), title=_title(asset), rc_number=asset.rc_number)


def price_rows(assets: Sequence[Asset], before: Sequence[PriceRow]) -> list[PriceRow]:
    """The rows of vehicles; those that have changed since they were shown `before` are new versions."""
    known = {row.id: row for row in before}
    return [_row(asset, known.get(asset.id)) for asset in assets]


def drawn(fitting: Sequence[int], before: Set[int], more: int) -> set[int]:
    """The vehicles to draw: those drawn before, as only the browser has what is typed into them, and some that match.

    The first ROWS that match are among them, or this many `more`.
    """
    fresh = [vehicle for vehicle in fitting if vehicle not in before]
    return {*before, *fresh[: max(more, ROWS - len(fitting) + len(fresh))]}


def _row(asset: Asset, known: PriceRow | None) -> PriceRow:
    plans = {price.price_name: price for price in asset.prices}
    cells = [_cell(f"{asset.id}.{index}", plans.get(plan)) for index, plan in enumerate(PLAN_NAMES)]
    version = known.version + (known.cells != cells) if known else 0
    return PriceRow(id=asset.id, version=version, title=_title(asset), rc_number=asset.rc_number, cells=cells)


def _title(asset: Asset) -> str:
    return f"{asset.asset_manufacturer} {asset.asset_model.name}"


def _cell(name: str, plan: VendorPrice | None) -> PriceCell:
    shown = _written(plan)
    price, kms_limit, status = map(_text, shown.split(" "))
    return PriceCell(
        name=name, price=price, kms_limit=kms_limit, active=status == "Active", is_plan=bool(price), shown=shown
    )


def _written(plan: VendorPrice | None) -> str:
    """A plan as it is sent with the form; without one, as `ShownPrice` has it."""
    return f"{to_rupees(plan.price_paise)} {plan.kms_limit} {plan.status}" if plan else "0 0 Inactive"


def with_now(rows: Sequence[PriceRow], now: Sequence[FleetPrice]) -> list[PriceRow]:
    """The rows with the current plans behind them: vendors who were told of these may overwrite them."""
    stored = {f"{price.vehicle}.{order_of(price.price_name)}": _written(price) for price in now}
    return [row.model_copy(update={"cells": [_behind(cell, stored) for cell in row.cells]}) for row in rows]


def _behind(cell: PriceCell, stored: Mapping[str, str]) -> PriceCell:
    return cell.model_copy(update={"shown": stored.get(cell.name, cell.shown)})


def changed_cells(form: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The cells of a form that differ from what was shown, by their names, as plans that the service takes."""
    for key in form:
        name, _, part = key.rpartition(".")
        vehicle, _, index = name.partition(".")
        shown = str(form[key]).split(" ")
        if part != "shown" or index not in _INDEXES or len(shown) != len(_PARTS):
            continue
        typed = _typed(form, name, shown)
        if typed != [_text(figure) for figure in shown]:
            plan = {"vehicle": vehicle, "price_name": PLAN_NAMES[int(index)]}
            yield name, plan | dict(zip(_PARTS, typed, strict=True)) | {"shown": dict(zip(_PARTS, shown, strict=True))}


def _typed(form: Mapping[str, Any], name: str, shown: Sequence[str]) -> list[str]:
    price, kms_limit = (str(form.get(f"{name}.{figure}") or "").strip() for figure in FIGURES)
    if _text(shown[0]):
        status = "Active" if ticked(form, f"{name}.status") else "Inactive"
    else:
        # A price typed where there was none puts the plan on offer.
        status = "Active" if price else shown[2]
    return [price, kms_limit, status]


def _text(figure: str) -> str:
    """A stored figure as its field has it."""
    return "" if figure == "0" else figure
