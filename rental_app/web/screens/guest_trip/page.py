"""A guest's booking: how it stands, its account, how to reach the vendor, its files, and what they do by a code."""

import reflex as rx

from rental_app.schemas.trips import MAX_OBJECTION
from rental_app.web.frame.plain_pages import nothing_here
from rental_app.web.frame.public import layout
from rental_app.web.parts.block import block, bullets, facts_list, in_row, numbered, row
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.dialogs import alert_line, answers, form_dialog
from rental_app.web.parts.field import field, lines_input
from rental_app.web.parts.fold import folded
from rental_app.web.parts.links import other_bookings
from rental_app.web.parts.notice import failure
from rental_app.web.parts.presenters.texts import Link
from rental_app.web.parts.presenters.trip import AccountLine
from rental_app.web.parts.progress import (
    TRIP_TITLE,
    links_to_vendor,
    stages,
    time_left,
    vehicle_picture,
    ways_to_vendor,
)
from rental_app.web.parts.theme import BARE_ON_PHONE, BUTTON, CONTAINER, LIST, MUTED, PANEL, SKELETON
from rental_app.web.parts.trips import account_line, cancel_cost, code_field, objection, proposal, reading
from rental_app.web.react.browser_draft import UNASKED, browser_draft
from rental_app.web.react.heartbeat import SLOW_SECONDS, heartbeat
from rental_app.web.react.here import is_here
from rental_app.web.react.server_rendered import server_rendered
from rental_app.web.screens.guest_trip.state import ACTING, CODE_FIELD, HANDOVER, HEADING, NOTE_FIELD
from rental_app.web.screens.guest_trip.state import GuestTripState as State

_FACTS = State.trip.facts
_COLUMN = "flex min-w-0 flex-col gap-6 max-sm:gap-0"
_LINK = "inline-flex min-h-10 items-center font-medium text-(--accent-11) underline"
# What the dialog of an act is called, and its button.
_TITLES = {
    "yes": "Agree to the change?",
    "no": "Keep the booking as it is?",
    "cancel": "Cancel this booking?",
    "object": "What is not right?",
}
_GRID = "mt-6 grid gap-6 max-sm:gap-0 wrap-break-word lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr]"
_FORM = f"{ACTING}-form"
_BUTTONS = {"yes": "Agree", "no": "Keep it as it is", "cancel": "Cancel booking", "object": "Send to the vendor"}


def guest_trip() -> rx.Component:
    """The booking of the link; one that is wrong or has ended is not found."""
    return layout(
        rx.el.div(
            server_rendered(
                "trip",
                (State.trip.bool() | State.missing) & is_here(State.asked_url),
                rx.cond(State.trip, _trip(), nothing_here()),
                rx.cond(State.problem, _failed(), _waiting()),
            ),
            class_name="min-h-screen",
        ),
        _act_dialog(),
        rx.cond(State.trip, heartbeat(State.refresh, SLOW_SECONDS)),
    )


def _failed() -> rx.Component:
    return rx.el.div(
        rx.el.h1("Your booking", class_name="sr-only"),
        failure("This booking could not be loaded", State.problem, State.load),
        class_name=f"{CONTAINER} pt-8",
    )


def _waiting() -> rx.Component:
    return rx.el.div(
        rx.el.h1("Your booking", class_name="sr-only"),
        rx.el.div(class_name=f"{SKELETON} h-144"),
        class_name=f"{CONTAINER} pt-8",
    )


def _trip() -> rx.Component:
    trip = State.trip
    time = trip.countdown
    content = rx.el.div(
        ways_to_vendor(time, _FACTS),
        stages(trip.steps, time),
        _head(),
        rx.el.div(
            rx.el.div(
                proposal(
                    _FACTS,
                    _asks("Agree", "yes", BUTTON["primary"]),
                    _asks("No, keep it as it is", "no", BUTTON["quiet"]),
                ),
                folded("Price", "", _price()),
                folded("Account", "", _account()),
                rx.cond(_FACTS.handover, folded("Handover", _FACTS.handover.at, _handover())),
                rx.cond(_FACTS.returned, block("Return", reading(_FACTS.returned, _photos(_FACTS.returned.photos)))),
                rx.cond(_FACTS.objections, _objections()),
                class_name=_COLUMN,
            ),
            rx.el.div(
                rx.cond(trip.bring, rx.el.div(block("Documents", bullets(trip.bring)), class_name="max-sm:pb-5")),
                folded("Your vendor", _FACTS.vendor, _vendor()),
                folded("To keep", "", _files()),
                class_name=f"{_COLUMN} lg:row-span-2",
            ),
            rx.el.div(
                rx.cond(trip.terms, _terms()),
                folded("History", "", _history(), long=True),
                rx.cond(trip.may_cancel, _cancelling()),
                class_name=_COLUMN,
            ),
            class_name=_GRID,
        ),
        class_name=CONTAINER,
    )
    return rx.el.div(rx.cond(time, time_left(time, _FACTS)), content)


def _terms() -> rx.Component:
    terms = block("Terms & Conditions", numbered(State.trip.terms))
    return folded("Terms & Conditions", "", terms, long=True)


def _history() -> rx.Component:
    return block("History", rx.el.dl(rx.foreach(_FACTS.history, lambda event: row(event.what, event.when))))


def _head() -> rx.Component:
    return rx.el.div(
        rx.el.div(
            vehicle_picture(_FACTS.image),
            rx.el.div(
                rx.el.h1(_FACTS.vehicle, id=HEADING, tab_index=-1, class_name=TRIP_TITLE),
                rx.el.p("Booking ", rx.el.strong(_FACTS.reference, class_name="tabular-nums")),
                rx.cond(_FACTS.note, rx.el.p(_FACTS.note, class_name="mt-1 font-medium")),
                other_bookings(_FACTS.other_bookings),
                rx.el.a("View vehicle", href=_FACTS.vehicle_url, class_name=_LINK),
                class_name="min-w-0 flex-1 max-[17.5rem]:basis-full",
            ),
            class_name="mb-4 flex gap-4 max-[17.5rem]:flex-wrap",
        ),
        facts_list(State.trip.details),
        rx.el.p(
            "Anyone with this page's address can read it, so keep it to yourself. To change anything you need a code"
            f" that we text to {State.trip.code_to}.",
            class_name=f"{MUTED} mt-3 text-sm",
        ),
        class_name=f"{PANEL} {BARE_ON_PHONE} p-5",
    )


def _asks(label: str, act: str, look: str, *about: rx.Component, entry: rx.Var[int] | int = HANDOVER) -> rx.Component:
    """A button that asks for the code of an act."""
    return button(
        label, *about, on_click=State.ask(act, entry), class_name=look, custom_attrs={"aria-haspopup": "dialog"}
    )


def _price() -> rx.Component:
    return block("Price", rx.el.dl(rx.foreach(_FACTS.prices, in_row)))


def _account() -> rx.Component:
    return block(
        "Account",
        rx.el.ul(rx.foreach(_FACTS.account, _line), class_name="list-none p-0"),
        rx.el.p("Rent: ", rx.el.strong(_FACTS.rent), class_name="mt-2"),
        rx.el.p("Deposit: ", rx.el.strong(_FACTS.deposit)),
    )


def _line(line: rx.Var[AccountLine]) -> rx.Component:
    about = rx.el.span(f" to {line.label}, {line.amount}", class_name="sr-only")
    objecting = _asks("Object", "object", f"{BUTTON['quiet']} mt-2 text-sm", about, entry=line.id)
    return account_line(line, objecting, _picture)


def _handover() -> rx.Component:
    """What the vendor noted at the handover, and the way to say that it was otherwise."""
    return block(
        "Handover",
        reading(_FACTS.handover, _photos(_FACTS.handover.photos)),
        rx.cond(
            _FACTS.may_object,
            rx.el.div(_asks("Something is wrong", "object", BUTTON["quiet"]), class_name="mt-3"),
        ),
    )


def _photos(photos: rx.Var[list[Link]]) -> rx.Component:
    """Photos at addresses below the link, which a browser loads by itself; each opens in a tab of its own."""
    return rx.cond(
        photos,
        rx.el.ul(
            rx.foreach(photos, lambda one: rx.el.li(_picture(one.href, one.text), key=one.href)),
            class_name="mt-3 grid list-none grid-cols-3 gap-2 p-0 sm:grid-cols-5",
        ),
    )


def _picture(address: rx.Var[str], name: rx.Var[str] | str) -> rx.Component:
    picture = rx.el.img(
        src=address,
        alt=name,
        loading="lazy",
        custom_attrs={"width": "160", "height": "120"},
        class_name="aspect-[4/3] h-auto w-full rounded-lg object-cover",
    )
    away = rx.el.span(" (opens in a new tab)", class_name="sr-only")
    return rx.el.a(picture, away, href=address, target="_blank", rel="noopener", reload_document=True)


def _objections() -> rx.Component:
    return block(
        "Objections",
        rx.el.ul(rx.foreach(_FACTS.objections, lambda one: objection(one, show=_picture)), class_name=LIST),
    )


def _cancelling() -> rx.Component:
    return block(
        "Plans changed?",
        rx.el.p("What it costs is shown before anything happens.", class_name=MUTED),
        rx.el.div(_asks("Cancel this booking", "cancel", BUTTON["quiet"]), class_name="mt-3"),
    )


def _vendor() -> rx.Component:
    contact = _FACTS.contact
    return block(
        "Your vendor",
        rx.el.p(_FACTS.vendor, class_name="font-semibold"),
        rx.cond(
            contact,
            rx.fragment(
                rx.cond(contact.address, rx.el.p("Meet at: ", contact.address, class_name=MUTED)),
                links_to_vendor(contact, State.trip.countdown),
            ),
        ),
    )


def _files() -> rx.Component:
    return block(
        "To keep",
        rx.el.div(
            _file("Calendar file", _FACTS.calendar, "booking.ics"),
            rx.cond(_FACTS.receipt, _file("Receipt (PDF)", _FACTS.receipt, "receipt.pdf")),
            rx.foreach(_FACTS.papers, lambda one: _file(one.label, one.url, one.file)),
            class_name="flex flex-col gap-2",
        ),
    )


def _file(label: str | rx.Var[str], address: rx.Var[str], save_as: str | rx.Var[str]) -> rx.Component:
    """A link to a file, which the browser loads itself: the app's router would look for a page there."""
    return rx.el.a(label, href=address, download=save_as, reload_document=True, class_name=BUTTON["quiet"])


def _act_dialog() -> rx.Component:
    """It says what will be done and what that costs, has a code sent, and takes the code."""
    # Nobody agrees to terms that they have not seen.
    is_known = (State.act != "cancel") | State.terms.bool()
    subject = rx.cond(State.trip & (State.act != ""), f"{State.act} {State.entry}", "")
    whose = rx.cond(State.trip, _FACTS.reference, "")
    look = rx.cond(State.act == "cancel", BUTTON["destroy"], BUTTON["primary"])
    confirm = submit(rx.match(State.act, *_BUTTONS.items(), ""), disabled=State.busy, class_name=look)
    return form_dialog(
        rx.cond(
            State.act == "cancel",
            rx.el.div(cancel_cost(State.terms, State.act_problem), role="status", class_name="min-h-32"),
        ),
        rx.cond(State.act == "object", _note()),
        alert_line(State.act_problem),
        rx.cond(
            State.code_sent,
            _code(),
            rx.el.p(
                "To check that it is you, we text a six-digit code to the booking's mobile.",
                class_name=f"{MUTED} text-sm",
            ),
        ),
        answers("Not now", rx.cond(State.code_sent, confirm, rx.cond(is_known, _send("primary")))),
        name=ACTING,
        title=rx.match(State.act, *_TITLES.items(), ""),
        form_id=_FORM,
        form={"custom_attrs": UNASKED},
        subject=subject,
        beside=(browser_draft(_FORM, subject, State.regain, reloads=True, whose=whose),),
        description=State.about,
        about=State.act != "",
        over=False,
        focus_back=HEADING,
        on_submit=State.confirm,
        look="mt-2 flex flex-col gap-3",
    )


def _note() -> rx.Component:
    return field(
        "Describe it",
        "note",
        control=lines_input,
        id=NOTE_FIELD,
        error=State.errors["note"],
        rows="4",
        max_length=MAX_OBJECTION,
    )


def _code() -> rx.Component:
    return rx.el.div(
        rx.el.p(State.code_sent, role="status", class_name="mb-3 text-sm"),
        code_field("Code from the text message", CODE_FIELD, State.errors["code"], "one-time-code"),
        _send("quiet", "mt-3 text-sm", again=True),
        # Another code, another field: what was typed for the one before is done with.
        key=State.code_sent,
    )


def _send(variant: str, extra: str = "", *, again: bool = False) -> rx.Component:
    label = "Send another code" if again else f"Send a code to {State.trip.code_to}"
    return button(label, variant=variant, extra=extra, on_click=State.send_code, disabled=State.busy)
