"""Which bookings a vendor lets be confirmed at once: the form that sets it."""

from collections.abc import AsyncIterator, Mapping
from typing import Any

from pydantic import BaseModel

from rental_app.domain.errors import RentalError
from rental_app.schemas.bookings import ConfirmAtOnceSettings
from rental_app.schemas.validation import ticked, validated
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import confirm_at_once
from rental_app.services.fleet import own_vehicles
from rental_app.web.session.base import PrivateState, read, write
from rental_app.web.session.events import focus, success_toast
from rental_app.web.session.handlers import form_handler
from rental_app.web.session.vendor_auth import manager_change, manager_load

# Before the id of a vehicle: the name of its box.
EXCEPT = "except-"
FIELDS = ("hoursAhead", "mostOpen")


class VehicleBox(BaseModel):
    """A vehicle that may be an exception."""

    name: str
    label: str
    ticked: bool


class ConfirmAtOnceState(PrivateState):
    """What is set, as its form shows it; `shown` counts how often it was read, so that the form follows."""

    shown: int = 0
    problem: str = ""
    busy: bool = False
    is_on: bool = False
    verified_phone: bool = True
    hours_ahead: str = ""
    most_open: str = ""
    vehicles: list[VehicleBox] = []
    exceptions: int = 0
    errors: dict[str, str] = {}

    @manager_load
    async def load(self, actor: Actor) -> None:
        """Show what is set; the form that stands there stays, unless it shows something else."""
        before = self._set()
        await self._read(actor)
        if not self.shown or self._set() != before:
            self.shown += 1

    @manager_change
    @form_handler()
    async def save(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Save what the form says."""
        await write(confirm_at_once.save, actor, validated(ConfirmAtOnceSettings, _sent(form)))
        yield success_toast(confirm_at_once.SAVED)
        await self._read(actor)
        self.shown += 1

    def _begins(self, _form: object) -> bool:
        self.errors = {}
        return True

    async def _refused(self, error: RentalError) -> AsyncIterator[Any]:
        self.errors = {name: error.fields[name] for name in FIELDS if name in error.fields}
        if self.errors:
            yield focus(next(iter(self.errors)))
        raise error

    def _set(self) -> tuple[object, ...]:
        return self.is_on, self.verified_phone, self.hours_ahead, self.most_open, self.vehicles

    async def _read(self, actor: Actor) -> None:
        saved, names = await read(confirm_at_once.of_vendor, actor), await read(own_vehicles.names, actor)
        self.is_on, self.verified_phone = saved.is_on, saved.verified_phone
        self.hours_ahead, self.most_open = str(saved.hours_ahead), str(saved.most_open)
        self.exceptions = len(saved.exceptions)
        self.vehicles = [
            VehicleBox(name=f"{EXCEPT}{each.id}", label=each.name, ticked=each.id in saved.exceptions) for each in names
        ]
        self.errors, self.problem = {}, ""


def _sent(form: Mapping[str, Any]) -> dict[str, Any]:
    """The settings as the REST call takes them."""
    boxes = [name.removeprefix(EXCEPT) for name in form if name.startswith(EXCEPT) and ticked(form, name)]
    return {
        "on": form.get("on") == "yes",
        "verifiedMobile": ticked(form, "verifiedMobile"),
        "hoursAhead": form.get("hoursAhead") or "",
        "mostOpen": form.get("mostOpen") or "",
        "exceptions": boxes,
    }
