"""Reviews as they are sent and shown."""

from typing import Annotated

from pydantic import Field

from rental_app.schemas.wire import CLEAN, IN_SIGHT, Answer, Body, IndianTime, Paged, Text, WholeNumber, Wire, at_most

MAX_WORDS = 2000
Words = Annotated[str, at_most(MAX_WORDS), CLEAN, IN_SIGHT]


class ReviewRequest(Body):
    """What one side of a trip says about the other; the text may be left out."""

    stars: Annotated[WholeNumber, Field(ge=1, le=5, examples=[5])]
    text: Words = Field(default="", examples=["Clean scooter, full tank, on time"])


class ReviewReplyRequest(Wire):
    """A vendor's answer to a review."""

    text: Annotated[Words, Field(min_length=1, title="Your answer", examples=["Thank you, come again"])]


class ReportRequest(Wire):
    """What is wrong with a review."""

    note: Annotated[Text, Field(min_length=1, examples=["This is about another vehicle"])]


class VendorReply(Wire):
    """The vendor's answer."""

    text: str
    at: IndianTime


class ReviewView(Wire):
    """A review as it is shown; `by` is a vendor's name, or a customer's first name and initial."""

    id: int
    stars: int
    text: str
    by: str
    at: IndianTime
    answer: VendorReply | None


class OwnReview(ReviewView):
    """A review as its writer sees it."""

    shown: bool = Field(description="Whether it is published; until then it can be changed")
    hidden: bool = Field(description="An operator has hidden it")


class ReceivedReview(ReviewView):
    """A review as the vendor it is about sees it, with its vehicle and booking."""

    vehicle: str
    reference: str


class Rated(Wire):
    """How many shown reviews there are, and the average of their stars."""

    rating: float | None
    reviews: int


class CustomerRated(Rated):
    """What vendors said about a customer, the newest first."""

    said: list[ReviewView]


class TripReviews(Wire):
    """What the two sides of a returned trip say about each other, as one of them sees it."""

    until: IndianTime | None = Field(description="Until when one's own can be written or changed; null when it cannot")
    mine: OwnReview | None
    theirs: ReviewView | None
    customer: CustomerRated | None = Field(description="For the vendor of a request")


class ReviewAnswer(Answer):
    """One review."""

    review: ReviewView


class ReviewsAnswer(Paged):
    """Reviews, the newest first, with the overall average and the number of reviews for each number of stars."""

    rating: float | None
    distribution: dict[int, int]
    reviews: list[ReviewView]
