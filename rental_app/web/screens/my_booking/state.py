"""One booking of a customer: its status, cancelling it, and the customer's response to the vendor's notes."""

from collections.abc import AsyncIterator
from contextlib import suppress
from decimal import Decimal
from typing import Any

from rental_app.domain import clock
from rental_app.domain.errors import NotAuthenticatedError, NotFoundError, RentalError
from rental_app.domain.money import PAISE_PER_RUPEE
from rental_app.domain.uploads import OBJECTION
from rental_app.schemas.reviews import ReviewRequest
from rental_app.schemas.trips import CancelRequest, ObjectRequest, ProposalAnswerRequest, ReplacementRequest, TripView
from rental_app.schemas.uploads import uploads_of
from rental_app.schemas.validation import validated
from rental_app.services.accounts.actor import Actor
from rental_app.services.files import uploads
from rental_app.services.reviews import writing
from rental_app.services.trips import answers, cancellations, detail, moves
from rental_app.services.trips.cancellations import TermsChangedError
from rental_app.web.parts.own_documents import own_documents
from rental_app.web.parts.presenters.bookings import booking_url
from rental_app.web.parts.presenters.documents import BroughtDocument, DocumentsNote, brought_documents
from rental_app.web.parts.presenters.terms import CancelTerms, cancel_terms
from rental_app.web.parts.presenters.uploads import WaitingFile, waiting_files
from rental_app.web.parts.reviews.presenter import FIRST_STAR, NO_STARS
from rental_app.web.parts.sent_request import SentRequestState
from rental_app.web.screens.my_booking.presenter import CustomerTrip, EqualCard, equal_card, trip_page
from rental_app.web.session.address import address_part, here
from rental_app.web.session.base import PrivateState, SessionState, read, take_news, write
from rental_app.web.session.events import (
    close_dialog,
    error_toast,
    focus,
    open_dialog,
    plain_toast,
    redirect,
    success_toast,
)
from rental_app.web.session.handlers import action, change, one_at_a_time
from rental_app.web.session.login_wanted import MY_BOOKING, continue_after_login

# Where the focus goes when a request was sent, or the control that opened a dialog is gone.
STATE_ID = "booking-state"
CANCELLING, OBJECTING = "cancel-booking", "object"
# Values of `asked_entry`: no line yet, and the handover in place of a line.
NOTHING, HANDOVER = -1, 0


class MyBookingState(PrivateState):
    """The booking of the page's address; `busy` while one of its buttons is at work."""

    trip: CustomerTrip | None = None
    missing: bool = False
    problem: str = ""
    asked_url: str = ""
    busy: bool = False
    terms: CancelTerms | None = None
    terms_problem: str = ""
    asked_entry: int = NOTHING
    asked_about: str = ""
    objection_problem: str = ""
    # Photos sent for an objection that was not made: they wait for the next one.
    waiting_photos: list[WaitingFile] = []
    review_problem: str = ""
    # What is to be brought to the pickup, and how the customer's documents stand.
    bring: list[BroughtDocument] = []
    documents: DocumentsNote | None = None
    # What to have instead of a vehicle that its vendor cannot give, as far as it is known.
    equals: list[EqualCard] = []
    equals_problem: str = ""

    @action
    async def load(self) -> AsyncIterator[Any]:
        """Show the booking of the address, if it is the customer's own; visitors are asked to log in."""
        self.review_problem = ""
        sent = (await self.get_state(SentRequestState))._take()
        if self.asked_url != here(self):
            self.reset()
            self.asked_url = here(self)
            yield
        try:
            await self._show()
            await self._show_documents()
            await self._show_equals()
            if self.trip and sent == self.trip.facts.reference:
                yield focus(STATE_ID)
        except NotAuthenticatedError:
            return
        except NotFoundError:
            self.trip, self.missing, self.problem = None, True, ""
        except RentalError as error:
            self.problem = error.message
            raise

    @action
    async def refresh(self) -> AsyncIterator[Any]:
        """Show what has happened to the booking meanwhile, and say so."""
        before = self.trip
        if before is None:
            return
        try:
            await self._show()
        except RentalError as error:
            # Shown on the page; a toast at every beat would add nothing.
            self.problem = error.message
            return
        await self._show_equals()
        if self.trip and len(self.trip.facts.history) > len(before.facts.history):
            yield plain_toast(f"{self.trip.facts.vehicle}: {self.trip.facts.history[-1].what}")

    @action
    async def preview_cancellation(self) -> AsyncIterator[Any]:
        """Show what cancelling now would retain and refund.

        Terms that were shown before stay until then: their button may be being pressed, and is refused if they changed.
        """
        self.terms_problem = ""
        yield
        try:
            self.terms = cancel_terms(await read(cancellations.preview, await self._acting(), address_part(self)))
        except RentalError as error:
            self.terms, self.terms_problem = None, error.message
            raise

    @change
    @one_at_a_time
    async def cancel(self, kept_paise: int | None = None) -> AsyncIterator[Any]:
        """Cancel at the terms (paise kept) that the page showed; if they have changed, the new ones are shown."""
        if kept_paise is None:
            return
        self.terms_problem = ""
        yield
        try:
            request = validated(CancelRequest, {"kept": Decimal(kept_paise) / PAISE_PER_RUPEE})
            self._take(await write(cancellations.cancel, await self._acting(), address_part(self), request))
        except TermsChangedError as error:
            self.terms = cancel_terms(error.cancellation)
            self.terms_problem = f"{error.message}. Please check and press again"
            yield error_toast(self.terms_problem)
        except RentalError as error:
            self.terms, self.terms_problem = None, error.message
            await self._try_to_show()
            raise
        else:
            yield close_dialog(CANCELLING)
            yield success_toast(cancellations.DONE)

    @change
    @one_at_a_time
    async def answer_proposal(self, proposal: int, total: int, answer: str) -> AsyncIterator[Any]:
        """Agree to what the vendor proposes, at the total that was shown (paise), or refuse it."""
        yield
        fields = {"id": proposal, "answer": answer, "expectedTotal": str(Decimal(total) / PAISE_PER_RUPEE)}
        try:
            request = validated(ProposalAnswerRequest, fields)
            self._take(await write(answers.answer, await self._acting(), address_part(self), request))
        except RentalError:
            await self._try_to_show()
            raise
        yield success_toast(answers.AGREED if answer == "yes" else answers.REFUSED)

    @change
    @one_at_a_time
    async def take_equal(self, vehicle: int) -> AsyncIterator[Any]:
        """Take one of the vendor's other vehicles in place of the booked one, and go to the new booking."""
        self.equals_problem = ""
        yield
        try:
            request = validated(ReplacementRequest, {"vehicle": vehicle})
            made = await write(moves.replace, await self._acting(), address_part(self), request)
        except RentalError as error:
            self.equals_problem = error.message
            await self._show_equals()
            raise
        yield success_toast(moves.REPLACED)
        yield redirect(booking_url(made.reference))

    @change
    @one_at_a_time
    async def acknowledge(self) -> AsyncIterator[Any]:
        """Confirm the handover as the vendor noted it."""
        yield
        self._take(await write(answers.acknowledge, await self._acting(), address_part(self)))
        yield success_toast(answers.ACKNOWLEDGED)

    @action
    async def ask_to_object(self, entry: int) -> AsyncIterator[Any]:
        """Ask what is wrong with a line of the account, or with the handover."""
        if await self._note_objection(entry):
            yield open_dialog(OBJECTING)

    @action
    async def regain_objection(self, entry_plus_one: int, _draft: str) -> AsyncIterator[Any]:
        """Restore the subject of the open dialog after a reload; the browser itself keeps what was typed."""
        self.asked_entry = NOTHING
        yield
        await self._note_objection(entry_plus_one - 1)

    async def _note_objection(self, entry: int) -> bool:
        lines = {line.id: f"{line.label}, {line.amount}" for line in self.trip.facts.account} if self.trip else {}
        about = (lines | {HANDOVER: "The handover as the vendor noted it"}).get(entry)
        if about is None:
            return False
        views = await read(uploads.waiting_for_objection, await self._acting())
        names = {view.id: f"Photo {place}" for place, view in enumerate(views, start=1)}
        self.waiting_photos = waiting_files(views, names)
        self.asked_entry, self.asked_about, self.objection_problem = entry, about, ""
        return True

    @change
    @one_at_a_time
    async def object_to(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Object to what was asked about, with the form's note."""
        if self.asked_entry == NOTHING:
            return
        self.objection_problem = ""
        yield
        try:
            photos = [upload.id for upload in uploads_of(form, [OBJECTION]).get(OBJECTION, [])]
            fields = {"entry": self.asked_entry or None, "note": form.get("note", ""), "photos": photos}
            request = validated(ObjectRequest, fields)
            self._take(await write(answers.object_to, await self._acting(), address_part(self), request))
        except RentalError as error:
            self.objection_problem = error.fields.get("note", error.message)
            yield focus("note")
            raise
        else:
            self.asked_entry, self.waiting_photos = NOTHING, []
            yield close_dialog(OBJECTING)
            yield success_toast(answers.NOTED)

    async def _acting(self) -> Actor:
        """The customer; raises NotAuthenticatedError, and from then on the page asks for a login."""
        session = await self.get_state(SessionState)
        try:
            return await session._actor()
        except NotAuthenticatedError:
            await session._forget_user()
            raise

    async def _show(self) -> None:
        self._take(await read(detail.own, await self._acting(), address_part(self)))

    async def _show_documents(self) -> None:
        """Show what is to be brought, and what of it we have checked."""
        points = self.trip.bring if self.trip else []
        self.documents = await own_documents(await self._acting(), here(self)) if points else None
        checked = self.documents.checked if self.documents else []
        self.bring = brought_documents(points, checked) if points else []

    async def _show_equals(self) -> None:
        """Show what could replace a vehicle that its vendor cannot give; the page is useful without that too."""
        cards: list[EqualCard] = []
        if self.trip and self.trip.turned_down and self.trip.turned_down.has_equals:
            with suppress(RentalError):
                equals = await read(moves.equals, await self._acting(), address_part(self))
                cards = [equal_card(equal, self.trip) for equal in equals]
        take_news(self, equals=cards)

    async def _try_to_show(self) -> None:
        """Show the booking again after something went wrong with it: the page may be out of date."""
        with suppress(RentalError):
            await self._show()

    def _take(self, view: TripView) -> None:
        take_news(self, trip=trip_page(view, clock.now()))
        self.missing, self.problem = False, ""


class MyReviewState(MyBookingState):
    """The form of a review on the booking's page."""

    @change
    @one_at_a_time
    async def write_review(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Send the review, or a new version of it."""
        self.review_problem = "" if form.get("stars") else NO_STARS
        if self.review_problem:
            yield focus(FIRST_STAR)
            return
        yield
        try:
            request = validated(ReviewRequest, {"stars": form.get("stars"), "text": form.get("text", "")})
            self._take(await write(writing.write, await self._acting(), address_part(self), request))
        except RentalError as error:
            self.review_problem = error.message
            await self._try_to_show()
            raise
        else:
            yield success_toast(writing.THANKS)


continue_after_login(MY_BOOKING, MyBookingState.load)
