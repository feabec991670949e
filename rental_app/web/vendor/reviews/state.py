"""What customers said about the vendor's trips, and answering it."""

from collections.abc import AsyncIterator
from typing import Any

from sqlmodel import Session

from rental_app.domain.errors import RentalError
from rental_app.domain.ids import read_id
from rental_app.schemas.reviews import ReviewReplyRequest
from rental_app.schemas.validation import validated
from rental_app.schemas.wire import Page
from rental_app.services.accounts.actor import Actor
from rental_app.services.reviews import reading, writing
from rental_app.web.session.base import PrivateState, read, write
from rental_app.web.session.events import focus, success_toast
from rental_app.web.session.handlers import one_at_a_time
from rental_app.web.session.vendor_auth import manager_action, manager_change, manager_load
from rental_app.web.vendor.reviews.presenter import ReceivedReviewsPage, received_page

MANY = 20


class ReceivedState(PrivateState):
    """The reviews shown; `refusal` is why the answer to the one with the id `refused` was not accepted."""

    page: ReceivedReviewsPage | None = None
    problem: str = ""
    refused: int = 0
    refusal: str = ""
    busy: bool = False
    _many: int = MANY

    @manager_load
    async def load(self, actor: Actor) -> None:
        """Show the newest reviews, and clear an earlier refusal."""
        self.refused, self.refusal = 0, ""
        await self._show(actor)

    @manager_action
    async def show_more(self, actor: Actor) -> None:
        """Show as many again, if there are more."""
        if self.page and self.page.more:
            self._many *= 2
            await self._show(actor)

    @manager_change
    @one_at_a_time
    async def answer(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Answer the review that a form is about, for everybody to see."""
        self.refused, self.refusal = 0, ""
        yield
        review = read_id(str(form.get("review", "")))
        try:
            await write(_answer, actor, review, form)
        except RentalError as error:
            self.refused, self.refusal = review, error.fields.get("text", error.message)
            yield focus(answer_id(review))
            raise
        await self._show(actor)
        yield success_toast(writing.ANSWERED)

    async def _show(self, actor: Actor) -> None:
        self.page = received_page(await read(reading.of_vendor, actor, Page.first(self._many)))
        self.problem = ""


def answer_id(review: object) -> str:
    """The id of the field of the answer to a review."""
    return f"answer-{review}"


def _answer(session: Session, actor: Actor, review: int, form: dict[str, Any]) -> None:
    writing.answer(session, actor, review, validated(ReviewReplyRequest, {"text": form.get("text", "")}))
