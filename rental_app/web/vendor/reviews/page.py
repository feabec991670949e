"""The vendor's page Reviews: what customers said, with ways to answer and to report it."""

import reflex as rx

from rental_app.schemas.reviews import MAX_WORDS
from rental_app.web.frame.vendor import vendor_layout
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.field import field, lines_input
from rental_app.web.parts.links import link_button
from rental_app.web.parts.notice import notice, refreshable, skeleton
from rental_app.web.parts.reviews.part import rated, report_dialog, review_text
from rental_app.web.parts.theme import LIST, MUTED, PANEL
from rental_app.web.react.browser_draft import drafted
from rental_app.web.vendor.reviews.presenter import ReceivedReviewsPage, ReceivedReviewText
from rental_app.web.vendor.reviews.state import ReceivedState as State
from rental_app.web.vendor.reviews.state import answer_id


def vendor_reviews() -> rx.Component:
    """Everything that customers said about the vendor's trips, newest first."""
    return vendor_layout(
        "Reviews",
        *refreshable(State.page, _content(State.page), State, "Your reviews", skeleton("h-96")),
        report_dialog(),
        waiting=skeleton("h-96"),
    )


def _content(page: rx.Var[ReceivedReviewsPage]) -> rx.Component:
    more = button(f"Show more reviews ({page.more} left)", extra="mt-4", on_click=State.show_more)
    listed = rx.fragment(
        rx.el.p(rated(page.rating, "mr-2 text-xl"), rx.el.span(page.count, class_name=MUTED)),
        rx.el.ul(rx.foreach(page.reviews, _item), class_name=f"mt-4 {LIST}"),
        rx.cond(page.more > 0, more),
    )
    none = notice(
        "No reviews yet",
        "After each trip the customer can rate it, and you can rate the customer.",
        link_button("See your bookings", "/vendor/manage-bookings"),
    )
    return rx.cond(page.reviews, rx.el.div(listed, class_name=f"{PANEL} max-w-3xl p-4 sm:p-6"), none)


def _item(review: rx.Var[ReceivedReviewText]) -> rx.Component:
    form = rx.el.form(
        rx.el.input(type="hidden", name="review", default_value=review.id.to_string()),
        field(
            rx.fragment("Your answer", rx.el.span(f" to {review.by}", class_name="sr-only")),
            "text",
            id=answer_id(review.id),
            control=lines_input,
            rows="3",
            max_length=MAX_WORDS,
            hint="You can answer once; everyone can see it.",
            error=rx.cond(State.refused == review.id, State.refusal, ""),
        ),
        submit("Send the answer", variant="quiet", extra="mt-3", disabled=State.busy),
        on_submit=State.answer,
        no_validate=True,
        custom_attrs=drafted(f"review-answer {review.id}") | {"aria-label": f"Answer {review.by}"},
        class_name="mt-2",
    )
    return rx.el.li(
        rx.el.p(
            "For ",
            rx.el.a(review.vehicle, href=review.href, class_name="font-medium text-(--ink) underline"),
            class_name="mb-1 text-sm",
        ),
        review_text(review),
        rx.cond(
            review.answer,
            rx.fragment(),
            rx.el.details(
                rx.el.summary(
                    "Answer",
                    rx.el.span(f" {review.by}", class_name="sr-only"),
                    class_name=(
                        "inline-flex min-h-(--press) cursor-pointer items-center font-medium text-(--accent-11)"
                        " underline"
                    ),
                ),
                form,
            ),
        ),
        key=review.id,
        class_name="py-5 first:pt-0",
    )
