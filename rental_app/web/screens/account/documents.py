"""The part of the account's page about documents: what a booking still needs, how each stands, and their dialogs."""

import reflex as rx

from rental_app.domain.identity import CLASS_LABELS, DOCUMENT_LABELS
from rental_app.domain.uploads import IDENTITY
from rental_app.web.parts.badges import document_badge
from rental_app.web.parts.block import in_row
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.dialogs import form_dialog
from rental_app.web.parts.field import field, field_error
from rental_app.web.parts.links import link_button
from rental_app.web.parts.presenters.documents import DocumentRow, Documents, DocumentsCard
from rental_app.web.parts.theme import CHECKBOX, LABEL, MUTED, NOTE
from rental_app.web.react.browser_draft import UNASKED, browser_draft
from rental_app.web.react.modal import TURNS, modal
from rental_app.web.react.own_files import photo
from rental_app.web.react.uploads import document_files
from rental_app.web.screens.account.documents_state import LOOK, LOOKS, SEND
from rental_app.web.screens.account.rows import SMALL, row, row_opener, section
from rental_app.web.screens.account.state import AccountState as State

TITLE = "Documents"
_FORM = f"{SEND}-form"
_ONE = State.document
_KIND = rx.cond(_ONE, _ONE.kind, "")
_LINK = "inline-flex min-h-11 cursor-pointer items-center font-medium text-(--accent-11) underline"


def documents_section(shown: rx.Var[Documents]) -> rx.Component:
    """The card of the booking that is ahead, and a row for each document."""
    back = rx.el.p(link_button("Back to where you were", State.back, "quiet"), class_name="mt-3")
    return rx.fragment(
        rx.cond(State.back, back),
        section(TITLE, rx.foreach(shown.rows, _document)),
        rx.el.p(
            "Only our team looks at them, and the vendor from a booking's confirmation until a day after the return."
            " You see each look below.",
            class_name=f"{MUTED} mt-2 text-sm",
        ),
    )


def documents_card(card: rx.Var[DocumentsCard]) -> rx.Component:
    """What the booking that is ahead still needs, with one button."""
    add = button(
        rx.icon("image-plus", size=20),
        card.button,
        variant="primary",
        extra="mt-4 w-full",
        on_click=State.ask_document(card.kind),
    )
    return rx.el.section(
        rx.el.p(
            rx.el.strong(card.title),
            rx.el.span(card.count, class_name="text-sm font-semibold text-(--amber-12)"),
            class_name="flex flex-wrap items-baseline justify-between gap-x-3",
        ),
        rx.el.div(rx.foreach(card.states, _segment), class_name="my-3 flex gap-1", aria_hidden="true"),
        rx.el.p(card.text, class_name="text-sm"),
        rx.cond(card.kind, add),
        custom_attrs={"aria-label": card.title},
        class_name=f"mt-6 border border-(--amber-a7) {NOTE}",
    )


def _segment(state: rx.Var[str]) -> rx.Component:
    look = "h-1.5 flex-1 rounded-full"
    there = rx.cond(state == "sent", f"{look} bg-(--marigold)", f"{look} bg-(--gray-a5)")
    return rx.el.span(class_name=rx.cond(state == "accepted", f"{look} bg-(--accent-9)", there))


def _document(one: rx.Var[DocumentRow]) -> rx.Component:
    again = (one.state == "refused") | (one.state == "expired")
    send = button(
        rx.cond(one.state, "Send again", "Add"),
        label=rx.cond(one.state, f"Send again: {one.title}", f"Add: {one.title}"),
        variant="soft",
        extra=f"{SMALL} z-1",
        on_click=State.ask_document(one.kind),
    )
    looks = {"on_click": State.look_at_document(one.kind), "id": f"document-{one.kind}"}
    seen = row_opener(f"Look at: {one.title}", **looks)
    return row(
        _icon(one.kind),
        one.title,
        one.note,
        rx.cond(one.badge, document_badge(one.badge, one.state)),
        rx.cond(one.state == "", send, rx.cond(again, rx.fragment(seen, send), seen)),
    )


def _icon(kind: rx.Var[str]) -> rx.Component:
    other = rx.cond(kind == "work", rx.icon("briefcase", size=20), rx.icon("map-pin-house", size=20))
    return rx.cond(
        kind == "licence",
        rx.icon("id-card-lanyard", size=20),
        rx.cond(kind == "id", rx.icon("file-badge", size=20), other),
    )


def document_dialogs() -> rx.Component:
    """Sending a document, looking at one's own, and who else looked."""
    return rx.fragment(_send(), _look(), _looks())


def _send() -> rx.Component:
    return form_dialog(
        rx.el.p(_ONE.about, class_name=f"{MUTED} -mt-2"),
        rx.cond(_ONE.reason, rx.el.p("Refused before: ", _ONE.reason, class_name=f"{NOTE} text-sm")),
        rx.cond(_KIND == "id", _which()),
        rx.cond((_KIND == "id") | (_KIND == "licence"), _number()),
        field("Name on it", "name", id="document-name", auto_complete="name", error=State.errors["name"]),
        rx.cond(_KIND == "licence", rx.fragment(_classes(), _until())),
        rx.el.div(
            rx.el.p("Photos or a PDF", class_name=LABEL),
            document_files(waiting=State.document_files, errors={IDENTITY: State.errors["uploads"]}),
            class_name="document-files",
        ),
        submit("Send it to us", disabled=State.busy),
        name=SEND,
        title=_ONE.title,
        form_id=_FORM,
        form={"reset_on_submit": False, "custom_attrs": UNASKED, "key": _KIND},
        beside=(browser_draft(_FORM, rx.cond(_ONE, _ONE.place, 0), State.regain_document, reloads=True),),
        look="flex flex-col gap-4",
        about=_ONE.bool(),
        on_submit=State.send_document,
    )


def _which() -> rx.Component:
    return rx.fragment(
        field(
            "Which ID it is",
            "document",
            *[rx.el.option(label, value=name) for name, label in DOCUMENT_LABELS.items()],
            id="document-which",
            control=rx.el.select,
            error=State.errors["document"],
        ),
        rx.el.details(
            rx.el.summary("How to get the masked Aadhaar", class_name=_LINK),
            rx.el.p(
                "At myaadhaar.uidai.gov.in log in, choose Download Aadhaar and tick Masked Aadhaar. The PDF shows"
                " XXXX-XXXX and the last four digits. Open it with its password and save it without one, or take a"
                " picture of the screen. We erase an Aadhaar that shows its whole number.",
                class_name="text-sm",
            ),
        ),
    )


def _number() -> rx.Component:
    # A whole number that is pasted is not cut off: its first four characters would pass for the last.
    return field(
        "Last four characters of its number",
        "number",
        id="document-number",
        max_length=40,
        auto_complete="off",
        error=State.errors["number"],
        hint="Only these four are asked for, and kept",
    )


def _classes() -> rx.Component:
    boxes = [
        rx.el.label(
            rx.el.input(type="checkbox", name=f"class.{name}", class_name=CHECKBOX),
            label,
            class_name="flex min-h-11 items-center gap-3",
        )
        for name, label in CLASS_LABELS.items()
    ]
    return rx.el.fieldset(
        rx.el.legend("Classes on it", class_name=LABEL),
        *boxes,
        field_error("document-classes", State.errors["classes"]),
        id="document-classes",
        custom_attrs={"tabIndex": "-1"},
    )


def _until() -> rx.Component:
    return field(
        "Valid until",
        "validUntil",
        id="document-until",
        input_mode="numeric",
        max_length=12,
        auto_complete="off",
        error=State.errors["validUntil"],
        hint="Day, month and year as on the licence, such as 09-05-2034",
    )


def _look() -> rx.Component:
    """A document with its pictures; its other side asks before it is deleted."""
    pictures = rx.foreach(
        _ONE.pictures,
        lambda one: rx.el.li(photo(one.href, one.text), class_name="[&_img]:object-contain", key=one.href),
    )
    shown = rx.el.div(
        rx.el.p(document_badge(_ONE.badge, _ONE.state)),
        rx.cond(_ONE.reason, rx.el.p(_ONE.reason, class_name=f"{NOTE} text-sm")),
        rx.el.dl(rx.foreach(_ONE.facts, in_row)),
        rx.el.ul(pictures, class_name="grid list-none grid-cols-2 gap-3 p-0"),
        rx.el.div(
            button("Send another", on_click=State.ask_document(_ONE.kind), extra="flex-1"),
            button("Delete", custom_attrs=TURNS, extra="flex-1"),
            class_name="flex flex-wrap gap-3",
        ),
        class_name="flex flex-col gap-4",
    )
    asked = rx.el.div(
        rx.el.p("Its pictures are erased at once. You can send another whenever you like."),
        rx.el.div(
            button("Keep it", custom_attrs=TURNS, extra="flex-1"),
            button("Delete", variant="destroy", on_click=State.withdraw_document, disabled=State.busy, extra="flex-1"),
            class_name="flex flex-wrap gap-3",
        ),
        class_name="flex flex-col gap-4",
    )
    titles = {"title": _ONE.title, "other_title": "Delete this document?"}
    return modal(shown, asked, name=LOOK, max_width="28rem", about=_ONE.bool(), **titles)


def _looks() -> rx.Component:
    shown = State.documents
    nobody = rx.el.p("Nobody yet. When we check a document, or a vendor looks at one, it is listed here.")
    looks = rx.el.dl(rx.foreach(shown.looks, in_row))
    return modal(
        rx.cond(shown.looks, looks, nobody),
        name=LOOKS,
        title="Who looked at your documents",
        max_width="32rem",
        about=shown.bool(),
    )
