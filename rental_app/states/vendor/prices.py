"""Prices: the plans of the whole fleet as one form, and one vehicle's copied to others."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from rental_app.errors import ConflictError, InvalidInputError, RentalError
from rental_app.schemas.prices import CopyPrices, FleetPrices
from rental_app.schemas.validation import validated
from rental_app.services import fleet_prices, own_vehicles
from rental_app.services.accounts import Actor
from rental_app.states.base import PrivateState, read, write
from rental_app.states.events import close_dialog, error_toast, focus, plain_toast, success_toast
from rental_app.states.vendor.gate import vendor_action, vendor_change, vendor_load
from rental_app.views.texts import Choice
from rental_app.views.vendor.prices import FIGURES, ROWS, PriceRow, changed_cells, price_rows, with_now
from rental_app.views.vendor.vehicle_form import source_name

COPY = "copy-prices"
# Of a copying form: every vehicle but the source.
ALL = "all"
TARGET = "to."


class PricesState(PrivateState):
    """The vehicles on show with their plans; what is typed stays in the browser."""

    rows: list[PriceRow] = []
    choices: list[Choice] = []
    loaded: bool = False
    # Whether there are more vehicles than on show.
    more: bool = False
    # Every saving draws the form afresh.
    round: int = 0
    errors: dict[str, str] = {}
    saving: bool = False
    refusal: str = ""
    problem: str = ""
    _many: int = ROWS

    @vendor_load
    async def load(self, actor: Actor) -> None:
        """Show the prices; what is typed into vehicles that have not changed since stays."""
        await self._show(actor)

    def _failed(self, message: str) -> None:
        self.problem = message

    @vendor_action
    async def show_more(self, actor: Actor) -> None:
        """Show more vehicles."""
        self._many += ROWS
        await self._show(actor)

    @vendor_change
    async def save(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Save all that was changed, or nothing; what is refused is explained at its cell."""
        if self.saving:
            return
        changed = dict(changed_cells(form))
        self.errors = {}
        if not changed:
            yield plain_toast("Nothing has been changed")
            return
        self.saving = True
        yield
        try:
            told = await write(fleet_prices.change, actor, validated(FleetPrices, [*changed.values()]))
        except RentalError as error:
            for event in self._refused(error, [*changed]):
                yield event
            return
        finally:
            self.saving = False
        self.round += 1
        yield success_toast(told)
        await self._show(actor)

    @vendor_change
    async def copy_prices(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Give the plans of a vehicle to those chosen."""
        self.refusal = ""
        try:
            told = await write(fleet_prices.copy, actor, self._wish(form))
        except RentalError as error:
            self.refusal = error.message
            raise
        yield close_dialog(COPY)
        yield success_toast(told)
        await self._show(actor)

    def _wish(self, form: Mapping[str, Any]) -> CopyPrices:
        source = str(form.get("from") or "")
        known = [choice.value for choice in self.choices]
        chosen = [vehicle for vehicle in known if form.get(ALL) or form.get(f"{TARGET}{vehicle}")]
        targets = [vehicle for vehicle in chosen if vehicle != source]
        if not targets:
            raise InvalidInputError("Choose the vehicles that get the prices", fields={"to": "Choose a vehicle"})
        return validated(CopyPrices, {"from": source, "to": targets})

    def _refused(self, error: RentalError, names: Sequence[str]) -> list[Any]:
        """Keep what is wrong with each cell; gives the events that tell it and lead to the first."""
        if isinstance(now := error.details.get("prices"), list):
            self.rows = with_now(self.rows, now)
        self.errors = _beside(error, names)
        if not self.errors:
            return [error_toast(error.message)]
        told = error.message if isinstance(error, ConflictError) else "Please correct the prices marked in red"
        return [error_toast(told), focus(next(iter(self.errors)))]

    async def _show(self, actor: Actor) -> None:
        found = await read(own_vehicles.assets, actor)
        self.rows = price_rows(found[: self._many], self.rows)
        self.choices = [Choice(value=str(asset.id), label=source_name(asset)) for asset in found]
        self.problem, self.loaded, self.more = "", True, len(found) > self._many


def _beside(error: RentalError, names: Sequence[str]) -> dict[str, str]:
    """The messages by the form's fields; the service numbers the plans as they were sent."""
    beside: dict[str, str] = {}
    for place, text in error.fields.items():
        number, _, part = place.partition(".")
        if number.isdecimal() and int(number) < len(names):
            beside.setdefault(f"{names[int(number)]}.{part if part in FIGURES else FIGURES[0]}", text)
    return beside
