"""Add New Vehicle."""

from collections.abc import AsyncIterator, Mapping
from typing import Any

from rental_app.domain.errors import ConflictError, NotFoundError, RentalError
from rental_app.domain.ids import read_id
from rental_app.schemas.drafts import DraftView
from rental_app.services.accounts import profile
from rental_app.services.accounts.actor import Actor
from rental_app.services.fleet import drafts, own_vehicles, vehicles
from rental_app.web.parts.sent_form.state import FormWithFiles, data_of, sent_of
from rental_app.web.parts.vehicle_form.presenter import price_rows
from rental_app.web.parts.vehicle_form.state import VehicleForm
from rental_app.web.session.base import PrivateState, read, write
from rental_app.web.session.browser_drafts import forget_draft, read_draft, read_form, tell_draft
from rental_app.web.session.events import close_dialog, open_dialog, plain_toast, redirect, success_toast
from rental_app.web.session.handlers import form_handler
from rental_app.web.session.vendor_auth import manager_action, manager_change, manager_load
from rental_app.web.vendor.add_vehicle.presenter import (
    DraftOffer,
    DraftRow,
    ListedVehicle,
    SavedAs,
    draft_offer,
    draft_rows,
    listed_vehicle,
    saved_as,
    saved_line,
)

HERE, DELETE = "/vendor/add-vehicle", "delete-draft"
# Part of the draft that the tab keeps: which draft of the account it was saved as.
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
    # Which draft of the account the form was saved as (`SavedAs`); "" if it has nothing of it.
    saved: str = ""
    saved_line: str = ""
    # The account's draft if it was continued elsewhere; it is not overwritten until its vendor has chosen.
    offer: DraftOffer | None = None
    # The vendor's other drafts.
    drafts: list[DraftRow] = []
    listed: ListedVehicle | None = None
    asked: int = 0
    asked_title: str = ""
    # What is to take the form's place once the tab has sent what it keeps: a draft, a vehicle to be like, or neither.
    _next: int = 0
    _like: int = 0

    @manager_load
    async def load(self, actor: Actor) -> AsyncIterator[Any]:
        """Ask the tab for its draft, when the form is shown or after the server has lost the draft."""
        self.problem = ""
        # Clear what an earlier visit left; a form of this visit may already have been typed into.
        if self.draft:
            self._start_again()
            self.listed = None
        yield tell_draft(_draft_of(actor), AddVehicleState.take_draft)
        self.lacks_place = not await read(profile.service_location, actor)
        for toast in await self._load_lists(actor):
            yield toast

    @manager_load
    async def take_draft(self, actor: Actor, stored: str | None) -> AsyncIterator[Any]:
        """Fill the form from the tab's draft, or have that make room for what the address names."""
        self.draft = _draft_of(actor)
        form = read_draft(stored)
        saved = saved_as(form.pop(_SAVED, ""))
        query = self.router.url.query_parameters
        wanted, like = read_id(query.get("draft", "")), read_id(query.get("like", ""))
        if like or wanted not in (0, saved.id):
            self._next, self._like = wanted, like
            yield tell_draft(self.draft, AddVehicleState.switch)
            return
        self.drafts_sent += 1
        if form:
            for toast in await self._take(actor, form):
                yield toast
        await self._compare(actor, form, saved)

    @manager_change
    async def keep(self, actor: Actor, form: dict[str, str]) -> None:
        """Save what has been typed to the account, unless its draft was continued elsewhere meanwhile."""
        if self.offer or not self._begins(form):
            return
        typed, saved = read_form(form), saved_as(self.saved)
        # The pricing table is not shown before there is a model.
        typed = typed if self.plans else self._typed_prices | typed
        try:
            self._note(await self._save(actor, typed, saved))
        except ConflictError as error:
            if error.code == "too_many_drafts":
                self.saved_line = f"{error.message}. Until then only this tab keeps what you type."
            else:
                await self._compare(actor, typed, saved)

    @manager_action
    async def go_on(self, actor: Actor, draft_id: int) -> AsyncIterator[Any]:
        """Continue another draft, or with 0 begin a blank one; what is in the form stays as a draft."""
        self._next, self._like = draft_id, 0
        yield tell_draft(_draft_of(actor), AddVehicleState.switch)

    @manager_action
    async def list_another(self, actor: Actor) -> AsyncIterator[Any]:
        """Begin a draft like the vehicle that was just listed."""
        self._next, self._like = 0, self.listed.id if self.listed else 0
        yield tell_draft(_draft_of(actor), AddVehicleState.switch)

    @manager_change
    async def switch(self, actor: Actor, stored: str | None) -> AsyncIterator[Any]:
        """Save what the tab keeps of the form, and show what is to take its place."""
        self.drafts_sent += 1
        form = read_draft(stored)
        saved = saved_as(form.pop(_SAVED, ""))
        async for event in self._switch(actor, form, saved):
            yield event

    @manager_action
    async def continue_draft(self, actor: Actor) -> AsyncIterator[Any]:
        """Fill the form with the account's draft as it was continued elsewhere, in place of what is in it."""
        if self.offer:
            there = await read(drafts.one, actor, self.offer.id)
            async for event in self._show(actor, there):
                yield event

    @manager_action
    async def decline_draft(self, _actor: Actor) -> None:
        """Continue with what is in the form, which replaces the account's draft from its next change on."""
        if self.offer:
            self.saved, self.offer = self.offer.saved, None

    @manager_action
    async def ask(self, _actor: Actor, draft_id: int) -> AsyncIterator[Any]:
        """Ask whether a draft is to be deleted."""
        for row in self.drafts:
            if row.id == draft_id:
                self.asked, self.asked_title = row.id, row.title
                yield open_dialog(DELETE)

    @manager_change
    async def delete(self, actor: Actor) -> AsyncIterator[Any]:
        """Delete the draft that was asked about."""
        yield close_dialog(DELETE)
        yield plain_toast(await write(drafts.remove, actor, self.asked))
        await self._list(actor)

    @manager_action
    async def show_drafts(self, actor: Actor) -> None:
        """Show the drafts that an import has made."""
        await self._list(actor)

    @manager_change
    @form_handler()
    async def submit(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """List the vehicle; refusals are shown beside their fields and nothing is lost."""
        # A draft that was continued elsewhere is not what is sent.
        draft_id = 0 if self.offer else saved_as(self.saved).id
        vehicle_id = await write(drafts.submit, actor, data_of(form), sent_of(form), draft_id)
        yield forget_draft(_draft_of(actor))
        # Before it is told: whoever goes on at once is not asked about a form that was sent.
        self._start_again()
        self.round += 1
        yield success_toast(vehicles.LISTED)
        self.listed = listed_vehicle(await read(own_vehicles.own_vehicle, actor, vehicle_id))
        yield redirect(HERE, replace=True, asked_on=HERE)
        await self._list(actor)
        for toast in await self._load_lists(actor):
            yield toast

    def _start_again(self) -> None:
        super()._start_again()
        self.waiting, self.offer = [], None
        self._note(None)

    def _note(self, draft: DraftView | None) -> None:
        self.saved = SavedAs(draft.id, draft.edition).text if draft else ""
        self.saved_line = saved_line(draft)

    async def _list(self, actor: Actor) -> None:
        self.drafts = draft_rows(await read(drafts.of_vendor, actor), saved_as(self.saved).id)

    async def _save(self, actor: Actor, typed: Mapping[str, str], saved: SavedAs) -> DraftView | None:
        """Save a form as its draft, or as a new one; None for a blank form, which is not saved as a new one."""
        if saved.id:
            try:
                return await write(drafts.save, actor, saved.id, typed, saved.edition)
            except NotFoundError:
                # Deleted elsewhere: what is typed here is begun again.
                pass
        return await write(drafts.begin, actor, typed) if drafts.content(typed) else None

    async def _compare(self, actor: Actor, form: Mapping[str, str], saved: SavedAs) -> None:
        """Offer the account's draft if it was continued elsewhere: it is not as the tab saved it."""
        there, self.offer = await _draft(actor, saved.id), None
        if there and there.edition != saved.edition and there.fields != drafts.content(form):
            self.offer = draft_offer(there)
            self._note(None)
        else:
            self._note(there)
        if there and not self.plans:
            self._typed_prices = price_rows(there.fields)
        await self._list(actor)

    async def _switch(self, actor: Actor, form: Mapping[str, str], saved: SavedAs) -> AsyncIterator[Any]:
        """Save what the tab has as a draft, and show the one that was asked for."""
        try:
            await self._put_away(actor, form, saved)
            there = await self._asked_for(actor)
        except RentalError:
            # The form goes on with what it has.
            if not self.round:
                await self._take(actor, form)
            await self._compare(actor, form, saved)
            raise
        self.listed = None
        async for event in self._show(actor, there, at="#papers" if self._like else ""):
            yield event

    async def _put_away(self, actor: Actor, form: Mapping[str, str], saved: SavedAs) -> None:
        """Save a form that makes room for another one; if its draft was continued elsewhere, beside that."""
        there = await _draft(actor, saved.id)
        if there and there.fields == drafts.content(form):
            return
        try:
            await self._save(actor, form, saved)
        except ConflictError as error:
            if error.code != "draft_elsewhere":
                raise
            await write(drafts.begin, actor, form)

    async def _asked_for(self, actor: Actor) -> DraftView | None:
        if self._like:
            return await write(drafts.begin, actor, {}, self._like)
        return await read(drafts.one, actor, self._next) if self._next else None

    async def _show(self, actor: Actor, there: DraftView | None, at: str = "") -> AsyncIterator[Any]:
        """Fill the form with a draft of the account, or begin a blank one."""
        # Sent before anything else: the tab's own draft must not be mistaken for this one.
        yield forget_draft(_draft_of(actor))
        for toast in await self._take(actor, there.fields if there else {}):
            yield toast
        self._note(there)
        await self._list(actor)
        yield redirect(f"{HERE}?draft={there.id}{at}" if there else HERE, replace=True, asked_on=HERE)

    async def _take(self, actor: Actor, form: Mapping[str, str]) -> list[Any]:
        """Fill the form; return toasts for what failed."""
        self._start_again()
        toasts = await self._fill(actor, form)
        toasts += await self._find_files(actor, form)
        self.round += 1
        return toasts


async def _draft(actor: Actor, draft_id: int) -> DraftView | None:
    """The account's draft; None for one that is gone."""
    try:
        return await read(drafts.one, actor, draft_id) if draft_id else None
    except NotFoundError:
        return None


def _draft_of(actor: Actor) -> str:
    return f"draft-{actor.id}"
