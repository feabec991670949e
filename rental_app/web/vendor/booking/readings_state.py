"""Handing a vehicle over and taking it back, step by step beside it."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from typing import Any, ClassVar

from rental_app.domain import clock
from rental_app.domain.errors import ConflictError, InvalidInputError, RentalError
from rental_app.domain.settlement import BREAKDOWN
from rental_app.domain.uploads import DAMAGE_GROUP, PUBLIC_GROUPS, RETURN_GROUPS, TRIP_GROUPS, trip_upload
from rental_app.schemas.readings import PAPERS, Noted, NotedDamage, ReadingKind
from rental_app.schemas.trips import TripView
from rental_app.schemas.uploads import uploads_of
from rental_app.schemas.validation import ticked, validated
from rental_app.services.accounts.actor import Actor
from rental_app.services.files import uploads
from rental_app.services.trips import drafts, readings
from rental_app.web.session.base import PrivateState, read, write
from rental_app.web.session.events import close_dialog, error_toast, focus, open_dialog, redirect, success_toast
from rental_app.web.session.handlers import action, form_handler, one_at_a_time
from rental_app.web.session.vendor_auth import acting_staff, staff_action, staff_change
from rental_app.web.vendor.booking.presenter import VendorTrip
from rental_app.web.vendor.booking.readings_presenter import (
    ODOMETER,
    Draft,
    SettlementText,
    draft,
    saved_text,
    settlement_text,
)
from rental_app.web.vendor.booking.state import VendorTripState

_TIMES = ("wentOutAt", "cameBackAt")
HAND_OVER, TAKE_BACK, UNPAID = "hand-over", "take-back", "hand-over-unpaid"
_DAMAGE = trip_upload(DAMAGE_GROUP)
# The steps in their order; the last is the one that makes the reading final.
STEPS: dict[ReadingKind, tuple[str, ...]] = {
    "handover": ("papers", "readings", "photos", "helmets", "money", "done"),
    "return": ("readings", "photos", "helmets", "speedings", "damages", "done"),
}
_PHOTO = "Take a photo"
# What a step needs, by the field it is named beside.
NEEDED_IN = {
    "papers": {"papersSeen": "Look at all four documents first"},
    "readings": {
        "odometer": "Read the odometer",
        "fuelEighths": "Say how full it is",
        trip_upload(ODOMETER): _PHOTO,
    },
    "photos": {trip_upload(side): _PHOTO for side in PUBLIC_GROUPS},
    "helmets": {"helmets": "Say how many"},
}
FIELDS_OF = {step: names.keys() for step, names in NEEDED_IN.items()}
# What can be undone of a step at once; photos are removed one by one.
UNDONE = {
    "papers": ("papers_seen",),
    "readings": ("odometer", "fuel_eighths"),
    "helmets": ("helmets",),
    "speedings": ("speedings",),
}
FIGURES = ("odometer", "fuelEighths", "helmets", "speedings")
# A field of the form that has the papers' check boxes.
_PAPERS = "papers"


class ReadingState(PrivateState):
    """The draft of the next reading of the booking shown, and what a return now would cost."""

    finishes_trips: ClassVar[bool] = True
    # Which reading it is, and of which booking; "" until it has been loaded.
    shown: str = ""
    _reading: ReadingKind = "handover"
    draft: Draft = Draft()
    settlement: SettlementText | None = None
    errors: dict[str, str] = {}
    busy: bool = False
    # The step the page goes to whenever the turn grows, and when something was last saved, in words.
    to: str = ""
    turn: int = 0
    # The steps that can be gone back to.
    passed: list[str] = []
    saved: str = ""
    # The side that a return is being compared on, and those that have been.
    side: str = PUBLIC_GROUPS[0]
    seen: list[str] = []
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
        to, turn = self.to, self.turn
        self.reset()
        # A user who is not a vendor has been told so when the booking was to be loaded.
        if (await self.get_state(VendorTripState)).trip:
            await self._follow(await acting_staff(self))
        # The connection may only have been lost: what was typed meanwhile stays unless the draft has changed.
        is_news = shown == self.shown and before != self.draft
        self.round = last_round + is_news
        if shown == self.shown and shown:
            self.to, self.turn = to, turn

    @staff_action
    async def follow(self, actor: Actor) -> None:
        """Move on to the reading that can now be taken: time passes, and the vendor may have two phones."""
        await self._follow(actor)

    async def _follow(self, actor: Actor) -> None:
        trip = (await self.get_state(VendorTripState)).trip
        due = f"{trip.facts.reference} {trip.reading}" if trip and trip.reading else ""
        if due == self.shown:
            return
        self.reset()
        if trip and due:
            self._reading = _kind(trip.reading)
            await self._take(actor, await read(drafts.of, actor, trip.facts.reference, self._reading))
            self.shown = due
            self.to = self._first_open(trip)
            self._pass()

    @staff_change
    @form_handler(alone=False)
    async def note(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Save what a step says, and go on to the next one unless something is missing in it."""
        await self._note(actor, form)
        yield
        step = str(form.get("step") or "")
        if self.errors or step not in STEPS[self._reading]:
            return
        filled = self._filled_names() - {name for name in form if not form[name]}
        missing = {name: text for name, text in NEEDED_IN.get(step, {}).items() if name not in filled}
        if missing:
            self.errors = missing
            yield error_toast(next(iter(missing.values())))
            yield focus(next(iter(missing)))
            return
        self._go(_after(step, self._reading))

    def _begins(self, _form: object) -> bool:
        return True

    async def _refused(self, error: RentalError) -> AsyncIterator[Any]:
        self.errors = _beside(error)
        yield focus(next(iter(self.errors), ""))
        raise error

    def _filled_names(self) -> set[str]:
        """The fields of steps that have been filled in."""
        values = {"odometer": self.draft.odometer, "fuelEighths": self.draft.fuel, "helmets": self.draft.helmets}
        if len(self.draft.papers) == len(PAPERS):
            values["papersSeen"] = "all"
        files = [*self.draft.odometer_photos, *self.draft.photos]
        return {name for name, text in values.items() if text} | {file.group for file in files}

    def _go(self, step: str) -> None:
        self.to, self.turn = step, self.turn + 1
        self._pass()

    def _pass(self) -> None:
        """Make all steps that are done, or lie before the current one, available to go back to."""
        steps = STEPS[self._reading]
        before = steps[: steps.index(self.to)] if self.to in steps else ()
        self.passed = [step for step in steps if step in {*before, *self.passed, *self.draft.done}]

    @staff_action
    async def go(self, _actor: Actor, step: str) -> None:
        """Go to a step."""
        if step in STEPS[self._reading]:
            self._go(step)

    @staff_change
    async def undo(self, actor: Actor, step: str) -> None:
        """Empty a step that is done, and go to it."""
        if step not in UNDONE or step not in STEPS[self._reading]:
            return
        nothing = Noted(**dict.fromkeys(UNDONE[step]))
        await self._take(actor, await write(drafts.note, actor, await self._reference(), self._reading, nothing))
        # The forms start anew, without what was in them.
        self.round += 1
        self._go(step)

    @staff_action
    async def compare(self, _actor: Actor, side: str) -> None:
        """Show a side of the vehicle as it was at the handover and as it is now."""
        if side in PUBLIC_GROUPS:
            self.side, self.seen = side, sorted({*self.seen, self.side, side})

    @staff_action
    async def paid(self, _actor: Actor) -> None:
        """Go on from the money once nothing is to be taken any more."""
        trip = (await self.get_state(VendorTripState)).trip
        if trip and trip.reading == "handover" and not trip.payments.takes_money:
            self._go("done")

    @staff_change
    async def after_money(self, actor: Actor) -> AsyncIterator[Any]:
        """Go on from the money; if some is still to be taken, ask for the handover's second yes."""
        trip = (await self.get_state(VendorTripState)).trip
        if trip and trip.payments.takes_money:
            async for event in self._finish(actor, HAND_OVER, readings.HANDED_OVER, drafts.hand_over):
                yield event
        else:
            self._go("done")

    def _first_open(self, trip: VendorTrip) -> str:
        """The step to go on with: the first that is not done."""
        done = {*self.draft.done} if trip.payments.takes_money else {*self.draft.done, "money"}
        return next(step for step in STEPS[_kind(trip.reading)] if step not in done)

    @staff_change
    async def note_typed(self, actor: Actor, form: dict[str, str]) -> None:
        """Save what is being typed, and photos as they arrive; errors are shown once the step is sent."""
        had_photos = "photos" in self.draft.done
        # A check box says the same whether it is ticked or not: papers are saved with their step.
        with suppress(InvalidInputError):
            await self._note(actor, {name: text for name, text in form.items() if name != _PAPERS})
        # The last side has been photographed.
        if not had_photos and "photos" in self.draft.done and any(name.startswith("files.") for name in form):
            self._go(_after("photos", self._reading))

    @staff_change
    async def note_breakdown(self, actor: Actor, broke_down: bool) -> None:
        """Say that the vehicle comes back because it broke down, or that it does not."""
        step = Noted(reason=BREAKDOWN if broke_down else None)
        await self._take(actor, await write(drafts.note, actor, await self._reference(), "return", step))

    @staff_change
    async def note_came_back(self, actor: Actor, at: str) -> None:
        """Say when the vehicle came back; what the return costs goes by it."""
        await self._note_time(actor, "return", {"cameBackAt": at})

    @staff_change
    async def note_went_out(self, actor: Actor, at: str) -> None:
        """Say when the vehicle went out."""
        await self._note_time(actor, "handover", {"wentOutAt": at})

    async def _note_time(self, actor: Actor, kind: ReadingKind, fields: dict[str, str]) -> None:
        try:
            noted = await write(drafts.note, actor, await self._reference(), kind, validated(Noted, fields))
        except RentalError as error:
            self.errors = self.errors | _beside(error)
            raise
        self.errors = {name: text for name, text in self.errors.items() if name not in fields}
        await self._take(actor, noted)

    @staff_change
    @form_handler(alone=False)
    async def add_damage(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Record something that is broken."""
        noted = await write(drafts.add_damage, actor, await self._reference(), _damage_of(form))
        yield
        await self._take(actor, noted)
        self.damage_round += 1
        yield success_toast("Saved")

    @staff_change
    async def drop_damage(self, actor: Actor, photo_id: int) -> None:
        """Remove a damage."""
        await self._take(actor, await write(drafts.drop_damage, actor, await self._reference(), photo_id))

    @staff_change
    def hand_over(self, actor: Actor) -> AsyncIterator[Any]:
        """Record the handover from the draft."""
        return self._finish(actor, HAND_OVER, readings.HANDED_OVER, drafts.hand_over)

    @staff_change
    def hand_over_unpaid(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Record the handover though money is still to be paid, for a reason."""
        reason = str(form.get("unpaidReason") or "")
        return self._finish(actor, UNPAID, readings.HANDED_OVER, drafts.hand_over, reason)

    @staff_change
    def take_back(self, actor: Actor) -> AsyncIterator[Any]:
        """Record the return from the draft, with all that it costs."""
        return self._finish(actor, TAKE_BACK, readings.RECEIVED, drafts.take_back)

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
        if wrong := self._times_in_error():
            yield close_dialog(dialog)
            yield focus(next(iter(wrong)))
            raise InvalidInputError(next(iter(wrong.values())), fields=wrong)
        try:
            view = await write(service, actor, await self._reference(), *args)
        except RentalError as error:
            self.errors = _beside(error)
            if step := next((step for step, names in FIELDS_OF.items() if names & self.errors.keys()), ""):
                self._go(step)
            if not isinstance(error, readings.UnpaidError):
                yield close_dialog(dialog)
            elif dialog == HAND_OVER:
                # The second question says what is unpaid, and asks why.
                self.unpaid, self.errors = error.message, {}
                yield close_dialog(dialog)
                yield open_dialog(UNPAID)
                return
            elif self.errors:
                yield focus(next(iter(self.errors)))
            if isinstance(error, ConflictError):
                await page._show_again(actor)
            raise
        await page._show(actor, view)
        await self._follow(actor)
        yield close_dialog(dialog)
        yield success_toast(done)
        yield redirect(f"/vendor/bookings/{view.reference}", replace=True)

    async def _reference(self) -> str:
        trip = (await self.get_state(VendorTripState)).trip
        return trip.facts.reference if trip else ""

    def _times_in_error(self) -> dict[str, str]:
        """What is wrong with times that are typed and not in the draft: nothing is final until they are mended."""
        return {name: text for name, text in self.errors.items() if name in _TIMES}

    async def _take(self, actor: Actor, noted: Noted) -> None:
        self.errors = self._times_in_error()
        trip = (await self.get_state(VendorTripState)).trip
        waiting = await read(uploads.of_ids, actor, [photo.id for photo in noted.sent])
        self.draft = draft(noted, waiting, trip.reading if trip else "", trip)
        self.saved = saved_text(noted.saved_at, clock.now())
        if trip and trip.reading == "return":
            await self._price(actor, trip.facts.reference)

    async def _price(self, actor: Actor, ref: str) -> None:
        """Show what a return now would cost, or beside the steps why that cannot be said."""
        try:
            self.settlement = settlement_text(await read(drafts.preview, actor, ref), clock.now())
        except InvalidInputError as error:
            self.settlement, self.errors = None, self.errors | _beside(error)


def _after(step: str, kind: ReadingKind) -> str:
    """The step that follows one."""
    steps = STEPS[kind]
    return steps[min(steps.index(step) + 1, len(steps) - 1)]


def step_of(form: Mapping[str, Any]) -> Noted:
    """The content of a step's form; raises InvalidInputError naming the fields at fault."""
    fields: dict[str, Any] = {name: form[name] for name in FIGURES if form.get(name)}
    if _PAPERS in form:
        fields["papersSeen"] = [paper for paper in PAPERS if ticked(form, paper)]
    named = {group: trip_upload(group) for group in TRIP_GROUPS if f"files.{trip_upload(group)}" in form}
    sent = uploads_of(form, named.values())
    photos = {group: [one.model_dump() for one in sent.get(upload, [])] for group, upload in named.items()}
    return validated(Noted, fields | ({"photos": photos} if photos else {}))


def _damage_of(form: Mapping[str, Any]) -> NotedDamage:
    sent = uploads_of(form, [_DAMAGE]).get(_DAMAGE)
    if not sent:
        raise InvalidInputError("Take a photo of the damage", fields={_DAMAGE: "Take a photo"})
    fields = {"note": form.get("note"), "amount": form.get("amount"), "photo": sent[-1].model_dump()}
    return validated(NotedDamage, fields)


def _kind(reading: str) -> ReadingKind:
    return "return" if reading == "return" else "handover"


def _beside(error: RentalError) -> dict[str, str]:
    """The errors, keyed by the page's fields; those of photos by the names they are sent under."""
    return {trip_upload(name) if name in RETURN_GROUPS else name: text for name, text in error.fields.items()}
