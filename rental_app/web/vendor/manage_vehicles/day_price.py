"""The day's price of a vehicle, changed in its row of Manage Vehicles."""

from collections.abc import AsyncIterator
from typing import Any

from rental_app.domain.errors import RentalError
from rental_app.domain.pricing import FULL_DAY
from rental_app.schemas.prices import FleetPrices
from rental_app.schemas.validation import validated
from rental_app.services.accounts.actor import Actor
from rental_app.services.fleet import prices
from rental_app.services.fleet.prices import PricesChangedError, PricesRefusedError
from rental_app.web.session.base import PrivateState, write
from rental_app.web.session.events import error_toast, focus, success_toast
from rental_app.web.session.vendor_auth import manager_action, manager_change
from rental_app.web.vendor.manage_vehicles.presenter import rupees_text
from rental_app.web.vendor.manage_vehicles.state import FleetState


class DayPriceState(PrivateState):
    """The vehicle whose price is being typed, 0 for none, and the price that was shown; blank for none."""

    vehicle: int = 0
    shown: str = ""
    error: str = ""

    @manager_action
    async def begin(self, _actor: Actor, vehicle_id: int) -> None:
        """Open the field in a vehicle's row."""
        lines = (await self.get_state(FleetState)).lines
        if line := next((line for line in lines if line.id == vehicle_id), None):
            self.vehicle, self.shown, self.error = line.id, line.day_price, ""

    @manager_action
    async def forget(self, _actor: Actor) -> None:
        """Start every visit to the page with no field open."""
        self.vehicle, self.error = 0, ""

    @manager_action
    async def leave(self, _actor: Actor) -> AsyncIterator[Any]:
        """Close the field; the price stays as it is."""
        yield self._closed()

    @manager_change
    async def save(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Save what was typed, unless somebody else has changed the price since it was shown."""
        typed = str(form.get("day-price") or "").strip()
        if not self.vehicle:
            return
        if typed == self.shown:
            yield self._closed()
            return
        plan = {"vehicle": self.vehicle, "price_name": FULL_DAY, "price": typed, "shown": {"price": self.shown}}
        try:
            await write(prices.change, actor, validated(FleetPrices, [plan]))
        except RentalError as error:
            of_plans = error.plans if isinstance(error, PricesRefusedError | PricesChangedError) else {}
            self.error = next(iter([*of_plans.values(), *error.fields.values()]), error.message)
            # A vendor who has been shown the new price may overwrite it.
            if isinstance(error, PricesChangedError):
                self.shown = rupees_text(error.now[0].price_paise)
            yield error_toast(self.error)
            return
        yield self._closed()
        yield success_toast("Price saved")
        yield FleetState.load

    def _closed(self) -> Any:
        button, self.vehicle, self.error = button_id(self.vehicle), 0, ""
        return focus(button)


def button_id(vehicle: object) -> str:
    """The id of the button that opens the field of a vehicle."""
    return f"day-price-{vehicle}"
