"""The sheet with a vehicle's maintenance: what was done, what it cost, what is due, and a form for more."""

from collections.abc import AsyncIterator
from typing import Any

from rental_app.domain.errors import RentalError
from rental_app.domain.ids import read_id
from rental_app.domain.money import grouped
from rental_app.schemas.fleet import MaintenanceIn
from rental_app.schemas.validation import validated
from rental_app.services.accounts.actor import Actor
from rental_app.services.fleet import maintenance, own_vehicles
from rental_app.web.session.base import PrivateState, read, write
from rental_app.web.session.events import focus, keep_in_address, open_dialog, success_toast
from rental_app.web.session.handlers import form_handler
from rental_app.web.session.vendor_auth import manager_action, manager_change, manager_load
from rental_app.web.vendor.manage_vehicles.maintenance_presenter import EntryLine, entry_line, year_line
from rental_app.web.vendor.manage_vehicles.state import known_id

MAINTENANCE = "maintenance"
FIELDS = ("kind", "doneOn", "odometer", "cost", "note", "nextOn", "nextKm")


class MaintenanceState(PrivateState):
    """The vehicle in the sheet, 0 for none; the entry being changed, 0 for a new one; and the one asked about."""

    vehicle: int = 0
    title: str = ""
    entries: list[EntryLine] = []
    years: list[str] = []
    odometer: str = ""
    entry: int = 0
    asked: int = 0
    # Every save draws the form afresh.
    round: int = 0
    form: dict[str, str] = {}
    errors: dict[str, str] = {}
    busy: bool = False

    @manager_load
    async def arrive(self, actor: Actor) -> AsyncIterator[Any]:
        """Open the sheet of the vehicle that the page's address names, as links from elsewhere do."""
        if vehicle := read_id(str(self.router.url.query_parameters.get("maintenance", ""))):
            await self._take(actor, vehicle)
            # This is done again after a lost connection, when the sheet may have been closed.
            yield keep_in_address("/vendor/manage-vehicles")
            yield open_dialog(MAINTENANCE)

    def _failed(self, _message: str) -> None:
        """The table says why the page could not be loaded."""

    @manager_action
    async def begin(self, actor: Actor, vehicle: int) -> AsyncIterator[Any]:
        """Open the sheet of a vehicle."""
        await self._take(actor, known_id(vehicle))
        yield open_dialog(MAINTENANCE)

    @manager_action
    async def regain(self, actor: Actor, vehicle: int, _draft: str) -> None:
        """Show the open sheet again after the server has lost it."""
        await self._take(actor, known_id(vehicle))

    @manager_action
    async def edit(self, _actor: Actor, entry: int) -> AsyncIterator[Any]:
        """Fill the form with an entry."""
        if line := next((line for line in self.entries if line.id == entry), None):
            self._fill(line.id, line.form)
            yield focus(field_id("cost"))

    @manager_action
    async def leave(self, _actor: Actor) -> None:
        """Empty the form."""
        self._fill(0, {})

    @manager_change
    @form_handler()
    async def save(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Note what was done, or change what was noted."""
        vehicle, entry = (read_id(str(form.get(name) or "")) for name in ("vehicle_id", "entry_id"))
        texts = {name: str(form.get(name) or "").strip()[:300] for name in FIELDS}
        request = validated(MaintenanceIn, texts)
        if entry:
            await write(maintenance.change, actor, vehicle, entry, request)
        else:
            await write(maintenance.add, actor, vehicle, request)
        yield success_toast(maintenance.CHANGED if entry else maintenance.NOTED)
        await self._take(actor, vehicle)

    def _begins(self, _form: object) -> bool:
        self.errors = {}
        return True

    async def _refused(self, error: RentalError) -> AsyncIterator[Any]:
        self.errors = {name: error.fields[name] for name in FIELDS if name in error.fields}
        if self.errors:
            yield focus(field_id(next(iter(self.errors))))
        raise error

    @manager_action
    async def ask_remove(self, _actor: Actor, entry: int) -> None:
        """Ask before an entry is removed, in its line; 0 keeps it."""
        self.asked = entry

    @manager_change
    async def remove(self, actor: Actor, entry: int) -> AsyncIterator[Any]:
        """Remove an entry."""
        yield success_toast(await write(maintenance.remove, actor, self.vehicle, known_id(entry)))
        await self._take(actor, self.vehicle)

    async def _take(self, actor: Actor, vehicle_id: int) -> None:
        car = await read(own_vehicles.own_vehicle, actor, vehicle_id)
        answer = await read(maintenance.of_vehicle, actor, vehicle_id)
        self.vehicle, self.title = car.id, f"{car.title}, {car.rc_number}"
        self.entries = [entry_line(entry) for entry in answer.entries]
        self.years = [year_line(year) for year in answer.years]
        self.odometer = f"{grouped(answer.odometer_km)} km"
        self._fill(0, {})

    def _fill(self, entry: int, form: dict[str, str]) -> None:
        self.entry, self.form, self.errors, self.asked = entry, form, {}, 0
        self.round += 1


def field_id(name: str) -> str:
    """The id of a field of the sheet."""
    return f"maintenance-{name}"
