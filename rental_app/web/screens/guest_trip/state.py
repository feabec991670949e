"""A guest's booking, read by its link, and what they do with it by codes sent to its mobile."""

from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from decimal import Decimal
from functools import partial
from typing import Any, Literal, cast, get_args

import reflex as rx

from rental_app.domain import clock
from rental_app.domain.errors import NotFoundError, RentalError
from rental_app.domain.ids import read_id
from rental_app.domain.money import PAISE_PER_RUPEE
from rental_app.infrastructure.db import run
from rental_app.schemas.trips import CancelRequest, CodeRequest, ObjectRequest, ProposalAnswerRequest, TripView
from rental_app.schemas.validation import validated
from rental_app.services.bookings import guests
from rental_app.services.trips import answers, cancellations, guest_page
from rental_app.services.trips.cancellations import TermsChangedError
from rental_app.web.parts.presenters.terms import CancelTerms, cancel_terms
from rental_app.web.parts.presenters.trip import ProposalText, code_sent_text
from rental_app.web.screens.guest_trip.presenter import GuestTrip, guest_trip, trip_page
from rental_app.web.session.address import address_part, here
from rental_app.web.session.base import caller_of, read, write
from rental_app.web.session.events import close_dialog, focus, open_dialog, success_toast
from rental_app.web.session.handlers import action, change, form_handler

# The dialog, its field, and where the focus goes once what opened it is gone.
ACTING, CODE_FIELD, NOTE_FIELD, HEADING = "guest-act", "guest-code", "guest-note", "guest-booking"
GuestAct = Literal["yes", "no", "cancel", "object"]
DONE = {"yes": answers.AGREED, "no": answers.REFUSED, "cancel": cancellations.DONE, "object": answers.NOTED}
# In place of a line: the handover.
HANDOVER = 0


class GuestTripState(rx.State):
    """The booking of the page's address; neither found nor missing while it loads or when it is unavailable."""

    trip: GuestTrip | None = None
    missing: bool = False
    problem: str = ""
    asked_url: str = ""
    busy: bool = False
    # What is asked for, about what, and on which terms; '' for nothing.
    act: str = ""
    entry: int = HANDOVER
    about: str = ""
    terms: CancelTerms | None = None
    # Where its code went; '' while none was sent.
    code_sent: str = ""
    act_problem: str = ""
    errors: dict[str, str] = {}
    _act: GuestAct | None = None
    _proposal: ProposalText | None = None

    @action
    async def load(self) -> AsyncIterator[Any]:
        """Show the booking of the address."""
        if self.asked_url != here(self):
            self.reset()
            self.asked_url = here(self)
            yield
        self.problem = ""
        try:
            self.trip = await read(guest_trip, caller_of(self), address_part(self))
            self.missing = False
        except NotFoundError:
            self.trip, self.missing = None, True
        except RentalError as error:
            self.problem = "" if self.trip else error.message
            raise

    @action
    async def refresh(self) -> None:
        """Show what has happened to the booking meanwhile, and how much time is left."""
        if self.trip:
            await self._try_to_show()

    @action
    async def ask(self, act: GuestAct, entry: int = HANDOVER) -> AsyncIterator[Any]:
        """Ask for a code for an act: an answer to what is proposed, a cancellation, or an objection to a line."""
        if not self._begin(act, entry):
            return
        yield open_dialog(ACTING)
        yield
        await self._find_out(act)

    @action
    async def regain(self, question: int | str, _draft: str) -> AsyncIterator[Any]:
        """Ask again in the open dialog for what a reload or the server has lost; the browser has the rest."""
        act, _, entry = str(question).partition(" ")
        # After a reload, another form replaces this one, with its fields filled in.
        self.act, self._act = "", None
        yield
        if act in get_args(GuestAct) and self._begin(cast(GuestAct, act), read_id(entry)):
            await self._find_out(cast(GuestAct, act))

    def _begin(self, act: GuestAct, entry: int) -> bool:
        """Note what is asked for, if it is possible as far as the page knows."""
        about = self._about(act, entry)
        if about:
            self.act, self._act, self.about, self.entry = act, act, about, entry
            self._proposal = self.trip.facts.proposal if self.trip else None
            self.terms, self.code_sent, self.act_problem, self.errors = None, "", "", {}
        return about != ""

    async def _find_out(self, act: GuestAct) -> None:
        """Show what an act costs, and where its code went if one was texted."""
        if act == "cancel":
            await self._preview()
        await self._find_code(act)

    async def _preview(self) -> None:
        """Show what cancelling now would keep and return."""
        try:
            self.terms = cancel_terms(await read(guest_page.preview, caller_of(self), address_part(self)))
        except RentalError as error:
            self.act_problem = error.message
            raise

    async def _find_code(self, act: GuestAct) -> None:
        """Show where a code went that was texted before a reload, or before the dialog closed, if it still works."""
        with suppress(RentalError):
            sent = await read(guest_page.texted_code, caller_of(self), address_part(self), self._request_of(act))
            self.code_sent = code_sent_text(sent) if sent else ""

    def _about(self, act: GuestAct, entry: int) -> str:
        """What an act is about; '' if it is not possible, as far as the page knows."""
        if self.trip is None:
            return ""
        facts = self.trip.facts
        if act == "cancel":
            return f"{facts.vehicle}, {facts.pickup} to {facts.return_at}" if self.trip.may_cancel else ""
        if act == "object":
            lines = {line.id: f"{line.label}, {line.amount}" for line in facts.account if line.may_act}
            handover = {HANDOVER: "The handover as the vendor noted it"} if facts.may_object else {}
            return (lines | handover).get(entry, "")
        return f"{facts.proposal.text}. {facts.proposal.cost}" if facts.proposal else ""

    @change
    @form_handler()
    async def send_code(self) -> AsyncIterator[Any]:
        """Text a code for what is asked for to the booking's mobile."""
        request = (address_part(self), self._request_of(self.act))
        self.code_sent = code_sent_text(await write(guest_page.send_code, caller_of(self), *request))
        yield success_toast(guests.CODE_SENT)
        yield focus(CODE_FIELD)

    @change
    @form_handler()
    async def confirm(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Do what is asked for, by the code that was texted."""
        act = self._act
        if act is None:
            return
        code = validated(CodeRequest, {"code": form.get("code", "")}).code
        self.trip = trip_page(await run(self._doing(act, form), code), clock.now())
        self.act, self._act, self.code_sent = "", None, ""
        yield close_dialog(ACTING)
        yield success_toast(DONE[act])
        yield focus(HEADING)

    def _begins(self, _form: object) -> bool:
        if self._act:
            self.act_problem, self.errors = "", {}
        return self._act is not None

    async def _refused(self, error: RentalError) -> AsyncIterator[Any]:
        """Say what is wrong where it was typed; a code for what a cancellation did cost is of no use."""
        if isinstance(error, TermsChangedError):
            self.terms, self.code_sent = cancel_terms(error.cancellation), ""
            self.act_problem = f"{error.message}. Please check, and send a code for that"
            raise error
        self.errors = {name: error.fields[name] for name in ("code", "note") if name in error.fields}
        self.act_problem = "" if self.errors else error.message
        if self.errors:
            yield focus(NOTE_FIELD if "note" in self.errors else CODE_FIELD)
        await self._try_to_show()
        raise error

    def _doing(self, act: GuestAct, form: dict[str, Any]) -> Callable[[str], TripView]:
        """The service call of an act, which still needs the code. Raises InvalidInputError for what was typed."""
        who, request = (caller_of(self), address_part(self)), self._request_of(act)
        if request is None:
            objection = validated(ObjectRequest, {"entry": self.entry or None, "note": form.get("note", "")})
            return partial(guest_page.object_to, *who, objection)
        if isinstance(request, CancelRequest):
            return partial(guest_page.cancel, *who, request)
        return partial(guest_page.answer_proposal, *who, request)

    def _request_of(self, act: str) -> guest_page.GuestRequest:
        """The request of an act, at the terms that the page shows; None for an objection."""
        if act == "object":
            return None
        if act == "cancel":
            amount = Decimal(self.terms.paise if self.terms else 0) / PAISE_PER_RUPEE
            return validated(CancelRequest, {"kept": amount})
        proposal = self._proposal
        total = str(Decimal(proposal.total if proposal else 0) / PAISE_PER_RUPEE)
        answer = {"id": proposal.id if proposal else 0, "answer": act, "expectedTotal": total}
        return validated(ProposalAnswerRequest, answer)

    async def _try_to_show(self) -> None:
        """Show the booking again after something went wrong with it: the page may be out of date."""
        with suppress(RentalError):
            self.trip = await read(guest_trip, caller_of(self), address_part(self))
