"""One booking of a customer: its progress, what can be done with it, its account, and how to reach the vendor."""

from typing import Any

import reflex as rx

from rental_app.web.frame.login_dialog import opens_login
from rental_app.web.frame.plain_pages import nothing_here
from rental_app.web.frame.public import layout
from rental_app.web.parts.badges import status_badge
from rental_app.web.parts.block import block, bullets, in_row, numbered
from rental_app.web.parts.button import button
from rental_app.web.parts.dialogs import alert_line
from rental_app.web.parts.fold import fold_arrow, phone_fold
from rental_app.web.parts.links import link_button, other_bookings
from rental_app.web.parts.notice import failure, notice, retry_strip, unless_unknown
from rental_app.web.parts.presenters.texts import Fact
from rental_app.web.parts.reviews.part import own_review, report_dialog
from rental_app.web.parts.theme import BUTTON, CONTAINER, LIST, MUTED, PANEL, SKELETON, STAGE
from rental_app.web.parts.trips import cancelling, objection, proposal
from rental_app.web.react.browser_draft import page_drafts
from rental_app.web.react.heartbeat import heartbeat
from rental_app.web.react.here import is_here
from rental_app.web.react.own_files import download
from rental_app.web.react.share import share
from rental_app.web.screens.my_booking.account import account, handover, history, money, price, returned, task
from rental_app.web.screens.my_booking.dates import dates, restored_forms
from rental_app.web.screens.my_booking.dialogs import dialogs
from rental_app.web.screens.my_booking.presenter import AHEAD, CURRENT, ENDED, EqualCard, Step
from rental_app.web.screens.my_booking.state import STATE_ID, MyBookingState, MyReviewState
from rental_app.web.session.base import SessionState
from rental_app.web.session.login_wanted import MY_BOOKING

_TRIP = MyBookingState.trip
_FACTS = _TRIP.facts
_HERE = is_here(MyBookingState.asked_url)
_LINK = "inline-flex min-h-10 items-center gap-2 font-medium text-(--accent-11) underline"
_TITLE = "min-w-0 text-xl leading-6.5 font-bold tracking-tight wrap-anywhere text-(--ink) outline-none sm:text-3xl"
_COLUMN = "flex min-w-0 flex-col gap-6 wrap-break-word"
# A line of a list that folds out; the parts of a desk stand in panels instead.
_FOLDED = "rounded-none border-x-0 border-b-0 border-(--line) min-h-13"
# On a phone the lines that fold out stand in one list.
_TIGHT = "max-sm:gap-0"
_GRID = "grid gap-6 max-sm:gap-0 lg:grid-cols-[minmax(0,1fr)_22rem]"
# The line of the stages, from one dot to the next.
_THREAD = (
    "relative flex min-w-0 flex-1 flex-col items-center px-0.5 text-center before:absolute before:top-2.5 before:-z-10"
    " before:-left-1/2 before:h-0.5 before:w-full before:bg-(--gray-a6) first:before:hidden"
)
_DOT = "relative grid size-5 place-items-center rounded-full"
_LABEL = "mt-1.5 text-[11.5px] leading-4 wrap-anywhere sm:text-sm"


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
        rx.cond(_TRIP.request, _sent(), rx.cond(_TRIP.countdown, _countdown())),
        rx.el.div(
            rx.cond(MyBookingState.problem, rx.el.div(retry_strip(behind, MyBookingState.load), class_name="pt-4")),
            _ways(),
            rx.cond(is_night, rx.fragment(), _back()),
            _steps(),
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
        _folded("receipt-indian-rupee", "Price", _TRIP.total, price()),
        rx.cond(_FACTS.returned, rx.fragment(), _folded("wallet", "Account", "", account())),
        rx.cond(_TRIP.request.plans, _folded("umbrella", "If plans change", "Free now", plans)),
        rx.cond(_FACTS.handover, _folded("key", "Handover", _FACTS.handover.at, handover())),
        _terms(),
        rx.cond(_FACTS.history, _folded("history", "History", entries, history())),
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


def _countdown() -> rx.Component:
    """The largest thing of a confirmed booking: the time left, or how late the return is."""
    time = _TRIP.countdown
    inside = rx.el.div(
        rx.el.p(
            rx.el.span(time.label, class_name="rounded-md bg-white/15 px-2 py-0.5 text-sm font-semibold"),
            # In the colours of the light theme: on the night it is the same in both.
            rx.cond(
                _TRIP.on_road,
                rx.el.span(
                    _FACTS.status,
                    class_name="rounded-md bg-[#e2f4e9] px-2 py-0.5 text-sm font-semibold text-[#12713f] capitalize",
                ),
            ),
            class_name="flex items-center justify-between gap-4",
        ),
        rx.el.p(
            rx.el.strong(
                time.left,
                class_name="mr-2 text-[44px] leading-[46px] font-extrabold tracking-tight",
            ),
            rx.el.span(time.what),
            class_name="mt-2 tabular-nums",
        ),
        rx.cond(
            time.share >= 0,
            rx.el.div(
                rx.el.div(style={"width": f"{time.share}%"}, class_name="h-full bg-(--marigold)"),
                class_name="mt-2 h-1.5 overflow-hidden rounded-full bg-white/15",
                custom_attrs={"aria-hidden": "true"},
            ),
        ),
        rx.el.p(
            rx.el.span(time.begins),
            rx.el.strong(time.ends),
            class_name="mt-2 flex flex-wrap justify-between gap-x-4 text-sm",
        ),
        class_name=f"{CONTAINER} pt-2 pb-6 max-sm:pb-12",
    )
    return rx.el.div(
        inside,
        class_name=rx.cond(time.late, "on-night bg-[#7a1a10] text-white", "on-night bg-(--night) text-white"),
    )


def _ways() -> rx.Component:
    """What somebody on the way needs within the thumb's reach."""
    contact = _FACTS.contact
    ways = rx.el.nav(
        _tile("phone", "Call", f"tel:{contact.phone}"),
        _tile("message-square", "WhatsApp", contact.whatsapp, opens_tab=True),
        _tile("navigation", "Directions", contact.maps, opens_tab=True),
        rx.cond(_TRIP.on_road, _tile("triangle-alert", "Breakdown", f"tel:{contact.phone}", "text-(--red-11)")),
        # Half over the time above it.
        class_name=f"{PANEL} relative -mt-8 mb-4 flex justify-around p-2 sm:hidden",
        custom_attrs={"aria-label": "Reach the vendor"},
    )
    return rx.cond(_TRIP.countdown & contact, ways)


def _tile(icon: str, label: str, href: rx.Var[str] | str, look: str = "", *, opens_tab: bool = False) -> rx.Component:
    return _away(
        rx.icon(icon, size=20, class_name=look or "text-(--accent-11)"),
        rx.el.span(label, class_name=look or "text-(--ink)"),
        href=href,
        look="flex min-h-14 flex-1 flex-col items-center justify-center gap-1 text-xs font-semibold",
        opens_tab=opens_tab,
    )


def _away(*content: rx.Component | rx.Var[str] | str, href: Any, look: str, opens_tab: bool) -> rx.Component:
    """A link that calls, or leads to another site in a new tab and says so."""
    if not opens_tab:
        return rx.el.a(*content, href=href, class_name=look)
    note = rx.el.span("(opens in a new tab)", class_name="sr-only")
    return rx.el.a(*content, note, href=href, class_name=look, target="_blank", rel="noopener")


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


def _folded(icon: str, title: str, value: rx.Var[str] | str, *content: rx.Component) -> rx.Component:
    """A part of the page that is one line on a phone until it is opened."""
    summary = rx.fragment(
        rx.icon(icon, size=20, class_name="shrink-0 text-(--accent-11)"),
        rx.el.span(title, class_name="font-semibold text-(--ink)"),
        rx.el.span(value, class_name=f"{MUTED} ml-auto min-w-0 text-right text-sm tabular-nums"),
        fold_arrow(),
    )
    return phone_fold(summary, *content, look=_FOLDED)


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
            (1, rx.icon("id-card", size=20, class_name=look)),
            rx.icon("map-pin", size=20, class_name=look),
        ),
        rx.el.div(rx.el.p(step.label, class_name="font-semibold"), rx.el.p(step.value, class_name=MUTED)),
        class_name="flex gap-3",
    )


def _head() -> rx.Component:
    return rx.el.div(
        rx.el.img(
            src=_FACTS.image,
            alt="",
            custom_attrs={"width": "640", "height": "400"},
            class_name=f"aspect-[8/5] h-auto w-28 shrink-0 self-start rounded-2xl object-cover sm:w-48 {STAGE}",
        ),
        rx.el.div(
            rx.cond(
                _TRIP.request,
                rx.el.h2(_FACTS.vehicle, class_name=_TITLE),
                rx.el.h1(_FACTS.vehicle, id=STATE_ID, tab_index=-1, class_name=_TITLE),
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


def _steps() -> rx.Component:
    """The stages in one line; their times are left to the history where there is no room."""
    return rx.el.section(
        rx.el.h2("Progress", class_name="sr-only"),
        rx.el.ol(rx.foreach(_TRIP.steps, _step), class_name="isolate my-5 flex list-none p-0"),
        # On the road the time left says it.
        class_name=rx.cond(_TRIP.on_road, "max-sm:sr-only", ""),
    )


def _step(step: rx.Var[Step]) -> rx.Component:
    is_ahead, is_current = step.state == AHEAD, (step.state == CURRENT) | (step.state == ENDED)
    return rx.el.li(
        rx.match(
            step.state,
            (AHEAD, rx.el.span(class_name=f"{_DOT} border-2 border-(--gray-a7) bg-(--page)")),
            (ENDED, rx.el.span(rx.icon("x", size=14), class_name=f"{_DOT} bg-(--refuse) text-white")),
            (CURRENT, rx.el.span(class_name=f"{_DOT} bg-(--marigold) ring-4 ring-(--amber-a4)")),
            rx.el.span(rx.icon("check", size=14), class_name=f"{_DOT} bg-(--accent-9) text-(--accent-contrast)"),
        ),
        rx.el.p(
            step.label,
            rx.el.span(rx.cond(is_ahead, ", still to come", ""), class_name="sr-only"),
            class_name=rx.cond(is_ahead, f"{_LABEL} text-(--muted)", f"{_LABEL} font-semibold"),
        ),
        rx.cond(step.at, rx.el.p(step.at, class_name=f"{MUTED} hidden text-sm text-balance sm:block")),
        custom_attrs={"aria-current": rx.cond(is_current, "step", "false")},
        class_name=_THREAD,
    )


def _vendor() -> rx.Component:
    contact = _FACTS.contact

    def way(icon: str, label: rx.Var[str] | str, href: rx.Var[str] | str, *, opens_tab: bool = False) -> rx.Component:
        return _away(rx.icon(icon, size=18), label, href=href, look=f"{_LINK} w-full", opens_tab=opens_tab)

    who = block(
        "Your vendor",
        rx.el.p(_FACTS.vendor, class_name="font-semibold"),
        rx.cond(
            contact,
            rx.fragment(
                rx.el.p("Meet at: ", contact.address, class_name=MUTED),
                rx.el.div(
                    way("phone", f"Call {contact.phone}", f"tel:{contact.phone}"),
                    way("message-square", "WhatsApp", contact.whatsapp, opens_tab=True),
                    way("navigation", "Directions", contact.maps, opens_tab=True),
                    # A phone has them as tiles already.
                    class_name=rx.cond(_TRIP.countdown, "max-sm:hidden", ""),
                ),
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
    return _folded("building-2", "Your vendor", _FACTS.vendor, who)


def _bring() -> rx.Component:
    documents = block("Documents", bullets(_TRIP.bring))
    # Bringing them is what a customer has to do before a pickup.
    to_do = rx.el.div(documents, class_name="max-sm:pb-5")
    return rx.cond(_TRIP.bring, rx.cond(_TRIP.request, _folded("contact", "Documents", "To bring", documents), to_do))


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
        _folded(
            "list-ordered",
            "Terms & Conditions",
            "",
            rx.el.div(
                rx.cond(own, block("Terms & Conditions", numbered(own))),
                rx.cond(vendors, block(f"Terms of {_FACTS.vendor}", numbered(vendors))),
                class_name=_COLUMN,
            ),
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
            rx.cond(_TRIP.receipt_number, number),
            class_name="flex flex-col gap-2",
        ),
    )
    files = rx.el.div(_folded("download", "To keep", "", downloads), class_name="print:hidden")
    return rx.cond(_TRIP.request, rx.fragment(), files)
