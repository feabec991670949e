"""The dialog that renews a paper of one vehicle, and the question before one is retired."""

from collections.abc import AsyncIterator
from datetime import date
from typing import Any

from rental_app.domain.errors import RentalError
from rental_app.domain.ids import read_id
from rental_app.schemas.fleet import RenewRequest
from rental_app.schemas.uploads import uploads_of
from rental_app.schemas.validation import validated
from rental_app.schemas.vehicles import VendorVehicle
from rental_app.services.accounts.actor import Actor
from rental_app.services.files.checks import CheckedUploads
from rental_app.services.fleet import own_vehicles, renewal, retirement
from rental_app.services.fleet.renewal import LAST_DAYS
from rental_app.web.parts.presenters.bookings import in_the_way
from rental_app.web.parts.presenters.texts import Link
from rental_app.web.parts.sent_form.state import FormWithFiles
from rental_app.web.session.base import PrivateState, read, write
from rental_app.web.session.browser_drafts import read_draft
from rental_app.web.session.events import close_dialog, keep_in_address, open_dialog, success_toast
from rental_app.web.session.handlers import form_handler
from rental_app.web.session.vendor_auth import manager_action, manager_change, manager_load
from rental_app.web.vendor.manage_vehicles.state import FleetState, known_id

RENEW, RETIRE = "renew-paper", "retire-vehicle"


class RenewState(FormWithFiles, PrivateState):
    """The vehicle in the dialog, 0 for none, which of its papers is renewed, and until when that is valid now."""

    vehicle: int = 0
    title: str = ""
    paper: str = "Insurance"
    shown: str = ""
    valid: str = ""
    _days: dict[str, str] = {}

    @manager_load
    async def arrive(self, actor: Actor) -> AsyncIterator[Any]:
        """Open the dialog for the vehicle that the page's address names, as links from elsewhere do."""
        query = self.router.url.query_parameters
        if vehicle := read_id(str(query.get("renew", ""))):
            await self._take(actor, vehicle, str(query.get("paper", "")))
            # This is done again after a lost connection, when the dialog may have been closed.
            yield keep_in_address("/vendor/manage-vehicles")
            yield open_dialog(RENEW)

    def _failed(self, _message: str) -> None:
        """The table says why the page could not be loaded."""

    @manager_action
    async def begin(self, actor: Actor, vehicle: int) -> AsyncIterator[Any]:
        """Open the dialog with the paper that expires first."""
        await self._take(actor, known_id(vehicle))
        yield open_dialog(RENEW)

    @manager_action
    async def regain(self, actor: Actor, vehicle: int, draft: str) -> AsyncIterator[Any]:
        """Show the open dialog again after the server has lost it, and its form's uploads."""
        form = read_draft(draft)
        await self._take(actor, known_id(vehicle), form.get("paper", ""))
        for toast in await self._find_files(actor, form):
            yield toast

    @manager_action
    async def choose(self, _actor: Actor, paper: str) -> None:
        """Renew another paper."""
        self._choose(paper)

    @manager_change
    @form_handler()
    async def submit(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Renew the paper, its day and its files together."""
        paper: Any = str(form.get("paper") or "")
        asked = {"paper": paper, "validUntil": form.get("validUntil") or "", "shown": form.get("shown") or ""}
        chosen = uploads_of(form, [paper] if paper in LAST_DAYS else [])
        sent = CheckedUploads(ahead={group: [upload.id for upload in files] for group, files in chosen.items()})
        request = validated(RenewRequest, asked)
        message = await write(renewal.renew, actor, read_id(str(form.get("vehicle_id") or "")), request, sent)
        self.round += 1
        yield close_dialog(RENEW)
        yield success_toast(message)
        yield FleetState.load

    async def _take(self, actor: Actor, vehicle_id: int, paper: str = "") -> None:
        vehicle: VendorVehicle = await read(own_vehicles.own_vehicle, actor, vehicle_id)
        self.title, self.vehicle = f"{vehicle.title}, {vehicle.rc_number}", vehicle.id
        self._days = {name: getattr(vehicle, column).isoformat() for name, column in LAST_DAYS.items()}
        self.errors, self.waiting = {}, []
        self._choose(paper if paper in self._days else min(self._days, key=lambda name: self._days[name]))

    def _choose(self, paper: str) -> None:
        if paper in self._days:
            self.paper, self.shown = paper, self._days[paper]
            day = date.fromisoformat(self.shown)
            self.valid = f"Valid until {day.day} {day:%b %Y} now"


class RetireState(PrivateState):
    """The vehicle that may be retired, and the bookings for which it could not be."""

    vehicle: int = 0
    title: str = ""
    in_the_way: list[Link] = []

    @manager_action
    async def ask(self, actor: Actor, vehicle: int) -> AsyncIterator[Any]:
        """Ask before a vehicle is retired."""
        car = await read(own_vehicles.own_vehicle, actor, known_id(vehicle))
        self.vehicle, self.title, self.in_the_way = car.id, f"{car.title}, {car.rc_number}", []
        yield open_dialog(RETIRE)

    @manager_change
    async def retire(self, actor: Actor) -> AsyncIterator[Any]:
        """Retire the vehicle asked about; a refusal lists its bookings in the dialog."""
        try:
            message = await write(retirement.retire, actor, self.vehicle)
        except RentalError as error:
            self.in_the_way = in_the_way(error)
            raise
        yield close_dialog(RETIRE)
        yield success_toast(message)
        yield FleetState.load

    @manager_change
    async def bring_back(self, actor: Actor, vehicle: int) -> AsyncIterator[Any]:
        """Take a retired vehicle back."""
        yield success_toast(await write(retirement.bring_back, actor, known_id(vehicle)))
        yield FleetState.load
