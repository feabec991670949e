"""The bar that appears while vehicles are selected, the menu of a row, and the dialog for many vehicles."""

from typing import Any

import reflex as rx

from rental_app.domain.pricing import FULL_DAY, PLAN_NAMES
from rental_app.schemas.calendars import BLOCK_REASONS
from rental_app.schemas.wire import MAX_TEXT
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.dialogs import alert_line, answers, form_dialog
from rental_app.web.parts.field import field, lines_input
from rental_app.web.parts.links import bookings_in_the_way
from rental_app.web.parts.theme import FIELD, MUTED, NOTE
from rental_app.web.react.date_time_picker import day_input
from rental_app.web.react.fleet_rows import BAR, CLEARS, COUNT, MENU, act, item
from rental_app.web.react.form_changes import form_changes
from rental_app.web.vendor.manage_vehicles.many_state import (
    BLOCK,
    LOWER,
    MANY,
    PRICE,
    RENEW,
    RUPEES,
    TERMS,
    TITLES,
    field_id,
)
from rental_app.web.vendor.manage_vehicles.many_state import ManyState as State
from rental_app.web.vendor.manage_vehicles.presenter import PriceChange

_FORM = f"{MANY}-form"
_PAIR = "grid items-start gap-4 sm:grid-cols-2"


def selection_bar() -> rx.Component:
    """What can be done to the vehicles selected; it stands below the list, which it never covers at its end."""
    return rx.el.div(
        rx.el.p(role="status", class_name="fleet-count", custom_attrs=COUNT),
        _act("tag", "Price", PRICE),
        _act("pause", "Pause", "pause"),
        _act("play", "Resume", "resume"),
        _act("lock", "Block dates", BLOCK),
        _act("file-text", "Terms", TERMS),
        _act("refresh-cw", "Renew documents", RENEW),
        button(rx.icon("x", size=18), class_name="fleet-press", label="Clear the selection", custom_attrs=CLEARS),
        role="toolbar",
        hidden=True,
        class_name="fleet-bar",
        tab_index=0,
        custom_attrs=BAR | {"aria-label": "Selected vehicles"},
    )


def _act(icon: str, text: str, name: str) -> rx.Component:
    return button(rx.icon(icon, size=16), text, class_name="fleet-press", custom_attrs=act(name))


def row_menu() -> rx.Component:
    """The menu of a row, one for all of them."""
    listed, both = ("listed",), ("listed", "retired")
    return rx.el.div(
        _item("folder-open", "Files", item("files", *both)),
        _item("copy", "Duplicate", item("duplicate", *both)),
        _item("refresh-cw", "Renew", item("renew", *listed)),
        _item("lock", "Block", item("block", *listed)),
        _item("wrench", "Maintenance", item("maintenance", *both)),
        _item("archive", "Retire", item("retire", *listed)),
        _item("archive-restore", "Bring back", item("bring-back", "retired")),
        role="menu",
        class_name="fleet-menu",
        custom_attrs=MENU | {"popover": "auto", "aria-label": "More"},
    )


def _item(icon: str, text: str, marks: dict[str, str]) -> rx.Component:
    return button(rx.icon(icon, size=16), text, role="menuitem", class_name="fleet-item", custom_attrs=marks)


def undo_line() -> rx.Component:
    """The latest change of prices, which can be taken back at once."""
    return rx.cond(
        State.done,
        rx.el.div(
            rx.el.p(State.done, class_name="font-medium", role="status"),
            button("Undo", on_click=State.undo, extra="text-sm"),
            button("Keep", on_click=State.forget, extra="text-sm"),
            class_name=f"{NOTE} mb-3 flex flex-wrap items-center gap-3",
        ),
    )


def many_dialog() -> rx.Component:
    """The dialog for what is done to many vehicles; its fields are those of the act."""
    title: Any = "Change vehicles"
    for name, text in TITLES.items():
        title = rx.cond(State.act == name, text, title)
    return form_dialog(
        rx.el.input(type="hidden", name="action", default_value=State.act),
        rx.el.input(type="hidden", name="ids", default_value=State.named),
        rx.cond(State.act == PRICE, _price_fields()),
        rx.cond(State.act == BLOCK, _block_fields()),
        rx.cond(State.act == TERMS, _terms_fields()),
        rx.cond(State.act == RENEW, _renew_fields()),
        alert_line(State.refusal, "text-sm"),
        bookings_in_the_way(State.booked),
        answers(
            "Cancel",
            submit(
                rx.cond(State.busy, "Saving...", f"Save for {State.about}"),
                custom_attrs={"aria-disabled": rx.cond(State.busy, "true", "false")},
            ),
            stays=True,
        ),
        name=MANY,
        title=title,
        label="Change vehicles",
        description="All of them, or none. Existing bookings stay as they are.",
        form_id=_FORM,
        form={"auto_complete": "off"},
        subject=State.act,
        regain=State.regain,
        waiting="h-64",
        beside=(form_changes(_FORM, on_typed=State.note_typed),),
        max_width="36rem",
        max_height="90vh",
        focus_back="fleet-search",
        on_submit=State.save,
        look="flex flex-col gap-4",
    )


def _price_fields() -> rx.Component:
    return rx.fragment(
        rx.el.div(
            _field("By how much", "by", input_mode="decimal", auto_focus=True),
            _select("In", "unit", rx.el.option("Percent", value="percent"), rx.el.option("Rupees", value=RUPEES)),
            _select(
                "Prices get", "direction", rx.el.option("Higher", value="higher"), rx.el.option("Lower", value=LOWER)
            ),
            _select(
                "Plan",
                "plan",
                rx.el.option("All plans with a price", value=""),
                *[rx.el.option(plan, value=plan) for plan in PLAN_NAMES],
            ),
            class_name="grid grid-cols-2 items-start gap-4",
        ),
        rx.el.div(
            alert_line(State.problem),
            rx.cond(
                State.changes,
                rx.el.ul(
                    rx.foreach(State.changes, _change),
                    tab_index=0,
                    class_name="max-h-60 list-none divide-y divide-(--line) overflow-y-auto p-0",
                    custom_attrs={"aria-label": "Prices before and after"},
                ),
                rx.el.p("Enter a figure to see each price before and after.", class_name=MUTED),
            ),
            role="status",
            class_name="rounded-xl bg-(--gray-a2) p-4 text-sm",
        ),
    )


def _change(change: rx.Var[PriceChange]) -> rx.Component:
    return rx.el.li(
        rx.el.span(change.vehicle, rx.el.span(f" · {change.plan}", class_name=MUTED), class_name="min-w-0"),
        rx.el.span(
            change.before,
            " → ",
            rx.el.strong(change.after),
            class_name="shrink-0 tabular-nums",
            custom_attrs={"aria-label": f"{change.before}, then {change.after}"},
        ),
        class_name="flex justify-between gap-3 py-1.5",
    )


def _block_fields() -> rx.Component:
    return rx.fragment(
        rx.el.div(
            _field("First day", "from", control=day_input("First day")),
            _field("Last day", "to", control=day_input("Last day")),
            class_name=_PAIR,
        ),
        _select("Reason", "reason", *[rx.el.option(reason.capitalize(), value=reason) for reason in BLOCK_REASONS]),
        _field("Note, for your team", "note", max_length=MAX_TEXT),
    )


def _terms_fields() -> rx.Component:
    return rx.fragment(
        rx.el.p("What you leave blank stays as it is.", class_name=f"{MUTED} text-sm"),
        rx.el.div(
            _field("Security deposit (₹)", "security_deposit", input_mode="decimal"),
            _field("Late penalty (₹/hr)", "late_penalty_per_hour", input_mode="decimal"),
            _field("Distance penalty (₹/km)", "distance_penalty_per_km", input_mode="decimal"),
            _field("Speed limit (kmph)", "speed_limit_kmph", input_mode="numeric"),
            _field(f"Km limit, {FULL_DAY}", "kms_limit", input_mode="numeric", hint="0 is unlimited"),
            _field("Drop-off payment (₹)", "drop_off_payment", input_mode="decimal"),
            _field("Pickup payment (₹)", "pick_up_payment", input_mode="decimal"),
            class_name=_PAIR,
        ),
        _field("Vehicle terms & conditions", "terms", control=lines_input, rows=4),
    )


def _renew_fields() -> rx.Component:
    papers = [rx.el.option(paper, value=paper) for paper in ("Insurance", "Pollution")]
    return rx.fragment(
        rx.el.p(
            "One date for all of them. To add the new document too, use Renew in the menu of a vehicle.",
            class_name=f"{MUTED} text-sm",
        ),
        rx.el.div(
            _select("Document", "paper", *papers),
            _field("Valid until", "validUntil", control=day_input("Valid until")),
            class_name=_PAIR,
        ),
    )


def _select(label: str, name: str, *options: rx.Component) -> rx.Component:
    return _field(label, name, *options, control=rx.el.select)


def _field(label: str, name: str, *options: rx.Component, **props: Any) -> rx.Component:
    error = State.errors[name]
    return field(label, name, *options, id=field_id(name), error=error, **({"class_name": FIELD} | props))
