"""The dialogs of Manage Vehicles: Edit Vehicle, and a vehicle's papers and photos."""

from collections.abc import AsyncIterator
from typing import Any

import reflex as rx

from rental_app.schemas.listing import VendorVehicle
from rental_app.schemas.vehicles import FileView
from rental_app.services import own_vehicles
from rental_app.services.accounts import Actor
from rental_app.states.base import PrivateState, read
from rental_app.states.events import close_dialog, error_toast, open_dialog, success_toast
from rental_app.states.vendor.gate import vendor_action
from rental_app.states.vendor.manage_vehicles import FleetState, known_id
from rental_app.states.vendor.vehicle_form import VehicleForm, message_of
from rental_app.views.vendor.vehicle_form import form_values

EDIT, FILES = "edit-vehicle", "vehicle-files"


class EditVehicleState(VehicleForm, PrivateState):
    """The dialog Edit Vehicle."""

    title: str = ""
    base: dict[str, int] = {}

    @vendor_action
    async def edit(self, actor: Actor, vehicle_id: int) -> AsyncIterator[Any]:
        """Open the dialog with a vehicle's data."""
        vehicle = await read(own_vehicles.mine, actor, known_id(vehicle_id))
        self._start_again()
        self._take(vehicle)
        for toast in await self._load_lists(actor):
            yield toast
        yield open_dialog(EDIT)

    @vendor_action
    async def answered(self, _actor: Actor, answer: dict[str, Any]) -> AsyncIterator[Any]:
        """Show what the server said to the changes; after a success the dialog closes."""
        if answer.get("success") is not True:
            self._take_errors(answer)
            yield error_toast(message_of(answer))
            return
        yield close_dialog(EDIT)
        yield success_toast(message_of(answer))
        yield FleetState.load

    def _take(self, vehicle: VendorVehicle) -> None:
        self.values = form_values(vehicle)
        self.title = vehicle.title
        self.base = {"id": vehicle.id}
        self.extra_payment = vehicle.drop_off_pick_extra_payment
        self.type_id, self.manufacturer_id = str(vehicle.type_id), str(vehicle.manufacturer_id)
        self.model_id = str(vehicle.model_id)
        self._prices = {price.price_name: price for price in vehicle.prices}


class VehicleFilesState(PrivateState):
    """The dialog with a vehicle's papers and photos."""

    title: str = ""
    base: dict[str, int] = {}
    files: list[FileView] = []

    @vendor_action
    async def show(self, actor: Actor, vehicle_id: int) -> rx.event.EventSpec:
        """Open the dialog with a vehicle's files."""
        vehicle = await read(own_vehicles.mine, actor, known_id(vehicle_id))
        self.title = f"{vehicle.title}, {vehicle.rc_number}"
        # Only files are sent: the vehicle's data may have been edited elsewhere since.
        self.base, self.files = {"id": vehicle.id}, vehicle.files
        return open_dialog(FILES)

    @vendor_action
    async def answered(self, _actor: Actor, answer: dict[str, Any]) -> AsyncIterator[Any]:
        """Show what the server said to the files; after a success the dialog closes."""
        if answer.get("success") is not True:
            yield error_toast(message_of(answer))
            return
        yield close_dialog(FILES)
        yield success_toast(message_of(answer))
        yield FleetState.load
