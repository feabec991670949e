"""A customer's review of a trip."""

from collections.abc import AsyncIterator
from typing import Any

from rental_app.domain.errors import RentalError
from rental_app.schemas.reviews import ReviewRequest
from rental_app.schemas.validation import validated
from rental_app.services.reviews import writing
from rental_app.web.screens.my_booking.state import MyBookingState
from rental_app.web.session.address import asked_for
from rental_app.web.session.base import write
from rental_app.web.session.events import error_toast, focus, success_toast
from rental_app.web.session.handlers import change, one_at_a_time

NO_STARS, FIRST_STAR = "Choose one to five stars", "stars-1"


class MyReviewState(MyBookingState):
    """The form of a review on the booking's page."""

    @change
    @one_at_a_time
    async def write_review(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Send the review, or a new version of it."""
        self.review_problem = "" if form.get("stars") else NO_STARS
        if self.review_problem:
            yield error_toast(self.review_problem)
            yield focus(FIRST_STAR)
            return
        yield
        try:
            request = validated(ReviewRequest, {"stars": form.get("stars"), "text": form.get("text", "")})
            self._take(await write(writing.write, await self._acting(), asked_for(self), request))
        except RentalError as error:
            self.review_problem = error.message
            await self._try_to_show()
            raise
        else:
            yield success_toast(writing.THANKS)
