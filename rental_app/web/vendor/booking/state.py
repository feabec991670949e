"""One booking of a vendor, from the answer to the settled account."""

from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar, Concatenate, ParamSpec
from uuid import uuid4

import reflex as rx
from pydantic import BaseModel
from sqlmodel import Session

from rental_app.content.account_words import METHODS
from rental_app.domain import clock
from rental_app.domain.account import PaymentMethod
from rental_app.domain.cancellation import CANCEL_REASONS
from rental_app.domain.errors import ConflictError, NotFoundError, RentalError
from rental_app.domain.money import to_rupees
from rental_app.domain.uploads import ANSWER_GROUP, DAMAGE_GROUP, trip_upload
from rental_app.schemas.trips import (
    ChargeRequest,
    CodeRequest,
    ExtendRequest,
    ExtensionRequest,
    MoveRequest,
    ObjectionAnswerRequest,
    PaymentRequest,
    ReverseRequest,
    TripView,
    VendorCancelRequest,
)
from rental_app.schemas.uploads import uploads_of
from rental_app.schemas.validation import validated
from rental_app.schemas.wire import MAX_KEY
from rental_app.services.accounts import profile
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import guests
from rental_app.services.identity import bookings as identity_bookings
from rental_app.services.trips import answers, cancellations, changes, detail, moves, payments
from rental_app.web.parts.presenters.documents import SeenDocuments, seen_documents
from rental_app.web.parts.presenters.links import read_wall, wall_text
from rental_app.web.parts.presenters.texts import Choice
from rental_app.web.parts.presenters.trip import code_sent_text
from rental_app.web.session.address import address_part, here
from rental_app.web.session.base import PrivateState, read, write
from rental_app.web.session.browser_drafts import read_draft
from rental_app.web.session.events import close_dialog, error_toast, focus, open_dialog, success_toast
from rental_app.web.session.handlers import one_at_a_time
from rental_app.web.session.vendor_auth import staff_action, staff_change, staff_load, staff_refresh
from rental_app.web.vendor.booking.presenter import Due, VendorTrip, amount_text, extension_text, trip_page, upi_code

P = ParamSpec("P")
# Dialogs of the page, and the places where a refusal is shown.
TAKE_BACK_LINE, ABSENT, EXTEND, GIVE_UP, CHARGE, MOVE, ANSWER = (
    "take-back-line",
    "no-show",
    "extend",
    "give-up",
    "charge",
    "move",
    "answer-objection",
)
GUEST_LINK, CODE = "guest-link", "trip-code"
GIVE_UP_REASON = "give-up-reason"
# Gets the focus once a payment is recorded: its button may be gone.
PAYMENTS = "payments"
_PROOF, _OF_ANSWER = trip_upload(DAMAGE_GROUP), trip_upload(ANSWER_GROUP)
# What a code for a proposal is limited to.
_ALONE = ", for this proposal alone"
# What the forms for payments are of.
FORMS = ("rent", "deposit", "all")


class VendorTripState(PrivateState):
    """The booking of the page's address; neither shown nor missing while it loads or is unavailable."""

    finishes_trips: ClassVar[bool] = True
    trip: VendorTrip | None = None
    missing: bool = False
    problem: str = ""
    asked_url: str = ""
    busy: bool = False
    # Why something was refused, by the place where it is shown.
    errors: dict[str, str] = {}
    # An idempotency key for each form: a payment that is sent twice is recorded once.
    payment_keys: dict[str, str] = dict.fromkeys(FORMS, "")
    # What each form asks for by UPI, as a picture, and as text; blank while no amount is typed.
    codes: dict[str, str] = dict.fromkeys(FORMS, "")
    asked_by_upi: dict[str, str] = dict.fromkeys(FORMS, "")
    # The amount in each form's field, once it is not the one due, and how it is paid: its button says both.
    typed: dict[str, str] = dict.fromkeys(FORMS, "")
    methods: dict[str, str] = dict.fromkeys(FORMS, PaymentMethod.CASH)
    # The key last recorded of each form.
    _noted: dict[str, str] = {}
    # Why the booking is about to be given up, which says whether the vehicle is blocked; "" until that is chosen.
    give_up_reason: str = ""
    # A key for the form of a charge after the return, which is empty again once it is used.
    charge_key: str = ""
    # The proposal that a code was sent for, and where it went.
    code_for: int = 0
    code_sent: str = ""
    # Which of MOVE and GIVE_UP was opened last, for the booking shown.
    opened_dialog: str = ""
    # The vehicles that the booking can be moved to.
    move_choices: list[Choice] = []
    # The customer's documents, and those whose pictures are looked at: each look is told to the customer.
    documents: SeenDocuments | None = None
    seen_documents: list[int] = []
    asked_line: int = 0
    asked_about: str = ""
    # The objection that is about to be answered.
    asked_objection: int = 0
    objection_about: str = ""
    # The chosen later return, and what the one that was asked about costs.
    later: str = ""
    extension: str = ""
    _extends_to: str = ""
    _extra: int = 0
    _kms: int | None = None

    @staff_load
    async def load(self, actor: Actor) -> AsyncIterator[Any]:
        """Show the booking of the page's address, and clear earlier refusals."""
        self.problem, self.errors = "", {}
        if self.asked_url != here(self):
            self.reset()
            self.asked_url = here(self)
            yield
        try:
            await self._show_again(actor)
            await self._find_code(actor)
            await self._show_documents(actor)
        except NotFoundError:
            self.trip, self.missing = None, True

    async def _find_code(self, actor: Actor) -> None:
        """Show the field for a code that the customer was texted before this page was opened, if it still works."""
        proposal = self.trip.facts.proposal if self.trip else None
        if proposal and proposal.id != self.code_for:
            with suppress(ConflictError):
                if sent := await read(answers.texted_code, actor, reference_of(self)):
                    self.code_for, self.code_sent = proposal.id, code_sent_text(sent, _ALONE)

    async def _show_documents(self, actor: Actor) -> None:
        """Show how the customer's documents stand; a booking is of use without that too."""
        with suppress(RentalError):
            answer = await read(identity_bookings.of_booking, actor, reference_of(self))
            self.documents = seen_documents(answer, reference_of(self), clock.now())

    @staff_action
    async def look_at_document(self, _actor: Actor, paper_id: int) -> None:
        """Show the pictures of a document, whose owner is told of the look as they are loaded."""
        if self.documents and paper_id in [row.id for row in self.documents.rows if row.pictures]:
            self.seen_documents = sorted({*self.seen_documents, paper_id})

    @staff_refresh
    async def refresh(self, actor: Actor) -> None:
        """Show what the customer, or the vendor's other phone, has done meanwhile."""
        if self.trip:
            await self._show_again(actor)

    @staff_change
    async def pay(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Record money that changed hands."""
        place, key = str(form.get("of"))[:MAX_KEY], str(form.get("key") or "")[:MAX_KEY]
        # The second of two quick presses of the same button.
        if key and key == self._noted.get(place):
            return
        async for event in self._change(
            actor, place, payments.NOTED, from_form(payments.record, PaymentRequest), form, key
        ):
            yield event
        self._noted[place] = key
        yield focus(PAYMENTS)

    @staff_action
    async def type_amount(self, actor: Actor, of: str, amount: str) -> None:
        """Make a form's UPI code one for the amount in its field."""
        try:
            payment = validated(
                PaymentRequest, {"of": of, "amount": amount, "method": PaymentMethod.UPI, "direction": "in"}
            )
        except RentalError:
            paise = 0
        else:
            paise = payment.amount
        await self._draw(actor, of, paise)
        self.typed = self.typed | {of: amount_text(paise)}

    @staff_action
    async def choose_method(self, _actor: Actor, of: str, method: str) -> None:
        """Say how a form's amount is paid; its code is shown while that is by UPI."""
        if of in FORMS and method in METHODS:
            self.methods = self.methods | {of: method}

    async def _draw(self, actor: Actor, of: str, paise: int) -> None:
        if of not in FORMS or self.trip is None:
            return
        picture, amount = upi_code(await read(profile.payee, actor), paise, f"{self.trip.facts.reference} {of}")
        self.codes, self.asked_by_upi = self.codes | {of: picture}, self.asked_by_upi | {of: amount}

    @staff_action
    async def ask_about_line(self, _actor: Actor, entry: int) -> AsyncIterator[Any]:
        """Ask why a line is wrong before it is reversed."""
        if self._note_line(entry):
            yield open_dialog(TAKE_BACK_LINE)

    @staff_action
    async def regain_line(self, _actor: Actor, entry: int, _draft: str) -> None:
        """Restore which line the open dialog is about."""
        self._note_line(entry)

    def _note_line(self, entry: int) -> bool:
        lines = self.trip.facts.account if self.trip else []
        line = next((line for line in lines if line.id == entry and line.may_act), None)
        if line:
            self.asked_line, self.asked_about, self.errors = entry, f"{line.label}, {line.amount}", {}
        return line is not None

    @staff_change
    def reverse(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Reverse the line asked about."""
        fields = {"entry": self.asked_line, "note": form.get("note")}
        outcome = partial(payments.outcome, self.asked_line)
        return self._change(actor, TAKE_BACK_LINE, outcome, from_form(payments.reverse, ReverseRequest), fields)

    @staff_action
    async def ask_answer(self, _actor: Actor, objection: int) -> AsyncIterator[Any]:
        """Ask for the answer to an objection."""
        if self._note_objection(objection):
            yield open_dialog(ANSWER)

    @staff_action
    async def regain_answer(self, _actor: Actor, objection: int, _draft: str) -> None:
        """Restore which objection the open dialog is about."""
        self._note_objection(objection)

    def _note_objection(self, objection: int) -> bool:
        raised = self.trip.facts.objections if self.trip else []
        one = next((one for one in raised if one.id == objection and not one.answer), None)
        if one:
            self.asked_objection, self.objection_about, self.errors = one.id, f"{one.about}: {one.note}", {}
        return one is not None

    @staff_change
    def answer(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Answer the objection asked about, in words and with photos."""
        photos = [upload.id for upload in uploads_of(form, [_OF_ANSWER]).get(_OF_ANSWER, [])]
        fields = {"objection": self.asked_objection, "note": form.get("note"), "photos": photos}
        service = from_form(answers.answer_objection, ObjectionAnswerRequest)
        return self._change(actor, ANSWER, answers.OBJECTION_ANSWERED, service, fields)

    @staff_change
    def mark_absent(self, actor: Actor) -> AsyncIterator[Any]:
        """Record that the customer did not come."""
        return self._change(actor, ABSENT, cancellations.MARKED, cancellations.mark_no_show)

    @staff_change
    async def send_link(self, actor: Actor) -> AsyncIterator[Any]:
        """Send the guest a new link to their booking."""
        self.errors = {}
        yield
        try:
            message = await write(guests.send_link_again, actor, reference_of(self))
        except RentalError as error:
            self.errors = {GUEST_LINK: error.message}
            raise
        yield success_toast(message)

    @staff_change
    @one_at_a_time
    async def send_code(self, actor: Actor) -> AsyncIterator[Any]:
        """Text the customer a code with which they agree to what is proposed."""
        self.errors = {}
        yield
        try:
            sent = await write(answers.send_code, actor, reference_of(self))
        except RentalError as error:
            self.errors = {CODE: error.message}
            raise
        proposal = self.trip.facts.proposal if self.trip else None
        self.code_for = proposal.id if proposal else 0
        self.code_sent = code_sent_text(sent, _ALONE)
        yield success_toast(guests.CODE_SENT)
        yield focus(field_id(CODE))

    @staff_change
    async def agree_by_code(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Agree for the customer, by the code that they have read out."""
        self.errors = {}
        try:
            request = validated(CodeRequest, {"code": form.get("code", "")})
            proof = await write(answers.try_code, actor, reference_of(self), request.code)
        except RentalError as error:
            self.errors = {CODE: error.fields.get("code", error.message)}
            yield focus(field_id(CODE))
            raise
        async for event in self._change(actor, CODE, answers.AGREED_BY_CODE, answers.agree_by_code, proof):
            yield event

    @staff_action
    async def ask_move(self, actor: Actor) -> AsyncIterator[Any]:
        """Show which of the vendor's vehicles are free for the booking."""
        self.errors, self.move_choices = {}, []
        if self.trip:
            await self._offer_vehicles(actor)
            yield open_dialog(MOVE)

    @staff_action
    async def regain_move(self, actor: Actor, booking: int, _draft: str) -> None:
        """Show these vehicles again in the open dialog of that booking."""
        if self.trip and self.trip.id == booking:
            await self._offer_vehicles(actor)

    async def _offer_vehicles(self, actor: Actor) -> None:
        vehicles = await read(moves.choices, actor, reference_of(self))
        self.move_choices = [Choice(value=str(one.id), label=f"{one.title}, {one.rc_number}") for one in vehicles]
        self.opened_dialog = MOVE

    @staff_change
    def move(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Move the booking to another vehicle, or ask the customer about another model."""
        fields = {"vehicle": form.get("vehicle"), "note": form.get("note")}
        return self._change(actor, MOVE, moves.DONE, from_form(moves.move, MoveRequest), fields)

    @staff_change
    async def charge(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Charge something after the return."""
        key = str(form.get("key") or "")[:MAX_KEY]
        async for event in self._change(actor, CHARGE, payments.CHARGED, _charge, form, key):
            yield event
        self.charge_key = uuid4().hex

    @staff_action
    async def ask_give_up(self, _actor: Actor) -> None:
        """Ask why the booking is given up, as if for the first time."""
        self.opened_dialog, self.give_up_reason, self.errors = GIVE_UP, "", {}

    @staff_action
    async def regain_give_up(self, _actor: Actor, booking: int, draft: str) -> None:
        """Restore the open dialog of that booking, with the reason that was chosen."""
        if self.trip and self.trip.id == booking:
            self.opened_dialog, self.give_up_reason = GIVE_UP, _reason(read_draft(draft).get("reason", ""))

    @staff_action
    async def choose_reason(self, _actor: Actor, reason: str) -> None:
        """Choose why the booking is given up."""
        self.give_up_reason = _reason(reason)
        self.errors = {name: text for name, text in self.errors.items() if name != GIVE_UP_REASON}

    @staff_change
    async def give_up(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Cancel the booking as its vendor."""
        if not form.get("reason"):
            self.errors = {GIVE_UP_REASON: "Choose a reason"}
            yield focus(GIVE_UP_REASON)
            yield error_toast(self.errors[GIVE_UP_REASON])
            return
        fields = {"reason": form.get("reason"), "note": form.get("note"), "block": bool(form.get("block"))}
        service = from_form(cancellations.cancel_as_vendor, VendorCancelRequest)
        async for event in self._change(actor, GIVE_UP, cancellations.VENDORS_DONE, service, fields):
            yield event

    @staff_action
    async def choose_later(self, _actor: Actor, return_at: str) -> None:
        """Choose a later return, and clear earlier errors."""
        self.later, self.errors = read_wall(return_at), {}

    @staff_action
    async def regain_extension(self, _actor: Actor, _lost: int | bool, draft: str) -> None:
        """Restore the return that was chosen before the server lost it."""
        form = read_draft(draft)
        if self.trip and form.get("ref") == self.trip.facts.reference:
            self.later = read_wall(form.get("returnDate", ""))

    @staff_action
    async def ask_extension(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Show what a later return includes and costs, and ask for confirmation."""
        self.extension, self.errors = "", {}
        try:
            request = validated(ExtensionRequest, {"returnDate": form.get("returnDate")})
            preview = await read(changes.preview, actor, reference_of(self), request)
        except RentalError as error:
            self.errors = {EXTEND: error.message}
            yield focus(field_id(EXTEND))
            raise
        self._extra, self._kms, self._extends_to = preview.extra, preview.kms_included, wall_text(preview.return_at)
        self.extension = extension_text(preview)
        yield open_dialog(EXTEND)

    @staff_change
    async def extend(self, actor: Actor) -> AsyncIterator[Any]:
        """Grant the later return as it was shown, or ask the customer if it costs more."""
        shown = {"expectedExtra": to_rupees(self._extra), "expectedKmsIncluded": self._kms}
        fields = {"returnDate": self._extends_to} | shown
        async for event in self._change(
            actor, EXTEND, changes.granted, from_form(changes.grant, ExtendRequest), fields
        ):
            yield event
        self.later = ""

    @one_at_a_time
    async def _change(
        self,
        actor: Actor,
        place: str,
        done: str | Callable[[TripView], str],
        service: Callable[Concatenate[Session, Actor, str, P], TripView],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> AsyncIterator[Any]:
        """Have a service change the booking, and show the result; a dialog with the place's name closes.

        The message may depend on the result.
        """
        self.errors = {}
        yield
        try:
            changed = await write(service, actor, reference_of(self), *args, **kwargs)
        except RentalError as error:
            self.errors = _placed(place, error)
            if isinstance(error, ConflictError):
                await self._show_again(actor)
            yield focus(field_id(place))
            raise
        await self._show(actor, changed)
        yield close_dialog(place)
        yield success_toast(done if isinstance(done, str) else done(changed))

    async def _show_again(self, actor: Actor) -> None:
        await self._show(actor, await read(detail.own, actor, reference_of(self), "vendor"))

    async def _show(self, actor: Actor, view: TripView) -> None:
        shown = trip_page(view, await read(profile.payee, actor), clock.now())
        # Every assignment is sent to the browser, and most refreshes find nothing new.
        if shown != self.trip:
            before = self.trip
            self.trip, self.payment_keys = shown, {form: uuid4().hex for form in FORMS}
            self.charge_key = self.charge_key or uuid4().hex
            for form in FORMS:
                # With this amount in its field, the page shows a new form.
                if _asks_for(before, form) != _asks_for(shown, form):
                    await self._draw(actor, form, _asks_for(shown, form))
                    self.typed = self.typed | {form: ""}
        self.missing, self.problem = False, ""


def _asks_for(trip: VendorTrip | None, form: str) -> int:
    """What the code of a form asks for (paise), while nothing else is typed into it."""
    due: Due | None = getattr(trip.payments, form) if trip else None
    return due.upi_paise if due else 0


def _placed(place: str, error: RentalError) -> dict[str, str]:
    """What is wrong, by where it is shown: beside the day of a payment, or at the place."""
    if day := error.fields.get("paidOn"):
        return {f"{place}.paidOn": day}
    return {place: next(iter(error.fields.values()), error.message)}


def reference_of(state: rx.State) -> str:
    """The reference in the address of a booking's page, or of its handover or return."""
    return address_part(state, 2)


def field_id(place: str) -> str:
    """The id of the field beside which a refusal is shown, if its place has one."""
    return f"{place}-field"


def from_form(service: Callable[..., TripView], kind: type[BaseModel]) -> Callable[..., TripView]:
    """A service that takes what a form says in place of a request of that kind."""

    def service_of_form(session: Session, actor: Actor, ref: str, form: dict[str, Any], *more: str) -> TripView:
        return service(session, actor, ref, validated(kind, form), *more)

    return service_of_form


def _reason(chosen: str) -> str:
    return chosen if chosen in CANCEL_REASONS else ""


def _charge(session: Session, actor: Actor, ref: str, form: dict[str, Any], key: str) -> TripView:
    sent = uploads_of(form, [_PROOF]).get(_PROOF)
    request = validated(ChargeRequest, {name: form.get(name) for name in ("kind", "amount", "note")})
    return payments.charge_with(session, actor, ref, request, sent[-1].id if sent else 0, key)
