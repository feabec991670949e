"""Reading what customers said, and reporting what should not be there."""

from collections.abc import AsyncIterator
from typing import Any

import reflex as rx

from rental_app.domain.errors import RentalError
from rental_app.domain.ids import MAX_ID, read_id
from rental_app.schemas.reviews import ReportRequest
from rental_app.schemas.validation import validated
from rental_app.schemas.wire import Page
from rental_app.services.reviews import reading, writing
from rental_app.web.parts.reviews.presenter import FEW, ReviewsView, reviews_view
from rental_app.web.session.address import address_part
from rental_app.web.session.base import acting_user, caller_of, read, write
from rental_app.web.session.events import close_dialog, focus, open_dialog, success_toast
from rental_app.web.session.handlers import action, change, one_at_a_time

REPORTING, NOTE = "report-review", "report-note"
FORGOTTEN = "Please press Report beside the review again: we no longer know which one it was"
_LONGEST_NAME = 100


class VehicleReviewsState(rx.State):
    """What customers said about the vehicle of the page's address."""

    shown: ReviewsView | None = None
    _of: int = 0
    _many: int = FEW

    @action
    async def load(self) -> AsyncIterator[Any]:
        """Show the newest reviews; the vehicle's own state says when there is no such vehicle."""
        vehicle_id = read_id(address_part(self))
        if vehicle_id != self._of:
            self.shown, self._of, self._many = None, vehicle_id, FEW
            yield
        await self._show()

    @action
    async def show_more(self) -> None:
        """Show as many again, if there are more."""
        if self.shown and self.shown.more:
            self._many *= 2
            await self._show()

    async def _show(self) -> None:
        try:
            answer = await read(reading.of_vehicle, caller_of(self), self._of, Page.first(self._many))
        except RentalError:
            return
        self.shown = reviews_view(answer)


class ReportState(rx.State):
    """The review to be reported."""

    about: str = ""
    refusal: str = ""
    busy: bool = False
    _asked: int = 0

    @action
    async def ask(self, review: int, by: str) -> AsyncIterator[Any]:
        """Ask what is wrong with a review."""
        if type(review) is not int or not 0 < review <= MAX_ID:
            return
        self._asked, self.about, self.refusal = review, str(by)[:_LONGEST_NAME], ""
        yield open_dialog(REPORTING)

    @change
    @one_at_a_time
    async def send(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Report the review that was asked about."""
        if not self._asked:
            # Sent already, or asked before the server was restarted.
            self.refusal = "" if self.about else FORGOTTEN
            return
        self.refusal = ""
        yield
        try:
            request = validated(ReportRequest, {"note": form.get("note", "")})
            actor = await acting_user(self)
            thanks = await write(writing.report, actor, self._asked, request)
        except RentalError as error:
            self.refusal = error.fields.get("note", error.message)
            yield focus(NOTE)
            raise
        else:
            self._asked = 0
            yield close_dialog(REPORTING)
            yield success_toast(thanks)
