"""Add New Vehicle."""

from collections.abc import AsyncIterator, Mapping
from datetime import datetime
from typing import Any

import reflex as rx

from rental_app.domain.errors import ConflictError
from rental_app.services.accounts import profile
from rental_app.services.accounts.actor import Actor
from rental_app.services.fleet import drafts, vehicles
from rental_app.services.fleet.drafts import VehicleDraftView
from rental_app.web.parts.sent_form.state import FormWithFiles, data_of, sent_of, uploads_of
from rental_app.web.parts.vehicle_form.state import VehicleForm
from rental_app.web.session.base import PrivateState, read, write
from rental_app.web.session.browser_drafts import forget_draft, read_draft, read_form, tell_draft
from rental_app.web.session.events import success_toast
from rental_app.web.session.handlers import form_handler
from rental_app.web.session.vendor_auth import manager_action, manager_change, manager_load
from rental_app.web.vendor.add_vehicle.presenter import DraftOffer, draft_offer, saved_line

# Part of the draft that the tab keeps: when the account saved it.
_SAVED = "saved"


class AddVehicleState(VehicleForm, FormWithFiles, PrivateState):
    """The form for a new vehicle. Its files are uploaded ahead, and what is typed is kept by the browser's tab and, a
    moment later, by the account."""

    # A vehicle is located at its vendor's service location: without one it cannot be listed.
    lacks_place: bool = False
    # The key under which the tab keeps what this vendor has typed; "" until the form has been filled with that.
    draft: str = ""
    # How often the tab has sent what it keeps.
    drafts_sent: int = 0
    problem: str = ""
    # When the account saved what the form holds (ISO, UTC); "" if it has nothing of it.
    saved: str = ""
    # The account's draft if it differs from the form's; it is not overwritten until its vendor has chosen.
    offer: DraftOffer | None = None

    @rx.var
    def saved_line(self) -> str:
        """Whether the account has the draft."""
        return saved_line(_instant(self.saved))

    @manager_load
    async def load(self, actor: Actor) -> AsyncIterator[Any]:
        """Ask the tab for its draft, when the form is shown or after the server has lost the draft."""
        self.problem = ""
        # Clear what an earlier visit left; a form of this visit may already have been typed into.
        if self.draft:
            self._start_again()
        yield tell_draft(_draft_of(actor), AddVehicleState.take_draft)
        self.lacks_place = not await read(profile.service_location, actor)
        for toast in await self._load_lists(actor):
            yield toast

    @manager_load
    async def take_draft(self, actor: Actor, stored: str | None) -> AsyncIterator[Any]:
        """Fill the form from the tab's draft, which may be empty; offer the account's draft if that one differs."""
        self.draft = _draft_of(actor)
        self.drafts_sent += 1
        form = read_draft(stored)
        saved = form.pop(_SAVED, "")
        if form:
            for toast in await self._take(actor, form):
                yield toast
        self._compare(await read(drafts.of, actor), form, saved)

    @manager_change
    async def keep(self, actor: Actor, form: dict[str, str]) -> None:
        """Save what has been typed to the account, unless its draft was continued elsewhere meanwhile."""
        if self.offer or not self._begins(form):
            return
        typed = read_form(form)
        try:
            files = [upload.id for uploads in uploads_of(typed).values() for upload in uploads]
            saved_at = await write(drafts.save, actor, typed, files, _instant(self.saved))
            self.saved = saved_at.isoformat() if saved_at else ""
        except ConflictError:
            self._compare(await read(drafts.of, actor), typed, self.saved)

    @manager_action
    async def continue_draft(self, actor: Actor) -> AsyncIterator[Any]:
        """Fill the form with the account's draft, in place of what is in it."""
        there = await read(drafts.of, actor)
        self.offer = None
        if there is None:
            return
        # Sent before anything else: the tab's own draft must not be mistaken for this one.
        yield forget_draft(_draft_of(actor))
        for toast in await self._take(actor, there.typed):
            yield toast
        self.saved = there.saved_at.isoformat()

    @manager_change
    async def decline_draft(self, actor: Actor) -> None:
        """Continue with what is in the form: a blank form deletes the account's draft, any other replaces it."""
        offer, self.offer = self.offer, None
        if offer and offer.is_instead_of_own:
            self.saved = offer.saved
        elif offer:
            await write(drafts.forget, actor)

    @manager_change
    @form_handler()
    async def submit(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """List the vehicle; refusals are shown beside their fields and nothing is lost."""
        # A draft that is still on offer is for another vehicle.
        service = vehicles.submit if self.offer else drafts.submit
        await write(service, actor, data_of(form), sent_of(form))
        yield forget_draft(_draft_of(actor))
        # Before it is told: whoever goes on at once is not asked about a form that was sent.
        self._start_again()
        self.round += 1
        yield success_toast(vehicles.LISTED)
        for toast in await self._load_lists(actor):
            yield toast

    def _start_again(self) -> None:
        super()._start_again()
        self.waiting, self.saved = [], ""

    def _compare(self, there: VehicleDraftView | None, form: Mapping[str, str], saved: str) -> None:
        """Offer the account's draft, unless the form holds the same or this tab saved it, going by the tab's time."""
        typed = drafts.content(form)
        self.saved, self.offer = "", None
        if there and (there.typed == typed or there.saved_at.isoformat() == saved):
            self.saved = there.saved_at.isoformat()
        elif there:
            self.offer = draft_offer(there, is_instead_of_own=bool(typed))

    async def _take(self, actor: Actor, form: Mapping[str, str]) -> list[Any]:
        """Fill the form; return toasts for what failed."""
        self._start_again()
        toasts = await self._fill(actor, form)
        toasts += await self._find_files(actor, form)
        self.round += 1
        return toasts


def _instant(saved: str) -> datetime | None:
    return datetime.fromisoformat(saved) if saved else None


def _draft_of(actor: Actor) -> str:
    return f"draft-{actor.id}"
