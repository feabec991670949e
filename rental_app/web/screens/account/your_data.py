"""The part of the account's page about one's data: a copy, who looked at documents, and the way to delete it."""

import reflex as rx

from rental_app.domain.retention import EXPORTED_EVERY
from rental_app.web.parts.button import submit
from rental_app.web.parts.theme import BUTTON, MUTED
from rental_app.web.react.modal import modal
from rental_app.web.react.own_files import download
from rental_app.web.screens.account.dialogs import password_form
from rental_app.web.screens.account.documents_state import LOOKS
from rental_app.web.screens.account.presenter import YourData
from rental_app.web.screens.account.rows import row, row_link, row_opener, section
from rental_app.web.screens.account.state import EXPORT
from rental_app.web.screens.account.state import AccountState as State

TITLE = "Your data"
DELETE = "/account/delete"


def your_data_section(data: rx.Var[YourData]) -> rx.Component:
    """What the law lets people ask for, a row each."""
    looked = row(
        rx.icon("scan-eye", size=20),
        "Who looked at your documents",
        State.documents.looked,
        row_opener("Who looked at your documents", LOOKS),
    )
    return section(
        TITLE,
        row(
            rx.icon("folder-down", size=20),
            "Download everything",
            rx.cond(data.copy_again, f"The next copy from {data.copy_again}", "A ZIP you can read"),
            row_opener("Download everything", EXPORT),
        ),
        rx.cond(State.documents, looked),
        row(rx.icon("user-x", size=20), "Delete account", data.deleting, row_link("Delete account", DELETE)),
    )


def export_dialog(data: rx.Var[YourData]) -> rx.Component:
    """A copy of all data: the password first if it was not given lately, then the file."""
    fetch = download(
        "Download the ZIP",
        url="/api/user/export",
        save_as="your-data.zip",
        class_name=f"{BUTTON['primary']} w-full",
        on_ended=State.follow_copy,
    )
    minutes = int(EXPORTED_EVERY.total_seconds()) // 60
    later = rx.el.p("A copy is made once in ", str(minutes), " minutes: the next one from ", data.copy_again, ".")
    asks = password_form(State.unlock_copy, submit("Continue", disabled=State.busy))
    return modal(
        rx.el.div(
            rx.el.p(
                "Everything kept about you, as files you can read: details, bookings with their amounts, messages,"
                " reviews, your documents, and who looked at them. Of others it has only name and reference.",
                class_name=MUTED,
            ),
            rx.cond(data.copy_again, later, rx.cond(data.asks_password, asks, fetch)),
            class_name="flex flex-col gap-4",
        ),
        name=EXPORT,
        title="Download everything",
        max_width="28rem",
        about=State.page.bool(),
        on_open=State.begin,
    )
