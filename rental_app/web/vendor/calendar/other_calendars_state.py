"""The vendor's calendars for other programs, and those of other platforms that are read."""

from collections.abc import AsyncIterator
from typing import Any

from rental_app.domain.errors import NotFoundError, RentalError
from rental_app.domain.ids import read_id
from rental_app.schemas.calendars import FeedRequest, ImportRequest
from rental_app.schemas.validation import validated
from rental_app.services.accounts.actor import Actor
from rental_app.services.calendar.ical import feeds, imports
from rental_app.services.fleet import own_vehicles
from rental_app.web.parts.presenters.texts import Choice
from rental_app.web.session.base import PrivateState, read, removed, write
from rental_app.web.session.events import close_dialog, focus, open_dialog, set_value, success_toast
from rental_app.web.session.vendor_auth import manager_action, manager_change, manager_load
from rental_app.web.vendor.calendar.other_calendars_presenter import FeedRow, ImportRow, feed_row, import_row

VEHICLE, URL = "import-vehicle", "import-url"
REVOKE, REMOVE = "revoke-feed", "remove-import"


class OtherCalendarsState(PrivateState):
    """The addresses given out, the calendars read, and what is being asked about."""

    loaded: bool = False
    problem: str = ""
    vehicles: list[Choice] = []
    feeds: list[FeedRow] = []
    imports: list[ImportRow] = []
    # The address just made, which is shown only this once.
    new_address: str = ""
    address_of: str = ""
    # Why a calendar was refused, by the names of the form's fields.
    errors: dict[str, str] = {}
    asked_id: str = ""
    asked_about: str = ""

    @manager_load
    async def load(self, actor: Actor) -> None:
        """Show the calendars, and clear an address that was just made and an earlier refusal."""
        self.new_address, self.address_of, self.errors = "", "", {}
        await self._show(actor)

    @manager_change
    async def give(self, actor: Actor, form: dict[str, Any]) -> None:
        """Make an address for the calendar of a vehicle, or of all."""
        feed = _feed(str(form.get("vehicle") or ""))
        self.new_address = await write(feeds.give, actor, feed)
        await self._show(actor)
        self.address_of = next((row.name for row in self.feeds if row.vehicle == str(feed.vehicle or "")), "")

    @manager_action
    async def ask_revoke(self, _actor: Actor, vehicle: str) -> AsyncIterator[Any]:
        """Ask before an address is revoked."""
        if row := next((row for row in self.feeds if row.vehicle == vehicle), None):
            self.asked_id, self.asked_about = vehicle, row.name
            yield open_dialog(REVOKE)

    @manager_change
    async def revoke(self, actor: Actor) -> AsyncIterator[Any]:
        """Revoke the address asked about."""
        message = await write(feeds.revoke, actor, _feed(self.asked_id))
        self.new_address = self.address_of = ""
        yield close_dialog(REVOKE)
        yield success_toast(message)
        await self._show(actor)

    @manager_change
    async def add(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Start reading another platform's calendar of a vehicle; refusals are shown beside their fields."""
        self.errors = {}
        fields = {"vehicle": read_id(str(form.get("vehicle") or "")) or None, "url": form.get("url") or ""}
        try:
            await write(imports.add, actor, validated(ImportRequest, fields))
        except RentalError as error:
            about = "vehicle" if isinstance(error, NotFoundError) else "url"
            self.errors = dict(error.fields) or {about: error.message}
            yield focus(VEHICLE if "vehicle" in self.errors else URL)
            raise
        yield set_value(URL, "")
        yield success_toast(imports.ADDED)
        await self._show(actor)

    @manager_action
    async def ask_remove(self, _actor: Actor, calendar: int) -> AsyncIterator[Any]:
        """Ask before a calendar stops being read."""
        if row := next((row for row in self.imports if row.id == calendar), None):
            self.asked_id, self.asked_about = str(row.id), f"{row.host}, {row.vehicle}"
            yield open_dialog(REMOVE)

    @manager_change
    async def remove(self, actor: Actor) -> AsyncIterator[Any]:
        """Stop reading the calendar asked about."""
        toast = await removed(imports.remove, actor, read_id(self.asked_id))
        yield close_dialog(REMOVE)
        yield toast
        await self._show(actor)

    async def _show(self, actor: Actor) -> None:
        names = {vehicle.id: vehicle.name for vehicle in await read(own_vehicles.names, actor)}
        self.vehicles = [Choice(value=str(number), label=name) for number, name in names.items()]
        self.feeds = [feed_row(feed, names) for feed in await read(feeds.of_vendor, actor)]
        self.imports = [import_row(calendar, names) for calendar in await read(imports.of_vendor, actor)]
        self.loaded, self.problem = True, ""


def _feed(vehicle: str) -> FeedRequest:
    return validated(FeedRequest, {"vehicle": vehicle or None})
