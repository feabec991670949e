"""The last step before a request: what it says, and sending it."""

import contextlib
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qsl

import reflex as rx

from rental_app.domain import clock
from rental_app.domain.errors import ForbiddenError, NotAuthenticatedError, NotFoundError, RentalError
from rental_app.domain.ids import read_id
from rental_app.schemas.bookings import BookingView
from rental_app.schemas.wire import read_window
from rental_app.services import words
from rental_app.services.accounts import profile
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import requests
from rental_app.services.bookings.requests import reviewed
from rental_app.services.pricing import quotes
from rental_app.services.pricing.quotes import PriceChangedError
from rental_app.web.parts.booking_options import LONGEST_CHOICE, BookingOptionsForm, QuotedForm
from rental_app.web.parts.own_documents import own_documents
from rental_app.web.parts.presenters.bookings import booking_url, price_text
from rental_app.web.parts.presenters.documents import DocumentsNote
from rental_app.web.parts.presenters.links import read_options, read_query, walls, window_of
from rental_app.web.parts.presenters.texts import Link
from rental_app.web.parts.sent_request import SentRequestState
from rental_app.web.screens.booking_review.presenter import (
    ADDRESS_ID,
    OWN,
    ReviewedPrice,
    ReviewPage,
    free_links,
    licence_ways,
    review_page,
    reviewed_price,
)
from rental_app.web.session.address import address_part, here
from rental_app.web.session.base import SessionState, caller_of, read, session_over, write
from rental_app.web.session.events import error_toast, focus, redirect, refusal_toast, success_toast
from rental_app.web.session.handlers import action, change
from rental_app.web.session.login import LoginState
from rental_app.web.session.login_wanted import BOOKING, ask_to_log_in, continue_after_login


class ReviewState(BookingOptionsForm, QuotedForm, rx.State):
    """The request of the page's address; `meaning` is what its price means, '' in `terms_version` means not loaded."""

    car: ReviewPage | None = None
    meaning: ReviewedPrice | None = None
    missing: bool = False
    problem: str = ""
    asked_url: str = ""
    busy: bool = False
    pickup: str = ""
    return_at: str = ""
    free_windows: list[Link] = []
    requested_href: str = ""
    # Whether only an answer to an earlier request helps; other dates would not.
    awaits_answers: bool = False
    # How the customer's documents stand, and what to do about a refusal because of them.
    documents: DocumentsNote | None = None
    ways: list[Link] = []
    terms_version: str = ""
    # How often the address was filled in from the account.
    address_filled: int = 0

    @action
    async def load(self) -> AsyncIterator[Any]:
        """Show what the address asks for, at its price now."""
        self.problem, self.busy, self.refusal = "", False, ""
        if self.asked_url != here(self):
            self.car, self.missing, self.price, self.meaning = None, False, None, None
            self._forget_choices()
            yield
        self.asked_url = here(self)
        try:
            await self._show()
        except NotFoundError:
            self.car, self.missing = None, True
        except RentalError as error:
            # Without dates or price, the page still shows the vehicle, and why.
            self.problem = "" if self.car else error.message
            if self.problem:
                raise

    @action
    async def take_over(self, form: dict[str, str]) -> None:
        """Take over the address entered before scripts ran, or that the server has lost; its field has it already."""
        if "address" in form:
            self.address = form["address"][:LONGEST_CHOICE]

    @action
    async def show_again(self) -> AsyncIterator[Any]:
        """Show the request to whoever has just logged in to send it: offers used before, or their own vehicle.

        It is not sent by the login: the next press does that, at the price that is shown then.
        """
        try:
            await self._show()
        except RentalError as error:
            yield refusal_toast(error)

    @change
    async def send(
        self,
        total: int | None = None,
        deposit: int | None = None,
        address: str | None = None,
        at_once: bool | None = None,
        numbers: str = "",
    ) -> AsyncIterator[Any]:
        """Send the request at the total and deposit (paise) that the page showed when the button was pressed, and to be
        confirmed `at_once` if it said so; `numbers` are those that it showed what cancelling costs by.

        The `address` in its field counts; None if the page asks for none. If the price has changed, or the vehicle or
        the offer is gone, nothing is booked and the page shows how it stands. Without a login, the dialog comes first.
        """
        if self.busy or self.car is None:
            return
        self.busy, booked = True, False
        try:
            self.address = self.address if address is None else address[:LONGEST_CHOICE]
            yield
            made = await self._send(self.car.id, total, deposit, at_once, str(numbers)[:LONGEST_CHOICE])
            booked = True
        except NotAuthenticatedError as error:
            session = await self.get_state(SessionState)
            for event in session_over(error) if session.logged_in else ():
                yield event
            login = await self.get_state(LoginState)
            login.wanted, login.wanted_image = self.car.title, self.car.image
            yield ask_to_log_in(BOOKING, self.router.url.path)
        except PriceChangedError as error:
            self.meaning = reviewed_price(error.quote, clock.now(), before=self.price)
            self.price = price_text(error.quote)
            self.refusal = f"{error.message}. Please check it and press again"
            yield error_toast(self.refusal)
        except RentalError as error:
            await self._show_refusal(error)
            await self._look_for_own()
            yield refusal_toast(error)
            yield focus(ADDRESS_ID if "address" in error.fields else "review-refusal")
        else:
            (await self.get_state(SentRequestState))._note(made.reference)
            # At the top of a phone it would lie over the heading that says the same.
            yield success_toast(requests.MADE[made.status], position="bottom-center")
            yield redirect(booking_url(made.reference), replace=True, asked_on=self.router.url.path)
        finally:
            # Busy until the page is left: the second of two quick presses would be told that the dates are taken.
            self.busy = booked

    async def _send(
        self, vehicle_id: int, total: int | None, deposit: int | None, at_once: bool | None, numbers: str
    ) -> BookingView:
        # A visitor who still has to log in is told what is wrong with the dates or the address first.
        read_window(self.pickup, self.return_at)
        wanted = self._wanted(vehicle_id, self.address)
        try:
            actor = await (await self.get_state(SessionState))._bearer()
        except NotAuthenticatedError:
            await read(quotes.quote_for, caller_of(self), wanted)
            raise
        if total is None or deposit is None:
            quote = await read(quotes.quote_for, caller_of(self), wanted)
            raise PriceChangedError("The price had not been shown yet", quote)
        shown: dict[str, object] = {"expected_total": total, "expected_deposit": deposit}
        shown |= {"expected_at_once": at_once, "expected_numbers": numbers}
        return await write(requests.create, actor, wanted.model_copy(update=shown), terms=self.terms_version)

    async def _show(self) -> None:
        options = read_options(parse_qsl(self.router.url.query))
        caller, query = await self._caller(), read_query(options.items())
        window = window_of(*walls(query))
        details = await read(reviewed, caller, read_id(address_part(self, -2)), window)
        self.pickup, self.return_at = walls(query, details.vehicle.hours)
        window = window_of(self.pickup, self.return_at)
        self.documents = await own_documents(caller, self.asked_url) if isinstance(caller, Actor) else None
        checked = self.documents.checked if self.documents else []
        self.car, self.missing = review_page(details, window, options, checked), False
        self.terms_version, self.ways = await read(words.terms_version), []
        self.requested_href = booking_url(details.requested) if details.requested else ""
        self._take_options(options)
        if self.needs_address and not self.address and isinstance(caller, Actor):
            own = await read(profile.profile, caller)
            parts = (own.address, own.landmark, own.city, own.pincode)
            if own.address:
                self.address = ", ".join(filter(None, parts))[:LONGEST_CHOICE]
                self.address_filled += 1
        await self._quote()
        if details.is_own:
            error = ForbiddenError(OWN, code="own_vehicle")
            await self._show_instead(error)
            raise error

    async def _price(self, vehicle_id: int) -> None:
        quote = await read(quotes.quote_for, await self._caller(), self._wanted(vehicle_id))
        # After a refusal, what differs from the price that was shown is marked.
        self.meaning = reviewed_price(quote, clock.now(), before=self.price)
        self.price = price_text(quote)

    async def _show_instead(self, error: RentalError) -> None:
        await super()._show_instead(error)
        self.awaits_answers = error.code == "too_many_unanswered"
        href = self.documents.href if self.documents else "/account"
        self.ways = licence_ways(error.code, self.car.change, href) if self.car else []
        options = read_options(parse_qsl(self.router.url.query))
        windows = [(each.text, each.pickup, each.return_at) for each in self.nearest]
        self.free_windows = free_links(self.car.id, windows, options) if self.car else []

    async def _look_for_own(self) -> None:
        """After a refusal: another tab may have sent the same request."""
        window = window_of(self.pickup, self.return_at)
        with contextlib.suppress(RentalError):
            if self.car and window:
                details = await read(reviewed, await self._caller(), self.car.id, window)
                self.requested_href = booking_url(details.requested) if details.requested else ""


continue_after_login(BOOKING, ReviewState.show_again)
