"""What customers said about a vendor's trips, as the vendor's page shows it."""

from pydantic import BaseModel

from rental_app.services.reviews.reading import ReceivedReviews
from rental_app.web.parts.presenters.links import vendor_booking_url
from rental_app.web.parts.reviews.presenter import ReviewText, rated_parts, review_text


class ReceivedReviewText(ReviewText):
    """A review with the booking it is about."""

    vehicle: str
    href: str


class ReceivedReviewsPage(BaseModel):
    """The newest reviews; `rating` is blank without any, `more` is how many are not shown yet."""

    rating: str
    count: str
    reviews: list[ReceivedReviewText]
    more: int


def received_page(reviews: ReceivedReviews) -> ReceivedReviewsPage:
    """What the page shows of the reviews that a vendor has."""
    average, count = rated_parts(reviews.rating, reviews.total)
    return ReceivedReviewsPage(
        rating=average,
        count=count,
        reviews=[
            ReceivedReviewText(
                **review_text(one).model_dump(), vehicle=one.vehicle, href=vendor_booking_url(one.reference)
            )
            for one in reviews.reviews
        ],
        more=reviews.total - len(reviews.reviews),
    )
