"""One booking of a customer: its progress, what can be done with it, its account, and how to reach the vendor."""

import reflex as rx

from rental_app.web.frame.login_dialog import opens_login
from rental_app.web.frame.plain_pages import nothing_here
from rental_app.web.frame.public import layout
from rental_app.web.parts.badges import status_badge
from rental_app.web.parts.block import block, in_row, numbered
from rental_app.web.parts.button import button
from rental_app.web.parts.dialogs import alert_line
from rental_app.web.parts.fold import folded
from rental_app.web.parts.links import link_button, other_bookings
from rental_app.web.parts.notice import failure, notice, retry_strip, unless_unknown
from rental_app.web.parts.presenters.documents import BroughtDocument
from rental_app.web.parts.presenters.texts import Fact
from rental_app.web.parts.progress import (
    TRIP_TITLE,
    links_to_vendor,
    stages,
    time_left,
    vehicle_picture,
    ways_to_vendor,
)
from rental_app.web.parts.reviews.part import own_review, report_dialog
from rental_app.web.parts.theme import BUTTON, CONTAINER, LIST, MUTED, SKELETON, STAGE
from rental_app.web.parts.trips import cancelling, objection, proposal
from rental_app.web.react.browser_draft import page_drafts
from rental_app.web.react.heartbeat import heartbeat
from rental_app.web.react.here import is_here
from rental_app.web.react.own_files import download
from rental_app.web.react.share import share
from rental_app.web.screens.my_booking.account import account, handover, history, money, price, returned, task
from rental_app.web.screens.my_booking.dates import dates, restored_forms
from rental_app.web.screens.my_booking.dialogs import dialogs
from rental_app.web.screens.my_booking.presenter import EqualCard
from rental_app.web.screens.my_booking.state import STATE_ID, MyBookingState, MyReviewState
from rental_app.web.session.base import SessionState
from rental_app.web.session.login_wanted import MY_BOOKING

_TRIP = MyBookingState.trip
_FACTS = _TRIP.facts
_HERE = is_here(MyBookingState.asked_url)
_LINK = "inline-flex min-h-10 items-center gap-2 font-medium text-(--accent-11) underline"
_COLUMN = "flex min-w-0 flex-col gap-6 wrap-break-word"
# On a phone the lines that fold out stand in one list.
_TIGHT = "max-sm:gap-0"
_GRID = "grid gap-6 max-sm:gap-0 lg:grid-cols-[minmax(0,1fr)_22rem]"


def my_booking() -> rx.Component:
    """The booking; visitors are asked to log in, and somebody else's is not found."""
    return layout(
        page_drafts(),
        # The footer stays off screen, so that nobody sees it move while the page loads.
        rx.el.div(rx.cond(MyBookingState.missing & _HERE, nothing_here(), _page()), class_name="min-h-screen"),
        restored_forms(),
        dialogs(),
        report_dialog(),
        rx.cond(SessionState.logged_in, heartbeat(MyBookingState.refresh)),
    )


def _page() -> rx.Component:
    pending = rx.cond(MyBookingState.problem, _failed(), _waiting())
    other = rx.el.div(
        _back(),
        rx.cond(SessionState.ready, rx.cond(SessionState.logged_in, pending, unless_unknown(_visitor())), _waiting()),
        class_name=f"{CONTAINER} pt-6",
    )
    return rx.cond(SessionState.ready & SessionState.logged_in & _TRIP.bool() & _HERE, _booking(), other)


def _back() -> rx.Component:
    return rx.el.a(rx.icon("chevron-left", size=18), "All my bookings", href="/my-bookings", class_name=_LINK)


def _waiting() -> rx.Component:
    return rx.fragment(
        rx.el.h1("Your booking", class_name="sr-only"),
        rx.el.div(
            rx.el.div(class_name=f"{SKELETON} h-144"),
            rx.el.div(class_name=f"{SKELETON} h-96"),
            class_name=_GRID,
            custom_attrs={"aria-hidden": "true"},
        ),
    )


def _visitor() -> rx.Component:
    return rx.fragment(
        rx.el.h1("Your booking", class_name="sr-only"),
        notice(
            "Log in to see this booking",
            "Bookings are kept with the account that made them.",
            button("Log in", variant="primary", custom_attrs=opens_login(MY_BOOKING)),
        ),
    )


def _failed() -> rx.Component:
    return rx.fragment(
        rx.el.h1("Your booking", class_name="sr-only"),
        failure("This booking could not be loaded", MyBookingState.problem, MyBookingState.load),
    )


def _booking() -> rx.Component:
    behind = rx.el.span(MyBookingState.problem, ". What you see may be out of date.")
    # Below the night of a heading, or of the time left, the way back stands last.
    is_night = _TRIP.request.bool() | _TRIP.countdown.bool()
    return rx.fragment(
        rx.cond(_TRIP.request, _sent(), rx.cond(_TRIP.countdown, time_left(_TRIP.countdown, _FACTS))),
        rx.el.div(
            rx.cond(MyBookingState.problem, rx.el.div(retry_strip(behind, MyBookingState.load), class_name="pt-4")),
            ways_to_vendor(_TRIP.countdown, _FACTS),
            rx.cond(is_night, rx.fragment(), _back()),
            stages(_TRIP.steps, _TRIP.countdown),
            rx.el.div(
                _what_is_now(),
                rx.el.aside(_bring(), _vendor(), _files(), class_name=f"{_COLUMN} {_TIGHT} lg:row-span-2"),
                _on_record(),
                class_name=f"{_GRID} lg:grid-rows-[auto_1fr]",
            ),
            rx.cond(is_night, rx.el.div(_back(), class_name="mt-4")),
            class_name=CONTAINER,
        ),
    )


def _what_is_now() -> rx.Component:
    """What is asked, how the booking stands, and what can be done with it."""
    steps = rx.el.ol(rx.foreach(_TRIP.request.next_steps, _next_step), class_name="flex list-none flex-col gap-4 p-0")
    raised = rx.el.ul(rx.foreach(_FACTS.objections, lambda one: objection(one)), class_name=LIST)
    on_road = rx.el.dl(rx.foreach(_TRIP.on_road.good_to_know, in_row))
    return rx.el.div(
        rx.cond(_TRIP.asks_until, task()),
        # It waits for an answer, and lapses without one.
        _proposal(),
        _head(),
        dates(),
        _turned_down(),
        rx.cond(_TRIP.request, rx.fragment(_keep_or_share(), block("What happens next", steps))),
        rx.cond(_FACTS.objections, block("What you object to", raised)),
        rx.cond(_TRIP.on_road, block("Good to know on the road", on_road)),
        # Where the account is folded.
        rx.cond(_TRIP.on_road, rx.el.div(money(), class_name="sm:hidden")),
        rx.cond(_FACTS.returned, rx.fragment(account(), returned())),
        _review(),
        class_name=f"{_COLUMN} max-sm:pb-6",
    )


def _on_record() -> rx.Component:
    """What was agreed, paid, read and done so far."""
    plans = block("If plans change", cancelling(_TRIP.request.plans))
    count = _FACTS.history.length()
    entries = rx.cond(count == 1, "1 entry", f"{count} entries")
    return rx.el.div(
        folded("Price", _TRIP.total, price(), icon="receipt-indian-rupee"),
        rx.cond(_FACTS.returned, rx.fragment(), folded("Account", "", account(), icon="wallet")),
        rx.cond(_TRIP.request.plans, folded("If plans change", "Free now", plans, icon="umbrella")),
        rx.cond(_FACTS.handover, folded("Handover", _FACTS.handover.at, handover(), icon="key")),
        _terms(),
        rx.cond(_FACTS.history, folded("History", entries, history(), long=True, icon="history")),
        class_name=f"{_COLUMN} {_TIGHT}",
    )


def _sent() -> rx.Component:
    """The heading of a request that waits for its answer."""
    request = _TRIP.request
    return rx.el.div(
        rx.el.span(
            rx.icon("send", size=28),
            class_name="flex size-16 items-center justify-center rounded-full bg-(--marigold) text-[#2b1c00]",
        ),
        rx.el.h1(
            rx.el.span("Request sent.", class_name="block text-3xl font-extrabold"),
            rx.cond(request.answers, rx.el.span(" ", request.answers, class_name="mt-1 block text-xl font-semibold")),
            id=STATE_ID,
            tab_index=-1,
            class_name="outline-none text-balance",
        ),
        rx.el.p(
            "Your dates are held until ",
            rx.el.strong(request.held, class_name="whitespace-nowrap"),
            ". We will tell you here and by email.",
        ),
        class_name="on-night flex flex-col items-center gap-3 bg-(--night) px-5 pt-2 pb-8 text-center text-white",
    )


def _turned_down() -> rx.Component:
    """Why a request came to nothing, and the way to others for the same dates."""
    answer = _TRIP.turned_down
    return rx.cond(
        answer,
        block(
            answer.title,
            rx.cond(answer.reason, rx.el.p(f"The vendor's reason: {answer.reason}", class_name=f"{MUTED} mb-3")),
            alert_line(MyBookingState.equals_problem, "mb-3"),
            rx.cond(MyBookingState.equals, _equals()),
            rx.el.div(
                link_button("See others for these dates", answer.others),
                rx.cond(
                    ~answer.has_equals.bool(),
                    link_button("Ask this one again", _FACTS.vehicle_url, "quiet"),
                ),
                class_name="flex flex-wrap gap-3",
            ),
        ),
    )


def _proposal() -> rx.Component:
    """What the vendor proposes, with both answers."""

    def press(label: str, answer: str, look: str) -> rx.Component:
        offer = _FACTS.proposal
        return button(
            label,
            variant=look,
            on_click=MyBookingState.answer_proposal(offer.id, offer.total, answer),
            disabled=MyBookingState.busy,
        )

    return proposal(_FACTS, press("Agree", "yes", "primary"), press("No, keep it as it is", "no", "quiet"))


def _equals() -> rx.Component:
    """Vehicles like the booked one that are free for its dates."""
    return rx.el.div(
        rx.el.h3("Similar, and free for your dates", class_name="font-semibold"),
        rx.el.ul(rx.foreach(MyBookingState.equals, _equal), class_name=f"{LIST} mb-4"),
    )


def _equal(equal: rx.Var[EqualCard]) -> rx.Component:
    return rx.el.li(
        rx.el.img(
            src=equal.image,
            alt="",
            custom_attrs={"width": "96", "height": "60"},
            class_name=f"h-15 w-24 shrink-0 rounded-lg object-contain {STAGE}",
        ),
        rx.el.div(
            rx.el.p(equal.title, class_name="font-semibold"),
            rx.el.p(equal.about, class_name=f"{MUTED} text-sm"),
            rx.el.p(equal.total, class_name="font-semibold tabular-nums"),
            class_name="min-w-40 flex-1",
        ),
        rx.cond(
            equal.at_once,
            button(
                "Take this one",
                rx.el.span(f", {equal.title}", class_name="sr-only"),
                variant="primary",
                on_click=MyBookingState.take_equal(equal.id),
                disabled=MyBookingState.busy,
            ),
            rx.el.a(
                "Request",
                rx.el.span(f" {equal.title}", class_name="sr-only"),
                href=equal.href,
                class_name=BUTTON["quiet"],
            ),
        ),
        key=equal.id,
        class_name="flex flex-wrap items-center gap-3 py-3",
    )


def _keep_or_share() -> rx.Component:
    look = f"{BUTTON['quiet']} w-full max-sm:px-2"
    return rx.el.div(
        rx.el.div(_calendar_file(rx.icon("calendar-plus-2", size=18), look)),
        share(
            rx.icon("share-2", size=18),
            "Share",
            path=_FACTS.vehicle_url,
            title=_FACTS.vehicle,
            label=f"Share {_FACTS.vehicle}",
            class_name=look,
        ),
        class_name="grid grid-cols-2 gap-3 sm:max-w-md print:hidden",
    )


def _calendar_file(icon: rx.Component, look: str) -> rx.Component:
    return download(icon, "Calendar file", url=_FACTS.calendar, save_as=f"{_FACTS.reference}.ics", class_name=look)


def _next_step(step: rx.Var[Fact], place: rx.Var[int]) -> rx.Component:
    look = "mt-0.5 shrink-0 text-(--accent-11)"
    return rx.el.li(
        rx.match(
            place,
            (0, rx.icon("send", size=20, class_name=look)),
            (1, rx.icon("files", size=20, class_name=look)),
            rx.icon("map-pin", size=20, class_name=look),
        ),
        rx.el.div(rx.el.p(step.label, class_name="font-semibold"), rx.el.p(step.value, class_name=MUTED)),
        class_name="flex gap-3",
    )


def _head() -> rx.Component:
    return rx.el.div(
        vehicle_picture(_FACTS.image),
        rx.el.div(
            rx.cond(
                _TRIP.request,
                rx.el.h2(_FACTS.vehicle, class_name=TRIP_TITLE),
                rx.el.h1(_FACTS.vehicle, id=STATE_ID, tab_index=-1, class_name=TRIP_TITLE),
            ),
            rx.el.p(_TRIP.subtitle, class_name=MUTED),
            rx.cond(_TRIP.on_road, rx.fragment(), rx.el.p(status_badge(_FACTS.status), class_name="mt-1")),
            rx.cond(
                ~_TRIP.request.bool(),
                # The time above and the money below say it too while the vehicle is out.
                rx.el.p(_FACTS.note, role="status", class_name=rx.cond(_TRIP.on_road, "sr-only", "mt-1 font-medium")),
            ),
            other_bookings(_FACTS.other_bookings),
            rx.el.a("View vehicle", href=_FACTS.vehicle_url, class_name=_LINK),
            class_name="min-w-0 flex-1 max-[17.5rem]:basis-full",
        ),
        class_name="flex gap-4 max-[17.5rem]:flex-wrap",
    )


def _vendor() -> rx.Component:
    contact = _FACTS.contact
    who = block(
        "Your vendor",
        rx.el.p(_FACTS.vendor, class_name="font-semibold"),
        rx.cond(
            contact,
            rx.fragment(
                rx.el.p("Meet at: ", contact.address, class_name=MUTED),
                links_to_vendor(contact, _TRIP.countdown),
            ),
            rx.cond(
                _TRIP.may_cancel,
                rx.el.p(
                    "The phone number comes with the confirmation; the address is on the vehicle's page.",
                    class_name=MUTED,
                ),
            ),
        ),
        rx.el.p(
            rx.icon("calendar-days", size=16, class_name="mt-1 shrink-0"),
            rx.el.span("Open ", _TRIP.hours, "."),
            class_name="mt-2 flex gap-2",
        ),
    )
    return folded("Your vendor", _FACTS.vendor, who, icon="building-2")


def _bring() -> rx.Component:
    note = MyBookingState.documents
    listed = rx.el.ul(rx.foreach(MyBookingState.bring, _brought), class_name="list-disc space-y-1 pl-5")
    documents = block(
        "Documents",
        rx.cond(note, rx.el.p(f"{note.count}. {note.text}", class_name="mb-3")),
        listed,
        rx.cond(note, rx.el.a(note.action, href=note.href, class_name=_LINK)),
    )
    # Bringing them is what a customer has to do before a pickup.
    to_do = rx.el.div(documents, class_name="max-sm:pb-5")
    return rx.cond(_TRIP.bring, rx.cond(_TRIP.request, folded("Documents", "To bring", documents, icon="files"), to_do))


def _brought(one: rx.Var[BroughtDocument]) -> rx.Component:
    return rx.el.li(one.text, rx.cond(one.checked, rx.el.strong(" Checked", class_name="text-(--good)")))


def _review() -> rx.Component:
    form = own_review(
        _TRIP.review,
        of_whom="this trip",
        on_submit=MyReviewState.write_review,
        problem=MyReviewState.review_problem,
        busy=MyReviewState.busy,
    )
    return rx.cond(_TRIP.review, form)


def _terms() -> rx.Component:
    """What was agreed: the terms as they were when the vehicle was booked."""
    own, vendors = _TRIP.terms, _TRIP.vendor_terms
    return rx.cond(
        own.length() + vendors.length() > 0,
        folded(
            "Terms & Conditions",
            "",
            rx.el.div(
                rx.cond(own, block("Terms & Conditions", numbered(own))),
                rx.cond(vendors, block(f"Terms of {_FACTS.vendor}", numbered(vendors))),
                class_name=_COLUMN,
            ),
            long=True,
            icon="list-ordered",
        ),
    )


def _files() -> rx.Component:
    quiet = BUTTON["quiet"]
    receipt = download("Receipt (PDF)", url=_FACTS.receipt, save_as=f"{_FACTS.reference}.pdf", class_name=quiet)
    number = rx.el.p("Receipt number ", _TRIP.receipt_number, class_name=f"{MUTED} text-center text-sm")
    downloads = block(
        "To keep",
        rx.el.div(
            _calendar_file(rx.fragment(), quiet),
            rx.cond(_FACTS.receipt, receipt),
            rx.foreach(_FACTS.papers, lambda one: download(one.label, url=one.url, save_as=one.file, class_name=quiet)),
            rx.cond(_TRIP.receipt_number, number),
            class_name="flex flex-col gap-2",
        ),
    )
    files = rx.el.div(folded("To keep", "", downloads, icon="download"), class_name="print:hidden")
    return rx.cond(_TRIP.request, rx.fragment(), files)
