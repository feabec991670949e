"""Reviews as they are sent and shown."""

from typing import Annotated

from pydantic import Field

from rental_app.schemas.wire import (
    CLEAN,
    IN_SIGHT,
    Answer,
    AverageStars,
    Body,
    EventTime,
    IndianTime,
    ItsId,
    Paged,
    ReviewCount,
    Text,
    WholeNumber,
    Wire,
    at_most,
)

MAX_WORDS = 2000
Words = Annotated[str, at_most(MAX_WORDS), CLEAN, IN_SIGHT]
StarDistribution = Annotated[
    dict[int, int], Field(description="How many reviews there are, for each number of stars from 1 to 5")
]


class ReviewRequest(Body):
    """What one side of a trip says about the other; the text may be left out."""

    stars: Annotated[WholeNumber, Field(ge=1, le=5, examples=[5])] = Field(description="Stars, from 1 to 5")
    text: Words = Field(default="", examples=["Clean scooter, full tank, on time"], description="The words")


class ReviewReplyRequest(Wire):
    """A vendor's answer to a review."""

    text: Annotated[Words, Field(min_length=1, title="Your answer", examples=["Thank you, come again"])] = Field(
        description="The words"
    )


class ReportRequest(Wire):
    """What is wrong with a review."""

    note: Annotated[Text, Field(min_length=1, examples=["This is about another vehicle"])] = Field(
        description="What is wrong with the review"
    )


class VendorReply(Wire):
    """The vendor's answer."""

    text: str = Field(description="The words")
    at: EventTime


class ReviewView(Wire):
    """A review as it is shown; `by` is a vendor's name, or a customer's first name and initial."""

    id: ItsId
    stars: int = Field(description="Stars, from 1 to 5")
    text: str = Field(description="The words")
    by: str = Field(description="Who wrote it: a vendor's name, or a customer's first name and initial")
    at: EventTime
    answer: VendorReply | None = Field(description="The vendor's answer, null if there is none")


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

    rating: AverageStars
    reviews: ReviewCount


class CustomerRated(Rated):
    """What vendors said about a customer, the newest first."""

    said: list[ReviewView] = Field(description="The reviews, the newest first")


class TripReviews(Wire):
    """What the two sides of a returned trip say about each other, as one of them sees it."""

    until: IndianTime | None = Field(description="Until when one's own can be written or changed; null when it cannot")
    mine: OwnReview | None = Field(description="One's own review, null if there is none")
    theirs: ReviewView | None = Field(description="The other side's review, null until it is shown")
    customer: CustomerRated | None = Field(description="For the vendor of a request")


class ReviewAnswer(Answer):
    """One review."""

    review: ReviewView = Field(description="The review")


class ReviewsAnswer(Paged):
    """Reviews, the newest first, with the overall average and the number of reviews for each number of stars."""

    rating: AverageStars
    distribution: StarDistribution
    reviews: list[ReviewView] = Field(description="The reviews, the newest first")
