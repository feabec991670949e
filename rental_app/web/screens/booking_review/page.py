"""The last step before a request: everything in it at one glance, and the one button that sends it."""

from typing import Any

import reflex as rx

from rental_app.infrastructure.settings import settings
from rental_app.schemas.wire import MAX_TEXT
from rental_app.web.frame.frame import BAR
from rental_app.web.frame.public import layout
from rental_app.web.parts.block import numbered
from rental_app.web.parts.button import submit
from rental_app.web.parts.field import field, typed_lines
from rental_app.web.parts.links import link_button
from rental_app.web.parts.notice import failure, notice, retry_strip
from rental_app.web.parts.presenters.texts import Link
from rental_app.web.parts.reviews.part import stars
from rental_app.web.parts.theme import BLOCK_TITLE, BUTTON, COLUMN, FIELD, MUTED, SKELETON, STAGE
from rental_app.web.parts.trips import cancelling
from rental_app.web.parts.vehicle_card.card import card_section
from rental_app.web.react.here import is_here
from rental_app.web.react.server_rendered import server_rendered
from rental_app.web.screens.booking_review.presenter import ADDRESS_ID, Moment
from rental_app.web.screens.booking_review.state import ReviewState

_CAR, _PRICE, _MEANING = ReviewState.car, ReviewState.price, ReviewState.meaning
_DOCUMENTS = ReviewState.documents
_LINK = "inline-flex min-h-10 items-center font-medium text-(--accent-11) underline"
_TILE = "rounded-2xl bg-(--gray-a3) p-4"
_ALL = "/vehicles"
_ROW = "flex justify-between gap-4 py-1.5"
_TOTAL = "mt-1 flex items-baseline justify-between gap-4 border-t border-(--gray-a7) pt-3"
_CHANGED = "-mx-2 rounded-xl bg-(--amber-a3) px-2 text-(--amber-12)"
_SPINNER = "size-5 animate-spin rounded-full border-2 border-current border-t-transparent"
# What the page shows is sent along: by then the server may know another price, and of the address it has only what was
# there when the typing last paused.
_SEND = ReviewState.send(
    _PRICE.total_paise,
    _PRICE.deposit_paise,
    rx.Var(f'document.getElementById("{ADDRESS_ID}")?.value ?? null', _var_type=str),
    _MEANING.at_once,
    _PRICE.numbers,
)
# On a phone the button stays at the foot of the screen (site.css keeps room for it).
_BAR = (
    "booking-bar flex flex-col gap-1 pt-6 max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:z-20 max-lg:border-t"
    " max-lg:border-(--line) max-lg:bg-(--surface) max-lg:px-4 max-lg:py-3"
)


_FREE = f"{BUTTON['quiet']} mt-2 w-full py-2 text-sm text-balance"


def booking_review() -> rx.Component:
    """The request, placeholders while it loads, or why there is none and a way on."""
    return layout(
        rx.el.div(
            server_rendered(
                "review",
                (ReviewState.car.bool() | ReviewState.missing) & is_here(ReviewState.asked_url),
                rx.cond(
                    _CAR,
                    _review(),
                    _step(
                        _ALL,
                        notice(
                            "This vehicle is not listed",
                            "It may have been taken off the platform.",
                            link_button("See all vehicles", _ALL),
                        ),
                    ),
                ),
                rx.cond(
                    ReviewState.problem,
                    _step(
                        _ALL,
                        failure("This request could not be loaded", ReviewState.problem, ReviewState.load),
                    ),
                    _step(
                        _ALL,
                        rx.el.div(
                            *[
                                rx.el.div(class_name=f"{SKELETON} {height}")
                                for height in ("h-10", "h-24", "h-36", "h-64", "h-40")
                            ],
                            class_name="flex flex-col gap-6",
                            custom_attrs={"aria-hidden": "true"},
                        ),
                    ),
                ),
                ReviewState.take_over,
                {"address": ReviewState.address},
                {"address": ADDRESS_ID},
            ),
            class_name="min-h-screen",
        ),
        plain=True,
    )


def _step(back: rx.Var[str] | str, *content: rx.Component) -> rx.Component:
    """The page under its plain bar."""
    return rx.fragment(
        rx.el.div(
            rx.el.a(
                rx.icon("arrow-left", size=22),
                rx.el.span("Back to the vehicle" if isinstance(back, rx.Var) else "Back", class_name="sr-only"),
                href=back,
                class_name="inline-flex size-11 shrink-0 items-center justify-center rounded-full text-(--ink)",
            ),
            # As wide as the way back on the other side: the title stands in the middle.
            rx.el.h1("Check your request", class_name="flex-1 pr-11 text-center text-lg font-semibold text-(--ink)"),
            class_name=f"{BAR} flex h-14 items-center border-b border-(--line) bg-(--surface) px-1 sm:px-4",
        ),
        rx.el.div(*content, class_name=f"{COLUMN} pt-5"),
    )


def _review() -> rx.Component:
    return _step(
        _CAR.change,
        rx.el.div(
            rx.el.img(
                src=_CAR.image,
                alt=_CAR.image_alt,
                custom_attrs={"width": "640", "height": "400", "fetchpriority": "high"},
                class_name=f"aspect-[8/5] h-auto w-28 shrink-0 rounded-2xl object-cover sm:w-40 {STAGE}",
            ),
            rx.el.div(
                rx.el.h2(_CAR.title, class_name="text-[17px] leading-6 font-bold text-(--ink) sm:text-xl"),
                rx.el.p(_CAR.subtitle, class_name=MUTED),
                rx.el.p(
                    rx.el.span(_CAR.vendor),
                    rx.cond(_CAR.vendor_rating, stars(_CAR.vendor_rating)),
                    rx.cond(_CAR.answers, rx.el.span(_CAR.answers)),
                    class_name=f"{MUTED} mt-1 flex flex-wrap items-center gap-x-2 text-sm",
                ),
                class_name="min-w-0 wrap-anywhere",
            ),
            class_name="mb-2 flex items-start gap-4 pb-4 max-[17.5rem]:flex-wrap",
        ),
        rx.cond(
            _CAR.pickup,
            rx.cond(
                ReviewState.requested_href,
                notice(
                    "You have requested this already",
                    "This vehicle is held for you at that time. Nothing more is needed.",
                    link_button("See your request", ReviewState.requested_href),
                    link_button("Choose other dates", _CAR.change, "quiet"),
                ),
                _request(),
            ),
            notice(
                "Choose your dates first",
                "Pickup and return are missing here, so there is no price to check yet.",
                link_button("Choose dates", _CAR.change),
            ),
        ),
    )


def _request() -> rx.Component:
    return rx.el.form(
        _points(
            "When",
            rx.el.dl(
                _end("calendar-arrow-up", "Pickup", _CAR.pickup),
                _end("calendar-arrow-down", "Return", _CAR.return_at),
                class_name="grid grid-cols-2 gap-2",
            ),
            rx.cond(
                _MEANING,
                rx.el.p(
                    _MEANING.duration,
                    rx.cond(_PRICE.kms != "Unlimited", rx.el.span(", then ", _CAR.extra_km)),
                    class_name=f"{MUTED} mt-3 text-sm",
                ),
            ),
            rx.cond(
                ~_CAR.delivers,
                rx.el.p(
                    rx.icon("map-pin", size=16, class_name="mt-1 shrink-0"),
                    rx.el.span("Pick it up at ", _CAR.place),
                    class_name=f"{MUTED} mt-2 flex gap-2 text-sm",
                ),
            ),
            beside=rx.el.a(
                "Change", rx.el.span(" dates or extras", class_name="sr-only"), href=_CAR.change, class_name=_LINK
            ),
        ),
        rx.cond(_CAR.delivers, _where()),
        _refusal(),
        rx.cond(_PRICE, rx.fragment(_costs(), _if_plans_change())),
        rx.cond(_DOCUMENTS, _documents(), _points("Bring the originals", _bring())),
        _rules(),
        rx.cond(_PRICE, _bar()),
        on_submit=_SEND.prevent_default,
        no_validate=True,
        custom_attrs={"aria-label": "Your request", "data-waits": ""},
    )


def _points(title: str, *content: rx.Component, beside: rx.Component | None = None) -> rx.Component:
    """A part of the page below its title, set off from the part before it by a line."""
    return rx.el.section(
        rx.el.div(
            rx.el.h2(title, class_name=BLOCK_TITLE),
            beside or rx.fragment(),
            class_name="mb-2 flex min-h-10 items-center justify-between gap-4",
        ),
        *content,
        class_name="border-t border-(--line) py-5",
    )


def _end(icon: str, label: str, moment: rx.Var[Moment]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(rx.icon(icon, size=18, class_name="text-(--accent-11)"), label, class_name="flex items-center gap-2"),
        rx.el.dd(
            rx.el.strong(moment.day, class_name="block"),
            rx.el.span(moment.hour, class_name="block"),
            class_name="mt-1 text-(--ink)",
        ),
        class_name=_TILE,
    )


def _where() -> rx.Component:
    return _points(
        "Where we meet you",
        field(
            "Address for delivery",
            "address",
            id=ADDRESS_ID,
            control=typed_lines,
            rows="2",
            # Two lines on a phone, but one text: Enter sends, as in every other field.
            enter_key_submit=True,
            class_name=f"{FIELD} h-auto resize-none py-2",
            error=ReviewState.address_problem,
            text=ReviewState.address,
            on_type=ReviewState.give_address,
            hint=_CAR.meeting,
            auto_complete="street-address",
            max_length=MAX_TEXT,
            # An input that is already there would not follow what is taken from the account.
            key=f"address-{ReviewState.address_filled}",
        ),
    )


def _refusal() -> rx.Component:
    """What stands in the way of the request, and what could be chosen instead."""
    text = rx.el.p(ReviewState.refusal, class_name="font-medium")
    return rx.el.div(
        rx.cond(
            ReviewState.refusal,
            rx.cond(
                ReviewState.unavailable,
                retry_strip(ReviewState.refusal, ReviewState.load),
                rx.el.div(
                    text,
                    rx.cond(
                        ~_PRICE,
                        rx.fragment(
                            rx.foreach(
                                ReviewState.free_windows,
                                lambda window: rx.el.a("Free: ", window.text, href=window.href, class_name=_FREE),
                            ),
                            rx.cond(ReviewState.ways, rx.foreach(ReviewState.ways, _way), _other_way()),
                        ),
                    ),
                    class_name="mb-5 rounded-2xl bg-(--amber-a3) p-4 text-(--amber-12)",
                ),
            ),
        ),
        rx.cond(
            ReviewState.offer_problem,
            rx.el.p(
                ReviewState.offer_problem,
                ". The price below is without it.",
                class_name="mb-5 rounded-2xl bg-(--amber-a3) p-4 font-medium text-(--amber-12)",
            ),
        ),
        card_section("Free on your dates", ReviewState.free_instead),
        card_section("Similar vehicles", ReviewState.similar),
        id="review-refusal",
        role="status",
        tab_index=-1,
        class_name="outline-none",
    )


def _way(link: rx.Var[Link]) -> rx.Component:
    return rx.el.a(link.text, href=link.href, class_name=f"{_LINK} mt-2 mr-5")


def _other_way() -> rx.Component:
    return rx.cond(
        ReviewState.awaits_answers,
        rx.el.a("See my bookings", href="/my-bookings", class_name=f"{_LINK} mt-2"),
        rx.el.a("Choose other dates", href=_CAR.change, class_name=f"{_LINK} mt-2"),
    )


def _costs() -> rx.Component:
    return _points(
        "Price",
        rx.el.dl(
            rx.foreach(
                _MEANING.lines,
                lambda line: rx.el.div(
                    rx.el.dt(line.label, rx.cond(line.look == "marked", rx.el.span(", changed", class_name="sr-only"))),
                    rx.el.dd(line.value, class_name="text-right font-semibold tabular-nums"),
                    class_name=rx.cond(
                        line.look == "off",
                        f"{_ROW} text-(--good)",
                        rx.cond(line.look == "marked", f"{_ROW} {_CHANGED}", _ROW),
                    ),
                ),
            ),
            rx.el.div(
                rx.el.dt("Total", class_name="text-xl font-bold"),
                rx.el.dd(_PRICE.total, class_name="text-xl font-bold tabular-nums"),
                class_name=rx.cond(_MEANING.changed, f"{_TOTAL} {_CHANGED}", _TOTAL),
            ),
        ),
        rx.el.p("You pay ", _CAR.vendor, " at the pickup, nothing now.", class_name=f"{MUTED} mt-1 text-sm"),
        rx.el.div(
            rx.icon("shield", size=20, class_name="shrink-0"),
            rx.el.div(
                rx.el.p("Security deposit, at pickup", class_name="font-semibold"),
                rx.el.p(_MEANING.deposit_back, class_name=f"{MUTED} text-sm"),
                class_name="min-w-0 flex-1 max-[17.5rem]:basis-16",
            ),
            rx.el.p(_PRICE.deposit, class_name="font-bold tabular-nums"),
            class_name=f"{_TILE} mt-4 flex items-center gap-3 max-[17.5rem]:flex-wrap",
        ),
    )


def _if_plans_change() -> rx.Component:
    return _points(
        "If plans change",
        cancelling(_MEANING.cancelling),
    )


def _documents() -> rx.Component:
    """How the customer's documents stand, with the way to where the rest is sent, and back."""
    add = rx.el.a(_DOCUMENTS.action, href=_DOCUMENTS.href, class_name=_LINK)
    return _points(
        "Documents",
        rx.el.p(rx.el.strong(_DOCUMENTS.count, ". "), _DOCUMENTS.text, class_name="mb-3"),
        _bring(),
        beside=rx.cond(_DOCUMENTS.action, add),
    )


def _bring() -> rx.Component:
    look: dict[str, Any] = {"size": 20, "class_name": "mt-0.5 shrink-0 text-(--accent-11)"}
    return rx.el.ul(
        rx.foreach(
            _CAR.bring,
            lambda paper: rx.el.li(
                rx.cond(paper.kind == "id", rx.icon("id-card", **look)),
                rx.cond(paper.kind == "licence", rx.icon("square-user", **look)),
                rx.cond(paper.kind == "work", rx.icon("briefcase", **look)),
                rx.cond(paper.kind == "residence", rx.icon("house", **look)),
                rx.cond(paper.kind == "", rx.icon("check", **look)),
                rx.el.span(
                    paper.text,
                    rx.cond(paper.checked, rx.el.strong(" Checked", class_name="font-semibold text-(--good)")),
                ),
                class_name="flex gap-3",
            ),
        ),
        class_name="flex list-none flex-col gap-2 p-0",
    )


def _rules() -> rx.Component:
    return _points(
        "Rules in short",
        rx.cond(_CAR.terms, rx.el.div(numbered(_CAR.terms), class_name=f"{MUTED} mb-2")),
        rx.el.p(_CAR.late, class_name=MUTED),
        rx.cond(
            _CAR.has_more_terms,
            rx.el.details(
                rx.el.summary(f"All {_CAR.terms_count} terms", class_name=f"{_LINK} cursor-pointer"),
                rx.cond(_CAR.more_terms, numbered(_CAR.more_terms)),
                rx.cond(
                    _CAR.vendor_terms,
                    rx.fragment(
                        rx.el.h3("Terms of ", _CAR.vendor, class_name="mt-3 font-semibold"),
                        numbered(_CAR.vendor_terms),
                    ),
                ),
                class_name=MUTED,
            ),
        ),
        rx.el.p(
            rx.el.a(f"Terms of {settings().product_name}", href="/terms", target="_blank", class_name=_LINK),
        ),
    )


def _bar() -> rx.Component:
    send = submit(
        rx.cond(
            ReviewState.busy,
            rx.fragment(rx.el.span(class_name=_SPINNER), "Sending..."),
            rx.cond(_MEANING.at_once, f"Book - {_PRICE.total}", f"Request to book - {_PRICE.total}"),
        ),
        extra="min-h-13 w-full text-lg",
        disabled=ReviewState.busy,
    )
    add = rx.el.a(_DOCUMENTS.action, href=_DOCUMENTS.href, class_name=f"{BUTTON['primary']} min-h-13 w-full text-lg")
    return rx.el.div(
        # Here a request needs all of them.
        rx.cond(_DOCUMENTS.bool() & _DOCUMENTS.holds, add, send),
        rx.el.p(
            rx.cond(_MEANING.answer, rx.fragment(_MEANING.answer, " ")),
            "Nothing is charged now. By sending it, you accept the terms.",
            class_name=f"{MUTED} text-center text-xs",
        ),
        class_name=_BAR,
    )
