"""The stars and the words of reviews: how they are shown, and how they are entered."""

from typing import Any

import reflex as rx

from rental_app.schemas.reviews import MAX_WORDS
from rental_app.schemas.wire import MAX_TEXT
from rental_app.web.parts.block import block, part
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.dialogs import answers, form_dialog
from rental_app.web.parts.field import field, field_error, lines_input
from rental_app.web.parts.reviews.presenter import ReviewsView, ReviewText, StarBar, TripReview
from rental_app.web.parts.reviews.state import NOTE, REPORTING, ReportState
from rental_app.web.parts.theme import LIST, MUTED
from rental_app.web.react.browser_draft import drafted

REVIEWS_ID = "reviews"
_WORDS = ("Bad", "Poor", "Fair", "Good", "Excellent")
_SMALL = "cursor-pointer text-sm underline " + MUTED


def review_list(view: rx.Var[ReviewsView], on_more: rx.event.EventType[()]) -> rx.Component:
    """The average, its distribution, and what was written, newest first."""
    more = button(f"Show more reviews ({view.more} left)", extra="mt-4", on_click=on_more)
    return rx.el.div(
        part(
            "Reviews",
            rx.el.p(
                rx.cond(view.rating, rated(view.rating, "mr-2 text-xl"), rx.fragment()),
                rx.el.span(view.count, class_name=MUTED),
            ),
            rx.cond(
                view.reviews, rx.el.dl(rx.foreach(view.bars, _bar), class_name="mt-3 flex max-w-md flex-col gap-1")
            ),
            rx.el.ul(
                rx.foreach(
                    view.reviews,
                    lambda review: rx.el.li(review_text(review), key=review.id, class_name="py-4 first:pt-0"),
                ),
                class_name=f"mt-4 {LIST}",
            ),
            rx.cond(view.more > 0, more),
        ),
        id=REVIEWS_ID,
        class_name="scroll-mt-20",
    )


def _bar(bar: rx.Var[StarBar]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(
            bar.stars,
            rx.el.span(rx.cond(bar.stars == 1, " star", " stars"), class_name="sr-only"),
            class_name="w-3 text-right tabular-nums",
        ),
        rx.el.dd(
            rx.el.span(
                rx.el.progress(value=bar.share, max=100, class_name="bar", custom_attrs={"aria-hidden": "true"}),
                class_name="min-w-0 flex-1",
            ),
            rx.el.span(bar.count, class_name="w-8 text-right tabular-nums"),
            class_name="m-0 flex flex-1 items-center gap-2",
        ),
        class_name=f"{MUTED} flex items-center gap-2 text-sm",
    )


def review_text(review: rx.Var[ReviewText]) -> rx.Component:
    """One review with its answer, and the way to report it."""
    return rx.fragment(
        rx.el.p(
            stars(review.stars),
            rx.el.strong(review.by, class_name="wrap-anywhere"),
            rx.el.span(review.when, class_name=f"{MUTED} text-sm"),
            class_name="flex flex-wrap items-center gap-x-3",
        ),
        rx.cond(review.text, rx.el.p(review.text, class_name="mt-1 whitespace-pre-line wrap-anywhere")),
        rx.cond(review.answer, reply(review.answer, review.answered)),
        button(
            "Report",
            rx.el.span(f" what {review.by} wrote", class_name="sr-only"),
            on_click=ReportState.ask(review.id, review.by),
            class_name=f"{_SMALL} mt-1 inline-flex min-h-(--press) items-center",
        ),
    )


def reply(answer: rx.Var[str], when: rx.Var[str] | str = "") -> rx.Component:
    """What the vendor answered."""
    return rx.el.div(
        rx.el.p("The vendor's answer ", rx.el.span(when, class_name=MUTED), class_name="text-sm font-semibold"),
        rx.el.p(answer, class_name="whitespace-pre-line wrap-anywhere"),
        class_name="mt-2 rounded-xl bg-(--gray-a3) p-3",
    )


def report_dialog() -> rx.Component:
    """Asks what is wrong with a review."""
    return form_dialog(
        field("What is wrong with it?", "note", id=NOTE, max_length=MAX_TEXT, error=ReportState.refusal),
        answers("Not now", submit("Report", disabled=ReportState.busy)),
        name=REPORTING,
        title="Report this review",
        label="Report a review",
        description=f"What {ReportState.about} wrote. We will look at it, and remove it if it breaks the terms.",
        about=ReportState.about != "",
        on_submit=ReportState.send,
        look="",
    )


def own_review(
    review: rx.Var[TripReview], *, of_whom: str, on_submit: rx.EventHandler, problem: rx.Var[str], busy: rx.Var[bool]
) -> rx.Component:
    """The user's own review: the form while it can be written, then what was written; below it the other side's."""
    written = rx.cond(
        review.stars > 0,
        rx.fragment(
            rx.el.p(stars(review.stars), class_name="mt-2"),
            rx.cond(review.text, rx.el.p(review.text, class_name="mt-1 whitespace-pre-line wrap-anywhere")),
            rx.cond(review.answer, reply(review.answer)),
        ),
    )
    return block(
        "Reviews",
        rx.cond(review.note, rx.el.p(review.note, role="status", class_name="font-medium")),
        rx.cond(review.until, _form(review, of_whom, on_submit, problem, busy), written),
        rx.cond(
            review.theirs,
            rx.el.div(
                rx.el.h3("What they said of you", class_name="mb-2 font-semibold"),
                review_text(review.theirs),
                class_name="mt-4 border-t border-(--line) pt-4",
            ),
        ),
    )


def _form(
    review: rx.Var[TripReview], of_whom: str, on_submit: rx.EventHandler, problem: rx.Var[str], busy: rx.Var[bool]
) -> rx.Component:
    return rx.el.form(
        rx.el.fieldset(
            rx.el.legend(f"How was {of_whom}?", class_name="mb-2 text-sm font-medium"),
            rx.el.div(*[_star(number, word, review) for number, word in enumerate(_WORDS, 1)], class_name="stars"),
            field_error("stars", problem),
            class_name="m-0 border-0 p-0",
            custom_attrs={"aria-describedby": rx.cond(problem, "stars-error", "")},
        ),
        field(
            "In your words",
            "text",
            id="review-text",
            control=lines_input,
            default_value=review.text,
            rows="4",
            max_length=MAX_WORDS,
            hint="Shown once both of you have written, or the time for it is over. Until then you can change it.",
            box="mt-4",
        ),
        submit(rx.cond(review.stars > 0, "Change the review", "Send the review"), extra="mt-4", disabled=busy),
        rx.el.p("You can write until ", review.until, ".", class_name=f"{MUTED} mt-2 text-sm"),
        on_submit=on_submit,
        no_validate=True,
        custom_attrs=drafted("review") | {"aria-label": "Your review"},
        class_name="mt-2",
    )


def _star(number: int, word: str, review: rx.Var[TripReview]) -> rx.Component:
    return rx.el.label(
        rx.el.input(
            type="radio",
            name="stars",
            id=f"stars-{number}",
            value=str(number),
            default_checked=review.stars == number,
            class_name="sr-only",
        ),
        rx.icon("star", size=28),
        rx.el.span(f"{number} ", rx.el.span(word, class_name="sr-only"), class_name="text-sm"),
    )


def stars(figure: rx.Var[Any], class_name: str = "") -> rx.Component:
    """A star and how many of five one review gives."""
    return rated(rx.fragment(figure, rx.el.span(" of 5 stars", class_name="sr-only")), class_name)


def rated(words: rx.Var[str] | rx.Component, class_name: str = "") -> rx.Component:
    """A star and an average in words."""
    return rx.el.span(
        rx.icon("star", size=16, class_name="shrink-0 fill-(--marigold) text-(--marigold)"),
        rx.el.span(words),
        class_name=f"inline-flex items-center gap-1 font-semibold {class_name}",
    )
