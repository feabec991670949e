"""Add New Vehicle."""

from collections.abc import AsyncIterator
from typing import Any

import reflex as rx

from rental_app.errors import RentalError
from rental_app.services import accounts, uploads, vehicles
from rental_app.services.accounts import Actor
from rental_app.states.base import PrivateState, read, write
from rental_app.states.events import forget_draft, success_toast, tell_draft
from rental_app.states.vendor.gate import vendor_action, vendor_change, vendor_load
from rental_app.states.vendor.sent_form import SentForm, data_of, read_draft, sent_of, uploads_of
from rental_app.states.vendor.vehicle_form import VehicleForm
from rental_app.views.uploads import WaitingFile, waiting_files


class AddVehicleState(VehicleForm, SentForm, PrivateState):
    """The form for a new vehicle. Its files are sent ahead, and what is typed stays with the browser's tab."""

    # A vehicle stands at its vendor's service location: without one it cannot be listed.
    lacks_place: bool = False
    # The key under which the tab keeps what this vendor has typed; "" until the form has been filled with that.
    draft: str = ""
    waiting: list[WaitingFile] = []
    # How often the tab has said what it keeps.
    told: int = 0
    problem: str = ""

    @vendor_load
    async def load(self, actor: Actor) -> AsyncIterator[Any]:
        """Fill the drop-downs; after a lost connection what was chosen stays."""
        self.lacks_place = not (await read(accounts.profile, actor)).service_location
        self.problem = ""
        for toast in await self._load_lists(actor):
            yield toast

    def _failed(self, message: str) -> None:
        self.problem = message

    @vendor_action
    async def begin(self, actor: Actor) -> rx.event.EventSpec:
        """The form is on show, or the server has lost what it knew of it: ask the tab for what it keeps."""
        # What is left of an earlier visit goes; a form that is new here may have been begun with already.
        if self.draft:
            self._start_again()
        return tell_draft(_draft_of(actor), AddVehicleState.take_draft)

    @vendor_action
    async def take_draft(self, actor: Actor, kept: str | None) -> AsyncIterator[Any]:
        """Fill the form with what the tab has kept of it, which may be nothing."""
        self.draft = _draft_of(actor)
        self.told += 1
        if form := read_draft(kept):
            self._start_again()
            toasts = await self._fill(actor, form)
            await self._find_files(actor, form)
            self.round += 1
            for toast in toasts:
                yield toast

    @vendor_change
    async def submit(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """List the vehicle; what is refused is told beside its fields and nothing is lost."""
        if self._is_over(form):
            return
        self.busy = True
        yield
        try:
            await write(vehicles.submit, actor, data_of(form), sent_of(form))
        except RentalError as error:
            for event in self._refused(error):
                yield event
            return
        finally:
            self.busy = False
        yield forget_draft(_draft_of(actor))
        yield success_toast(vehicles.LISTED)
        self._start_again()
        self.round += 1
        for toast in await self._load_lists(actor):
            yield toast

    def _start_again(self) -> None:
        super()._start_again()
        self.waiting = []

    async def _find_files(self, actor: Actor, form: dict[str, str]) -> None:
        """Show the uploads that still wait for the form, and say of which groups some do not."""
        try:
            chosen = uploads_of(form)
        except RentalError:
            chosen = {}
        names = {upload.id: upload.name for found in chosen.values() for upload in found}
        self.waiting = waiting_files(await read(uploads.of_ids, actor, [*names]), names)
        here = {file.id for file in self.waiting}
        gone = [group for group, found in chosen.items() if not {upload.id for upload in found} <= here]
        self.errors = self.errors | dict.fromkeys(gone, uploads.GONE)


def _draft_of(actor: Actor) -> str:
    return f"draft-{actor.id}"
