"""A fleet's plans as one table, and the changes made in it."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from rental_app.domain.errors import InvalidInputError
from rental_app.domain.money import to_rupees
from rental_app.domain.pricing import PLAN_NAMES, plan_sort_key
from rental_app.schemas.prices import FleetPrice, FleetPriceIn, PlanKey
from rental_app.schemas.validation import ticked, validated
from rental_app.schemas.vehicles import Asset, VendorPrice
from rental_app.web.parts.presenters.texts import Choice
from rental_app.web.parts.vehicle_form.presenter import source_name

# How many vehicles are shown before "Show more".
ROWS = 25
FIGURES = ("price", "kms_limit")


class PlanFigures(BaseModel):
    """A plan as texts: rupees, kilometres, Active or Inactive; the defaults mean no plan."""

    price: str = ""
    kms_limit: str = ""
    status: str = "Inactive"


@dataclass(frozen=True, slots=True)
class TypedPlan:
    """What was typed for a plan, and what was shown for it before."""

    key: PlanKey
    typed: PlanFigures
    shown: PlanFigures

    @property
    def request(self) -> dict[str, Any]:
        """The change, as the service's `FleetPriceIn` takes it."""
        return {**self.key._asdict(), **self.typed.model_dump(), "shown": self.shown.model_dump()}


class PriceCell(BaseModel):
    """A plan of a vehicle: the `name` its fields begin with, their initial texts, and the plan as it is stored.

    Without a price it is not a plan yet, and cannot be switched.
    """

    name: str
    plan: str
    price: str
    kms_limit: str
    active: bool
    is_plan: bool
    shown: PlanFigures


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
    earlier = {row.id: row for row in before}
    return [_row(asset, earlier.get(asset.id)) for asset in assets]


def drawn(fitting: Sequence[int], before: Set[int], more: int) -> set[int]:
    """The vehicles to draw: those drawn before, as only the browser has what is typed into them, and some that match.

    The first ROWS that match are among them, or this many `more`.
    """
    fresh = [vehicle for vehicle in fitting if vehicle not in before]
    return {*before, *fresh[: max(more, ROWS - len(fitting) + len(fresh))]}


def _row(asset: Asset, earlier: PriceRow | None) -> PriceRow:
    plans = {price.price_name: price for price in asset.prices}
    cells = [_cell(PlanKey(asset.id, plan), plans.get(plan)) for plan in PLAN_NAMES]
    version = earlier.version + (earlier.cells != cells) if earlier else 0
    return PriceRow(id=asset.id, version=version, title=_title(asset), rc_number=asset.rc_number, cells=cells)


def _title(asset: Asset) -> str:
    return f"{asset.asset_manufacturer} {asset.asset_model.name}"


def _cell(key: PlanKey, plan: VendorPrice | None) -> PriceCell:
    shown = _figures(plan)
    return PriceCell(
        name=_name(key),
        plan=key.price_name,
        price=shown.price,
        kms_limit=shown.kms_limit,
        active=shown.status == "Active",
        is_plan=bool(shown.price),
        shown=shown,
    )


def _name(key: PlanKey) -> str:
    """What the names of a plan's fields begin with; they are put together, and never taken apart again."""
    return f"{key.vehicle}.{plan_sort_key(key.price_name)}"


def field_of(key: PlanKey, part: str) -> str:
    """The name of the field of a part of a plan."""
    return f"{_name(key)}.{part}"


def _figures(plan: VendorPrice | None) -> PlanFigures:
    if plan is None:
        return PlanFigures()
    price, kms_limit = (str(figure or "") for figure in (to_rupees(plan.price_paise), plan.kms_limit))
    return PlanFigures(price=price, kms_limit=kms_limit, status=plan.status)


def with_now(rows: Sequence[PriceRow], now: Sequence[FleetPrice]) -> list[PriceRow]:
    """The rows with the current plans behind them: vendors who were told of these may overwrite them."""
    stored = {price.key: _figures(price) for price in now}
    return [
        row.model_copy(
            update={
                "cells": [
                    cell.model_copy(update={"shown": stored.get(PlanKey(row.id, cell.plan), cell.shown)})
                    for cell in row.cells
                ]
            }
        )
        for row in rows
    ]


def changed_plans(rows: Sequence[PriceRow], form: Mapping[str, Any]) -> list[TypedPlan]:
    """The plans of the rows that a form has differently from what was shown."""
    cells = [(row, cell) for row in rows for cell in row.cells if f"{cell.name}.price" in form]
    plans = [_typed_plan(PlanKey(row.id, cell.plan), cell, form) for row, cell in cells]
    return [plan for plan in plans if plan.typed != plan.shown]


def _typed_plan(key: PlanKey, cell: PriceCell, form: Mapping[str, Any]) -> TypedPlan:
    sent = {part: str(form.get(f"{cell.name}.shown_{part}", text)) for part, text in cell.shown.model_dump().items()}
    shown = PlanFigures.model_validate(sent)
    price, kms_limit = (str(form.get(field_of(key, figure)) or "").strip() for figure in FIGURES)
    if shown.price:
        status = "Active" if ticked(form, field_of(key, "status")) else "Inactive"
    else:
        # A price typed where there was none puts the plan on offer.
        status = "Active" if price else shown.status
    return TypedPlan(key, PlanFigures(price=price, kms_limit=kms_limit, status=status), shown)


def plan_errors(plans: Sequence[TypedPlan]) -> dict[str, str]:
    """What is wrong with plans by themselves, by the names of their fields."""
    errors: dict[str, str] = {}
    for plan in plans:
        try:
            validated(FleetPriceIn, plan.request)
        except InvalidInputError as error:
            for part, text in error.fields.items():
                errors.setdefault(field_of(plan.key, part if part in FIGURES else FIGURES[0]), text)
    return errors


def is_faulty(row: PriceRow, errors: Mapping[str, str]) -> bool:
    """Whether something is wrong with a vehicle's plans."""
    return any(f"{cell.name}.{figure}" in errors for cell in row.cells for figure in FIGURES)
