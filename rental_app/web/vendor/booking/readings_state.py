"""Handing a vehicle over and taking it back, step by step beside it."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from typing import Any, ClassVar

from rental_app.domain import clock
from rental_app.domain.errors import ConflictError, InvalidInputError, RentalError
from rental_app.domain.settlement import BREAKDOWN
from rental_app.domain.uploads import DAMAGE_GROUP, RETURN_GROUPS, TRIP_GROUPS, trip_upload
from rental_app.schemas.readings import PAPERS
from rental_app.schemas.trip_drafts import Noted, NotedDamage, ReadingKind
from rental_app.schemas.trips import TripView
from rental_app.schemas.validation import ticked, validated
from rental_app.services.accounts.actor import Actor
from rental_app.services.files import uploads
from rental_app.services.trips import drafts, readings
from rental_app.web.parts.sent_form.state import uploads_of
from rental_app.web.session.base import PrivateState, read, write
from rental_app.web.session.events import close_dialog, focus, open_dialog, success_toast
from rental_app.web.session.handlers import action, one_at_a_time
from rental_app.web.session.vendor_auth import acting_staff, staff_action, staff_change
from rental_app.web.vendor.booking.readings_presenter import Draft, SettlementText, draft, settlement_text
from rental_app.web.vendor.booking.state import VendorTripState

HAND_OVER, TAKE_BACK, UNPAID = "hand-over", "take-back", "hand-over-unpaid"
_DAMAGE = trip_upload(DAMAGE_GROUP)
FIGURES = ("odometer", "fuelEighths", "helmets", "speedings")
# A field of the form that has the papers' check boxes.
_PAPERS = "papers"


class ReadingState(PrivateState):
    """The draft of the next reading of the booking shown, and what a return now would cost."""

    finishes_trips: ClassVar[bool] = True
    # Which reading it is, and of which booking; "" until it has been loaded.
    shown: str = ""
    draft: Draft = Draft()
    settlement: SettlementText | None = None
    errors: dict[str, str] = {}
    busy: bool = False
    # What is still to be paid when the vehicle is about to go out, in words.
    unpaid: str = ""
    # Counts damages as they are added, after which their form is emptied.
    damage_round: int = 0
    # Counts how often another phone's steps were found: the forms then start anew with them.
    round: int = 0

    @action
    async def load(self) -> None:
        """Show the draft so far of the reading that can be taken now."""
        shown, before, last_round = self.shown, self.draft, self.round
        self.reset()
        # A user who is not a vendor has been told so when the booking was to be loaded.
        if (await self.get_state(VendorTripState)).trip:
            await self._follow(await acting_staff(self))
        # The connection may only have been lost: what was typed meanwhile stays unless the draft has changed.
        is_news = shown == self.shown and before != self.draft
        self.round = last_round + is_news

    @staff_action
    async def follow(self, actor: Actor) -> None:
        """Move on to the reading that can now be taken: time passes, and the vendor may have two phones."""
        await self._follow(actor)

    async def _follow(self, actor: Actor) -> None:
        trip = (await self.get_state(VendorTripState)).trip
        due = f"{trip.reference} {trip.reading}" if trip and trip.reading else ""
        if due == self.shown:
            return
        self.reset()
        if trip and due:
            await self._take(actor, await read(drafts.of, actor, trip.reference, _kind(trip.reading)))
            self.shown = due

    @staff_change
    async def note(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Save what a step says."""
        try:
            await self._note(actor, form)
        except RentalError as error:
            self.errors = _beside(error)
            yield focus(next(iter(self.errors), ""))
            raise
        yield success_toast("Saved")

    @staff_change
    async def note_typed(self, actor: Actor, form: dict[str, str]) -> None:
        """Save what is being typed, and photos as they arrive; errors are shown once the step is sent."""
        # A check box says the same whether it is ticked or not: papers are saved with their step.
        with suppress(InvalidInputError):
            await self._note(actor, {name: text for name, text in form.items() if name != _PAPERS})

    @staff_change
    async def note_breakdown(self, actor: Actor, broke_down: bool) -> None:
        """Say that the vehicle comes back because it broke down, or that it does not."""
        step = Noted(reason=BREAKDOWN if broke_down else None)
        await self._take(actor, await write(drafts.note, actor, await self._reference(), "return", step))

    @staff_change
    async def add_damage(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Record something that is broken."""
        try:
            noted = await write(drafts.add_damage, actor, await self._reference(), _damage_of(form))
        except RentalError as error:
            self.errors = _beside(error)
            yield focus(next(iter(self.errors), ""))
            raise
        await self._take(actor, noted)
        self.damage_round += 1
        yield success_toast("Saved")

    @staff_change
    async def drop_damage(self, actor: Actor, photo_id: int) -> None:
        """Remove a damage."""
        await self._take(actor, await write(drafts.drop_damage, actor, await self._reference(), photo_id))

    @staff_change
    async def hand_over(self, actor: Actor) -> AsyncIterator[Any]:
        """Record the handover from the draft."""
        async for event in self._finish(actor, HAND_OVER, readings.HANDED_OVER, drafts.hand_over):
            yield event

    @staff_change
    async def hand_over_unpaid(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Record the handover though money is still to be paid, for a reason."""
        reason = str(form.get("unpaidReason") or "")
        async for event in self._finish(actor, UNPAID, readings.HANDED_OVER, drafts.hand_over, reason):
            yield event

    @staff_change
    async def take_back(self, actor: Actor) -> AsyncIterator[Any]:
        """Record the return from the draft, with all that it costs."""
        async for event in self._finish(actor, TAKE_BACK, readings.TAKEN_BACK, drafts.take_back):
            yield event

    async def _note(self, actor: Actor, form: Mapping[str, Any]) -> None:
        trip = (await self.get_state(VendorTripState)).trip
        kind = _kind(trip.reading if trip else "")
        await self._take(actor, await write(drafts.note, actor, await self._reference(), kind, step_of(form)))

    @one_at_a_time
    async def _finish(
        self, actor: Actor, dialog: str, done: str, service: Callable[..., TripView], *args: str
    ) -> AsyncIterator[Any]:
        """Make a reading final; what is still missing is shown beside its step."""
        yield
        page = await self.get_state(VendorTripState)
        try:
            view = await write(service, actor, await self._reference(), *args)
        except RentalError as error:
            self.errors = _beside(error)
            if not isinstance(error, readings.UnpaidError):
                yield close_dialog(dialog)
            elif dialog == HAND_OVER:
                # The second question says what is unpaid, and asks why.
                self.unpaid, self.errors = error.message, {}
                yield close_dialog(dialog)
                yield open_dialog(UNPAID)
                return
            if isinstance(error, ConflictError):
                await page._show_again(actor)
            raise
        await page._show(actor, view)
        await self._follow(actor)
        yield close_dialog(dialog)
        yield success_toast(done)

    async def _reference(self) -> str:
        trip = (await self.get_state(VendorTripState)).trip
        return trip.reference if trip else ""

    async def _take(self, actor: Actor, noted: Noted) -> None:
        self.errors = {}
        trip = (await self.get_state(VendorTripState)).trip
        waiting = await read(uploads.of_ids, actor, [photo.id for photo in noted.sent])
        self.draft = draft(noted, waiting, trip.reading if trip else "")
        if trip and trip.reading == "return":
            await self._price(actor, trip.reference)

    async def _price(self, actor: Actor, ref: str) -> None:
        """Show what a return now would cost, or beside the steps why that cannot be said."""
        try:
            self.settlement = settlement_text(await read(drafts.preview, actor, ref), clock.now())
        except InvalidInputError as error:
            self.settlement, self.errors = None, _beside(error)


def step_of(form: Mapping[str, Any]) -> Noted:
    """What a step's form says; raises InvalidInputError naming the fields at fault."""
    told: dict[str, Any] = {name: form[name] for name in FIGURES if name in form}
    if _PAPERS in form:
        told["papersSeen"] = [paper for paper in PAPERS if ticked(form, paper)]
    named = {group: trip_upload(group) for group in TRIP_GROUPS if f"files.{trip_upload(group)}" in form}
    sent = uploads_of(form, named.values())
    photos = {group: [one.model_dump() for one in sent.get(upload, [])] for group, upload in named.items()}
    return validated(Noted, told | ({"photos": photos} if photos else {}))


def _damage_of(form: Mapping[str, Any]) -> NotedDamage:
    sent = uploads_of(form, [_DAMAGE]).get(_DAMAGE)
    if not sent:
        raise InvalidInputError("Take a photo of the damage", fields={_DAMAGE: "Take a photo"})
    told = {"note": form.get("note"), "amount": form.get("amount"), "photo": sent[-1].model_dump()}
    return validated(NotedDamage, told)


def _kind(reading: str) -> ReadingKind:
    return "return" if reading == "return" else "handover"


def _beside(error: RentalError) -> dict[str, str]:
    """The errors, keyed by the page's fields; those of photos by the names they are sent under."""
    return {trip_upload(name) if name in RETURN_GROUPS else name: text for name, text in error.fields.items()}
