"""What the two sides of a trip say about each other, on its page for the vendor."""

import reflex as rx

from rental_app.schemas.reviews import MAX_WORDS
from rental_app.web.parts.button import submit
from rental_app.web.parts.field import field, lines_input
from rental_app.web.parts.reviews.part import own_review, stars
from rental_app.web.parts.reviews.presenter import CustomerRating, ReviewText
from rental_app.web.parts.theme import MUTED
from rental_app.web.react.browser_draft import drafted
from rental_app.web.session.base import SessionState
from rental_app.web.vendor.booking.presenter import VendorTrip
from rental_app.web.vendor.booking.review_state import ANSWER, REVIEW
from rental_app.web.vendor.booking.review_state import TripReviewState as State
from rental_app.web.vendor.booking.state import field_id


def reviews(trip: rx.Var[VendorTrip]) -> rx.Component:
    """The vendor's own review, the customer's, and the answer to that."""
    form = own_review(
        trip.review, of_whom="the customer", on_submit=State.write_review, problem=State.errors[REVIEW], busy=State.busy
    )
    theirs = trip.review.theirs
    return rx.fragment(form, rx.cond(SessionState.is_vendor & theirs & ~theirs.answer.bool(), _answer()))


def _answer() -> rx.Component:
    return rx.el.form(
        field(
            "Your answer",
            "text",
            id=field_id(ANSWER),
            control=lines_input,
            rows="3",
            max_length=MAX_WORDS,
            hint="You can answer once; everyone can see it.",
            error=State.errors[ANSWER],
        ),
        submit("Answer", variant="quiet", extra="mt-3", disabled=State.busy),
        on_submit=State.answer,
        no_validate=True,
        custom_attrs=drafted("review-answer") | {"aria-label": "Answer the review"},
    )


def customer(rating: rx.Var[CustomerRating]) -> rx.Component:
    """What other vendors said about the customer who requests the vehicle."""
    return rx.el.details(
        rx.el.summary(rating.line, class_name="cursor-pointer font-medium"),
        rx.el.ul(rx.foreach(rating.reviews, _review), class_name="mt-2 list-none space-y-3 p-0"),
        class_name="mt-2",
    )


def _review(review: rx.Var[ReviewText]) -> rx.Component:
    return rx.el.li(
        rx.el.p(
            stars(review.stars),
            rx.el.span(f"{review.by}, {review.when}", class_name=f"{MUTED} text-sm wrap-anywhere"),
            class_name="flex flex-wrap items-center gap-3",
        ),
        rx.cond(review.text, rx.el.p(review.text, class_name="wrap-anywhere")),
        key=review.id,
    )
