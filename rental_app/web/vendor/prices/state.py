"""Prices: the plans of the whole fleet as one form, and copying one vehicle's plans to others."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

import reflex as rx

from rental_app.domain.errors import InvalidInputError, RentalError
from rental_app.domain.money import counted
from rental_app.schemas.fleet import FleetQuery
from rental_app.schemas.prices import CopyPrices, FleetPrices
from rental_app.schemas.validation import validated
from rental_app.schemas.vehicles import Asset
from rental_app.services.accounts.actor import Actor
from rental_app.services.fleet import own_vehicles, prices, table
from rental_app.services.fleet.prices import PricesChangedError, PricesRefusedError
from rental_app.web.parts.sent_form.state import is_over
from rental_app.web.session.base import PrivateState, read, write
from rental_app.web.session.events import (
    close_dialog,
    error_toast,
    focus,
    plain_toast,
    refusal_toast,
    set_value,
    success_toast,
)
from rental_app.web.session.handlers import one_at_a_time
from rental_app.web.session.vendor_auth import manager_action, manager_change, manager_load
from rental_app.web.vendor.prices.presenter import (
    ROWS,
    PriceRow,
    VehicleChoice,
    changed_plans,
    drawn,
    field_of,
    is_faulty,
    plan_errors,
    price_rows,
    vehicle_choice,
    with_now,
)

COPY, SEARCH = "copy-prices", "prices-search"
# A field of the copying form: every vehicle but the source.
ALL = "all"
TARGET = "to."
CORRECT = "Please correct the prices marked in red"
_DRAWN, _NOT = "x", "-"


class ShownVehiclesState(rx.State):
    """The vehicles a tab has drawn, kept across a restart of the server: what is typed into them is still there."""

    # One mark for each of the vendor's vehicles, oldest first: little is accepted of what a tab keeps.
    marks: str = rx.SessionStorage("", name="drawn-prices")

    def _among(self, assets: Sequence[Asset]) -> set[int]:
        """The marked vehicles among the vendor's own; the tab may send anything."""
        oldest_first = sorted(asset.id for asset in assets)
        return {vehicle for vehicle, mark in zip(oldest_first, self.marks, strict=False) if mark == _DRAWN}

    def _keep(self, rows: Sequence[PriceRow], assets: Sequence[Asset]) -> None:
        ids = {row.id for row in rows}
        marks = "".join(_DRAWN if vehicle in ids else _NOT for vehicle in sorted(asset.id for asset in assets))
        # Even an unchanged value would be written to the browser's storage.
        if marks != self.marks:
            self.marks = marks


class PricesState(PrivateState):
    """The vehicles drawn with their plans; what is typed stays in the browser, so none of them is removed again."""

    rows: list[PriceRow] = []
    text: str = ""
    # The drawn vehicles that are visible because they match the text, and how many match it in all.
    visible: list[int] = []
    total: int = 0
    choices: list[VehicleChoice] = []
    # Those of them whose prices can be copied, and the one chosen in the dialog.
    sources: list[VehicleChoice] = []
    source: str = ""
    loaded: bool = False
    # Every save draws the form afresh.
    round: int = 0
    errors: dict[str, str] = {}
    busy: bool = False
    refusal: str = ""
    problem: str = ""

    @rx.var
    def count_line(self) -> str:
        """How many vehicles match."""
        return counted(self.total, "vehicle")

    @manager_load
    async def load(self, actor: Actor) -> None:
        """Show the prices; what is typed into vehicles that have not changed since stays."""
        self.errors = {}
        await self._show(actor)

    @manager_action
    async def show_more(self, actor: Actor) -> None:
        """Show more of the vehicles that match."""
        await self._show(actor, more=ROWS)

    @manager_action
    async def search(self, actor: Actor, text: str) -> None:
        """Show the vehicles that match a text."""
        self.text = validated(FleetQuery, {"text": text}).text
        await self._show(actor)

    @manager_action
    async def clear(self, actor: Actor) -> AsyncIterator[Any]:
        """Show all vehicles again."""
        yield set_value(SEARCH, "")
        self.text = ""
        await self._show(actor)

    @manager_change
    @one_at_a_time
    async def save(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Save all changes or none; refusals are explained at their cells."""
        # The second of two quick presses.
        if is_over(form, self.round):
            return
        changed = changed_plans(self.rows, form)
        self.errors = plan_errors(changed)
        if self.errors:
            for event in self._point_out(CORRECT):
                yield event
            return
        if not changed:
            yield plain_toast("Nothing has been changed")
            return
        yield
        try:
            message = await write(prices.change, actor, validated(FleetPrices, [plan.request for plan in changed]))
        except RentalError as error:
            for event in self._refused(error):
                yield event
            return
        self.round += 1
        yield success_toast(message)
        await self._show(actor)

    @manager_action
    async def begin_copy(self, _actor: Actor) -> None:
        """Clear an earlier refusal when the dialog is opened; its first source is chosen."""
        self.refusal, self.source = "", self.sources[0].value if self.sources else ""

    @manager_action
    async def choose_source(self, _actor: Actor, vehicle: str) -> None:
        """Offer all vehicles but the chosen source as targets."""
        self.source = vehicle

    @manager_change
    async def copy_prices(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Copy the plans of a vehicle to those chosen."""
        self.refusal = ""
        try:
            source = str(form.get("from") or "")
            ids = [choice.value for choice in self.choices]
            others = [vehicle for vehicle in ids if vehicle != source] if form.get(ALL) else []
            targets = others or [vehicle for vehicle in ids if form.get(f"{TARGET}{vehicle}")]
            if not targets:
                raise InvalidInputError("Choose the vehicles that get the prices", fields={"to": "Choose a vehicle"})
            message = await write(prices.copy, actor, validated(CopyPrices, {"from": source, "to": targets}))
        except RentalError as error:
            self.refusal = error.message
            raise
        yield close_dialog(COPY)
        yield success_toast(message)
        await self._show(actor)

    def _refused(self, error: RentalError) -> list[Any]:
        """Store what is wrong with which plan; return the events that report it."""
        if not isinstance(error, PricesRefusedError | PricesChangedError):
            return [refusal_toast(error)]
        self.errors = {field_of(key, "price"): text for key, text in error.plans.items()}
        if isinstance(error, PricesChangedError):
            self.rows = with_now(self.rows, error.now)
            return self._point_out(error.message)
        return self._point_out(CORRECT)

    def _point_out(self, message: str) -> list[Any]:
        """Show the rows with errors, whatever is searched; return the events that report and focus the first."""
        self.visible = [row.id for row in self.rows if row.id in self.visible or is_faulty(row, self.errors)]
        return [error_toast(message), focus(next(iter(self.errors)))]

    async def _show(self, actor: Actor, more: int = 0) -> None:
        assets, fits = await read(own_vehicles.assets, actor), await read(table.fitting, actor, self.text)
        fitting = [asset.id for asset in assets if asset.id in fits]
        tab = await self.get_state(ShownVehiclesState)
        wanted = drawn(fitting, {row.id for row in self.rows} or tab._among(assets), more)
        self.rows = price_rows([asset for asset in assets if asset.id in wanted], self.rows)
        self.visible, self.total = [vehicle for vehicle in fitting if vehicle in wanted], len(fitting)
        self.choices = [vehicle_choice(asset) for asset in assets]
        priced = {str(asset.id) for asset in assets if asset.is_priced}
        self.sources = [choice for choice in self.choices if choice.value in priced]
        tab._keep(self.rows, assets)
        self.problem, self.loaded = "", True
