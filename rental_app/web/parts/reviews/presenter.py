"""Reviews as pages show them."""

from datetime import datetime

from pydantic import BaseModel

from rental_app.domain import clock
from rental_app.domain.money import counted
from rental_app.domain.reviews import STARS, rating
from rental_app.schemas.reviews import CustomerRated, OwnReview, ReviewsAnswer, ReviewView, TripReviews

# How many are shown at first.
FEW = 5
# What a form without stars is told, and the element it leads to.
NO_STARS, FIRST_STAR = "Choose one to five stars", "stars-1"


class ReviewText(BaseModel):
    """One review; `answer` is blank if its vendor has not answered."""

    id: int
    stars: int
    text: str
    by: str
    when: str
    answer: str
    answered: str


class StarBar(BaseModel):
    """How many reviews give a number of stars, and the percentage of all that this is."""

    stars: int
    count: int
    share: int


class ReviewsView(BaseModel):
    """What customers said; `rating` is blank without reviews, `more` is how many are not shown yet.

    `rating` and `count` read as one: '4.6 of 5' and 'from 12 reviews'.
    """

    rating: str
    count: str
    bars: list[StarBar]
    reviews: list[ReviewText]
    more: int


class TripReview(BaseModel):
    """The reviews of a returned trip: one's own, with what can be done with it, and the other side's.

    `stars` and `text` are what is written so far (0 without); `until` is blank when it can no longer be written.
    """

    until: str
    stars: int
    text: str
    note: str
    answer: str
    theirs: ReviewText | None


class CustomerRating(BaseModel):
    """What vendors said about a customer."""

    line: str
    reviews: list[ReviewText]


def rated(stars_total: int, reviews: int) -> str:
    """An average with the number of its reviews: '4.6 of 5 from 12 reviews'; '' without any."""
    return " ".join(rated_parts(rating(stars_total, reviews), reviews)).strip()


def rated_parts(average: float | None, reviews: int, noun: str = "review") -> tuple[str, str]:
    """The two halves of a rating in words: '4.6 of 5' and 'from 12 reviews'; blank without any."""
    return (f"{average} of 5", f"from {counted(reviews, noun)}") if reviews else ("", "")


def reviews_view(answer: ReviewsAnswer) -> ReviewsView:
    """A list of reviews, or its beginning."""
    each = answer.distribution
    total = sum(each.values())
    average, count = rated_parts(answer.rating, total)
    return ReviewsView(
        rating=average,
        count=count or "No reviews yet",
        bars=[StarBar(stars=stars, count=each[stars], share=100 * each[stars] // total) for stars in STARS if total],
        reviews=[review_text(one) for one in answer.reviews],
        more=total - len(answer.reviews),
    )


def review_text(review: ReviewView) -> ReviewText:
    """A review with its answer."""
    return ReviewText(
        id=review.id,
        stars=review.stars,
        text=review.text,
        by=review.by,
        when=_month(review.at),
        answer=review.answer.text if review.answer else "",
        answered=_month(review.answer.at) if review.answer else "",
    )


def _month(at: datetime) -> str:
    return f"{clock.indian(at):%B %Y}"


def trip_review(reviews: TripReviews) -> TripReview | None:
    """What a booking's page says about reviews; None if nothing was written and nothing can be."""
    if not (reviews.until or reviews.mine or reviews.theirs):
        return None
    own = reviews.mine
    return TripReview(
        until=clock.friendly(reviews.until) if reviews.until else "",
        stars=own.stars if own else 0,
        text=own.text if own else "",
        note=_note(own) if own else "",
        answer=own.answer.text if own and own.answer else "",
        theirs=review_text(reviews.theirs) if reviews.theirs else None,
    )


def _note(review: OwnReview) -> str:
    if review.hidden:
        return "Removed after it was reported."
    return "Everybody can see your review." if review.shown else "Written, not shown yet."


def customer_rating(summary: CustomerRated | None) -> CustomerRating | None:
    """What a vendor reads about somebody who requests a vehicle; None if no vendor has said anything."""
    if summary is None or not summary.reviews:
        return None
    return CustomerRating(
        line=customer_line(summary.rating, summary.reviews), reviews=[review_text(one) for one in summary.said]
    )


def customer_line(average: float | None, reviews: int) -> str:
    """The rating that vendors gave a customer; '' if none has."""
    return " ".join(rated_parts(average, reviews, "vendor review")).strip()
