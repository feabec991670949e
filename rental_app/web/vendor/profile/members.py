"""The people who answer requests and hand vehicles over for a vendor: a part of the profile."""

import reflex as rx

from rental_app.web.parts.block import panel
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.dialogs import question
from rental_app.web.parts.field import field
from rental_app.web.parts.notice import once_loaded
from rental_app.web.parts.theme import FIELD, LIST, MUTED, SKELETON
from rental_app.web.react.browser_draft import drafted
from rental_app.web.vendor.profile.members_state import EMAIL, REMOVE
from rental_app.web.vendor.profile.members_state import MembersState as State
from rental_app.web.vendor.profile.presenter import MemberRow


def members() -> rx.Component:
    """The list of members, a form to add one, and buttons to remove them."""
    rows = rx.el.ul(rx.foreach(State.rows, _member), class_name=f"mt-3 {LIST}", id="members")
    return panel(
        "People who help you",
        rx.el.p(
            "They answer requests, hand over and receive vehicles, and block dates. They see no bank, no earnings and"
            " no figures, and change no profile, prices or vehicles. Whoever you add is told by email; their name"
            " appears once they have done something for you.",
            class_name=f"{MUTED} mt-1",
        ),
        once_loaded(
            State.loaded,
            rx.el.div(rx.cond(State.rows, rows, rx.el.p("Nobody yet.", class_name="mt-3")), _form()),
            State,
            "Your members",
            rx.el.div(class_name=f"{SKELETON} mt-4 h-24"),
        ),
        question(
            REMOVE,
            f"Remove {State.asked_name}?",
            "Whatever they have open stops working for you at once.",
            about=State.asked_name != "",
            yes="Remove",
            no="Keep them",
            on_yes=State.remove,
            focus_back=EMAIL,
        ),
        extra="mt-5",
    )


def _member(row: rx.Var[MemberRow]) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.p(row.name, class_name="font-semibold wrap-anywhere"),
            rx.el.p(row.about, class_name=f"{MUTED} text-sm wrap-anywhere"),
            class_name="min-w-0 flex-1",
        ),
        button("Remove", extra="shrink-0", on_click=State.ask(row.id), label=f"Remove {row.name}"),
        class_name="flex items-center gap-3 py-3",
        key=row.id,
    )


def _form() -> rx.Component:
    return rx.el.form(
        field(
            "Email of a person with an account here",
            "email",
            id=EMAIL,
            type="email",
            auto_complete="off",
            error=State.refusal,
            class_name=FIELD,
            box="min-w-0 flex-1",
        ),
        submit("Add", extra="sm:mt-6"),
        on_submit=State.add,
        no_validate=True,
        class_name="mt-4 flex flex-col gap-3 sm:flex-row sm:items-start",
        custom_attrs=drafted("member") | {"aria-label": "Add a person"},
    )
