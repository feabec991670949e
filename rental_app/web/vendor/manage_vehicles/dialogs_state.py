"""The dialogs of Manage Vehicles: Edit Vehicle, and a vehicle's papers and photos."""

from collections.abc import AsyncIterator
from typing import Any

import reflex as rx

from rental_app.infrastructure.db import run
from rental_app.schemas.vehicles import FileView, VendorVehicle
from rental_app.services.accounts import profile
from rental_app.services.accounts.actor import Actor
from rental_app.services.files import storage
from rental_app.services.files.checks import CheckedUploads
from rental_app.services.fleet import own_vehicles, vehicles
from rental_app.web.parts.sent_form.state import FormWithFiles, SentForm, data_of, dropped_of, sent_of
from rental_app.web.parts.vehicle_form.presenter import form_values
from rental_app.web.parts.vehicle_form.state import VehicleForm
from rental_app.web.session.base import PrivateState, read, write
from rental_app.web.session.browser_drafts import read_draft
from rental_app.web.session.events import close_dialog, info_toast, open_dialog, success_toast
from rental_app.web.session.handlers import form_handler
from rental_app.web.session.vendor_auth import manager_action, manager_change
from rental_app.web.vendor.manage_vehicles.state import FleetState, known_id

EDIT, FILES = "edit-vehicle", "vehicle-files"
REGAINED = "The changes you had not saved are filled in again"


class _Dialog(SentForm, mixin=True):
    """A dialog about one vehicle, whose id is sent with its form."""

    title: str = ""
    vehicle_id: int = 0

    async def _send(
        self, actor: Actor, form: dict[str, Any], data: dict[str, Any], sent: CheckedUploads, name: str
    ) -> AsyncIterator[Any]:
        """Change the vehicle; on success the dialog of that name closes."""
        done = await write(vehicles.change, actor, data | {"id": form.get("vehicle_id")}, sent)
        await run(storage.remove, done.unused)
        self.round += 1
        yield close_dialog(name)
        yield success_toast(done.message)
        yield FleetState.load


class EditVehicleState(VehicleForm, _Dialog, PrivateState):
    """The dialog Edit Vehicle."""

    @manager_action
    async def edit(self, actor: Actor, vehicle_id: int) -> AsyncIterator[Any]:
        """Open the dialog with a vehicle's data."""
        await self._take(actor, vehicle_id)
        for toast in await self._load_lists(actor):
            yield toast
        yield open_dialog(EDIT)

    @manager_action
    async def regain(self, actor: Actor, vehicle_id: int, draft: str) -> AsyncIterator[Any]:
        """Fill the open dialog again, with what its form held before a reload or before the server lost it."""
        if self.vehicle_id:
            # Opened again after a reload: another form replaces this one, with other values.
            self.vehicle_id = 0
            yield info_toast(REGAINED)
        await self._take(actor, vehicle_id)
        # The choices come first: the lists depend on them.
        for toast in [*await self._fill(actor, read_draft(draft)), *await self._load_lists(actor)]:
            yield toast

    @manager_change
    @form_handler()
    def submit(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Change all but the vehicle's files."""
        return self._send(actor, form, data_of(form), CheckedUploads(), EDIT)

    async def _take(self, actor: Actor, vehicle_id: int) -> None:
        vehicle: VendorVehicle = await read(own_vehicles.own_vehicle, actor, known_id(vehicle_id))
        place = await read(profile.service_location, actor)
        self._start_again()
        self.elsewhere = bool(vehicle.own_address) or vehicle.service_location != place
        self.values, self._listed_as = form_values(vehicle), form_values(vehicle)
        self.title = vehicle.title
        self.vehicle_id = vehicle.id
        self.extra_payment = vehicle.drop_off_pick_extra_payment
        self.type_id, self.manufacturer_id = str(vehicle.type_id), str(vehicle.manufacturer_id)
        self.model_id = str(vehicle.model_id)
        self._prices = {price.price_name: price for price in vehicle.prices}


class VehicleFilesState(_Dialog, FormWithFiles, PrivateState):
    """The dialog with a vehicle's papers and photos."""

    files: list[FileView] = []
    replaced: list[FileView] = []

    @manager_action
    async def show(self, actor: Actor, vehicle_id: int) -> rx.event.EventSpec:
        """Open the dialog with a vehicle's files."""
        await self._take(actor, vehicle_id)
        return open_dialog(FILES)

    @manager_action
    async def show_again(self, actor: Actor, vehicle_id: int, draft: str) -> AsyncIterator[Any]:
        """Show the stored files in the open dialog again after the server has lost it, and its form's uploads."""
        await self._take(actor, vehicle_id)
        for toast in await self._find_files(actor, read_draft(draft)):
            yield toast

    @manager_change
    @form_handler()
    async def submit(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Change the files alone: the vehicle's data may have been edited elsewhere since."""
        async for event in self._send(actor, form, {"drop_files": dropped_of(form)}, sent_of(form), FILES):
            yield event

    async def _take(self, actor: Actor, vehicle_id: int) -> None:
        vehicle = await read(own_vehicles.own_vehicle, actor, known_id(vehicle_id))
        self.title = f"{vehicle.title}, {vehicle.rc_number}"
        self.replaced = vehicle.replaced_files
        self.vehicle_id, self.files, self.waiting, self.errors = vehicle.id, vehicle.files, [], {}
