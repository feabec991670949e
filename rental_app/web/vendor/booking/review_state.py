"""What a vendor says about a customer, and answers to what the customer said."""

from collections.abc import AsyncIterator
from typing import Any

from sqlmodel import Session

from rental_app.schemas.reviews import ReviewReplyRequest, ReviewRequest
from rental_app.schemas.trips import TripView
from rental_app.schemas.validation import validated
from rental_app.services.accounts.actor import Actor
from rental_app.services.reviews import writing
from rental_app.services.trips import detail
from rental_app.web.parts.reviews.presenter import FIRST_STAR, NO_STARS
from rental_app.web.session.events import focus
from rental_app.web.session.vendor_auth import manager_change, staff_change
from rental_app.web.vendor.booking.state import VendorTripState, from_form

# The places where a refusal is shown.
REVIEW, ANSWER = "review", "answer"


class TripReviewState(VendorTripState):
    """The reviews on the vendor's page of a booking."""

    @staff_change
    async def write_review(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Send the review, or a new version of it."""
        if not form.get("stars"):
            self.errors = {REVIEW: NO_STARS}
            yield focus(FIRST_STAR)
            return
        fields = {"stars": form.get("stars"), "text": form.get("text", "")}
        async for event in self._change(actor, REVIEW, writing.THANKS, from_form(writing.write, ReviewRequest), fields):
            yield event

    @manager_change
    async def answer(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Answer what the customer wrote, for everybody to see."""
        theirs = self.trip.review.theirs if self.trip and self.trip.review else None
        if theirs is None:
            return
        async for event in self._change(actor, ANSWER, writing.ANSWERED, _answer, theirs.id, form):
            yield event


def _answer(session: Session, actor: Actor, ref: str, review_id: int, form: dict[str, Any]) -> TripView:
    writing.answer(session, actor, review_id, validated(ReviewReplyRequest, {"text": form.get("text", "")}))
    return detail.own(session, actor, ref, "vendor")
