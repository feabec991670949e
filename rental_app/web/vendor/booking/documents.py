"""The customer's documents on the vendor's page of a booking."""

import reflex as rx

from rental_app.web.parts.badges import document_badge
from rental_app.web.parts.block import panel
from rental_app.web.parts.button import button
from rental_app.web.parts.presenters.documents import SeenDocument, SeenDocuments
from rental_app.web.parts.theme import LIST, MUTED
from rental_app.web.react.own_files import photo
from rental_app.web.vendor.booking.state import VendorTripState as State


def customers_documents(shown: rx.Var[SeenDocuments]) -> rx.Component:
    """How each stands, with its pictures on demand: nobody is told of a look that was none."""
    return panel(
        "Documents",
        rx.el.p(shown.line, "."),
        rx.el.ul(rx.foreach(shown.rows, _document), class_name=f"mt-3 {LIST}"),
        rx.cond(shown.note, rx.el.p(shown.note, class_name=f"{MUTED} mt-3 text-sm")),
        gap="mb-1",
        label="The customer's documents",
    )


def _document(one: rx.Var[SeenDocument]) -> rx.Component:
    is_open = rx.Var.create(State.seen_documents).contains(one.id)
    look = button(
        "Look at it",
        rx.el.span(": ", one.title, class_name="sr-only"),
        on_click=State.look_at_document(one.id),
        extra="shrink-0 px-4 text-sm",
    )
    pictures = rx.el.ul(
        rx.foreach(one.pictures, lambda each: rx.el.li(photo(each.href, each.text), key=each.href)),
        class_name="mt-3 grid w-full list-none grid-cols-2 gap-3 p-0 sm:grid-cols-3",
    )
    return rx.el.li(
        rx.el.div(
            rx.el.span(one.title, class_name="font-semibold"),
            rx.cond(one.problem, rx.el.p(one.problem, ".", class_name="text-sm text-(--red-11)")),
            class_name="min-w-0 flex-1 basis-40",
        ),
        document_badge(one.badge, one.state),
        rx.cond(one.pictures.length() > 0, rx.cond(is_open, pictures, look)),
        key=one.title,
        class_name="flex min-h-14 flex-wrap items-center justify-end gap-x-3 gap-y-2 py-2",
    )
