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
    said: list[ReviewText]
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
    said: list[ReviewText]


def rated(stars_total: int, reviews: int) -> str:
    """An average with the number of its reviews: '4.6 of 5 from 12 reviews'; '' without any."""
    return " ".join(rated_parts(rating(stars_total, reviews), reviews)).strip()


def rated_parts(average: float | None, reviews: int, noun: str = "review") -> tuple[str, str]:
    """The two halves of a rating in words: '4.6 of 5' and 'from 12 reviews'; blank without any."""
    return (f"{average} of 5", f"from {counted(reviews, noun)}") if reviews else ("", "")


def reviews_view(found: ReviewsAnswer) -> ReviewsView:
    """A list of reviews, or its beginning."""
    each = found.distribution
    total = sum(each.values())
    average, count = rated_parts(found.rating, total)
    return ReviewsView(
        rating=average,
        count=count or "No reviews yet",
        bars=[StarBar(stars=stars, count=each[stars], share=100 * each[stars] // total) for stars in STARS if total],
        said=[review_text(one) for one in found.reviews],
        more=total - len(found.reviews),
    )


def review_text(said: ReviewView) -> ReviewText:
    """A review with its answer."""
    return ReviewText(
        id=said.id,
        stars=said.stars,
        text=said.text,
        by=said.by,
        when=_month(said.at),
        answer=said.answer.text if said.answer else "",
        answered=_month(said.answer.at) if said.answer else "",
    )


def _month(at: datetime) -> str:
    return f"{clock.indian(at):%B %Y}"


def trip_review(said: TripReviews) -> TripReview | None:
    """What a booking's page says about reviews; None if nothing was written and nothing can be."""
    if not (said.until or said.mine or said.theirs):
        return None
    mine = said.mine
    return TripReview(
        until=clock.friendly(said.until) if said.until else "",
        stars=mine.stars if mine else 0,
        text=mine.text if mine else "",
        note=_note(mine) if mine else "",
        answer=mine.answer.text if mine and mine.answer else "",
        theirs=review_text(said.theirs) if said.theirs else None,
    )


def _note(mine: OwnReview) -> str:
    if mine.hidden:
        return "Removed after it was reported."
    return "Everybody can see your review." if mine.shown else "Written, not shown yet."


def customer_rating(known: CustomerRated | None) -> CustomerRating | None:
    """What a vendor reads about somebody who requests a vehicle; None if no vendor has said anything."""
    if known is None or not known.reviews:
        return None
    return CustomerRating(
        line=customer_line(known.rating, known.reviews), said=[review_text(one) for one in known.said]
    )


def customer_line(average: float | None, reviews: int) -> str:
    """The rating that vendors gave a customer; '' if none has."""
    return " ".join(rated_parts(average, reviews, "vendor review")).strip()
