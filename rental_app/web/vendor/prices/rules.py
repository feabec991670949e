"""The price rules of the page Prices, and the dialog in which one is tried out before it is saved."""

from typing import Any

import reflex as rx

from rental_app.domain.clock import WEEKDAYS
from rental_app.domain.pricing import LEAST_PERCENT, MOST_PERCENT
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.dialogs import answers, form_dialog, question
from rental_app.web.parts.field import field
from rental_app.web.parts.notice import out_of_date
from rental_app.web.parts.table import bare_cell, cell, row, table
from rental_app.web.parts.theme import BLOCK_TITLE, FIELD, MUTED, PANEL, SECTION_TITLE
from rental_app.web.react.date_time_picker import day_input
from rental_app.web.react.form_changes import form_changes
from rental_app.web.vendor.prices.rules_presenter import CHEAPER, DATES, DEARER, PreviewText, RuleLine
from rental_app.web.vendor.prices.rules_state import REMOVE, RULE, field_id
from rental_app.web.vendor.prices.rules_state import PriceRulesState as State
from rental_app.web.vendor.prices.state import PricesState

_FORM = "price-rule-form"
_ADD = "add-price-rule"
_PAIR = "grid items-start gap-4 sm:grid-cols-2"


def rules_section() -> rx.Component:
    """The rules in force, a button to add another, and the question before one is removed."""
    return rx.el.section(
        rx.el.div(
            rx.el.div(
                rx.el.h2("Price rules", class_name=SECTION_TITLE),
                rx.el.p(
                    "Charge more or less for Half and Full Days on some days. Where two rules meet, dates count before"
                    " weekdays, and a rule for one vehicle before one for all.",
                    class_name=f"{MUTED} mt-1 max-w-prose text-sm",
                ),
            ),
            button(rx.icon("plus", size=16), "Add a rule", id=_ADD, on_click=State.begin),
            class_name="mb-4 flex flex-wrap items-end justify-between gap-3",
        ),
        rx.cond(State.problem, out_of_date(State.problem, State.load)),
        rx.cond(
            State.rules,
            rx.el.div(
                table("Price rules", ("Days", "Vehicles", "Change", "Edit"), rx.foreach(State.rules, _line)),
                class_name=PANEL,
            ),
            rx.el.p(
                "No rules: every day costs the same.",
                class_name=f"{MUTED} rounded-2xl border border-dashed border-(--gray-a7) p-4",
            ),
        ),
        question(
            REMOVE,
            "Remove this price rule?",
            f"{State.asked_about}. Existing bookings keep their price.",
            about=State.asked_about != "",
            yes="Remove",
            no="Keep it",
            on_yes=State.remove,
            focus_back=_ADD,
        ),
        class_name="mt-10",
        custom_attrs={"aria-label": "Price rules"},
    )


def _line(rule: rx.Var[RuleLine]) -> rx.Component:
    name = f"{rule.days}, {rule.vehicles}"
    return row(
        bare_cell(rx.el.span(rule.days, class_name="font-semibold"), across=True),
        cell("Vehicles", rule.vehicles),
        cell("Change", rule.change),
        bare_cell(
            rx.el.div(
                _button("Change", f"Change the rule: {name}", on_click=State.edit(rule.id)),
                _button("Remove", f"Remove the rule: {name}", on_click=State.ask_remove(rule.id)),
                class_name="flex gap-2",
            ),
            across=True,
        ),
        key=rule.id,
    )


def _button(text: str, label: rx.Var[str] | str, **props: Any) -> rx.Component:
    return button(text, extra="px-4 text-sm", label=label, **props)


def rule_dialog() -> rx.Component:
    """The dialog that adds or changes a rule."""
    return form_dialog(
        *_fields(),
        _trial(),
        answers(
            "Cancel",
            submit(
                rx.cond(State.busy, "Saving...", "Save rule"),
                custom_attrs={"aria-disabled": rx.cond(State.busy, "true", "false")},
            ),
        ),
        name=RULE,
        title=rx.cond(State.rule > 0, "Change a price rule", "Add a price rule"),
        label="Price rule",
        description="It applies from the next quote. Existing bookings keep their price.",
        form_id=_FORM,
        form={"auto_complete": "off"},
        # Its vehicles come with the page.
        subject=PricesState.loaded & State.editing,
        regain=State.regain,
        waiting="h-96",
        beside=(form_changes(_FORM, on_typed=State.note_typed),),
        max_width="36rem",
        max_height="90vh",
        focus_back=_ADD,
        on_submit=State.save,
        look="flex flex-col gap-4",
    )


def _fields() -> tuple[rx.Component, ...]:
    return (
        rx.el.input(type="hidden", name="rule", default_value=State.rule),
        _select(
            "Days",
            "when",
            *[rx.el.option(f"Every {day}", value=day) for day in WEEKDAYS],
            rx.cond(State.apart, rx.el.option(f"Every {State.apart}", value=State.apart)),
            rx.el.option("From one date to another", value=DATES),
        ),
        rx.cond(
            State.by_dates,
            rx.el.div(_date("First day", "from"), _date("Last day", "to"), class_name=_PAIR),
            _select(
                "Until",
                "until",
                rx.el.option("That day only", value=""),
                *[rx.el.option(day, value=day) for day in WEEKDAYS],
            ),
        ),
        _select("Vehicles", "vehicle", rx.el.option("All vehicles", value=""), _vehicles()),
        rx.el.div(
            _select(
                "The price is", "direction", rx.el.option("Higher", value=DEARER), rx.el.option("Lower", value=CHEAPER)
            ),
            _field(
                "By how many percent",
                "percent",
                input_mode="numeric",
                auto_complete="off",
                hint=f"Up to {MOST_PERCENT}% higher or {-LEAST_PERCENT}% lower",
            ),
            class_name=_PAIR,
        ),
    )


def _trial() -> rx.Component:
    return rx.el.fieldset(
        rx.el.legend("What a customer would pay", class_name=f"{BLOCK_TITLE} float-left mb-3 w-full"),
        rx.el.div(
            rx.cond(State.for_all, rx.el.div(_select("Vehicle", "car", _vehicles()), class_name="sm:col-span-2")),
            _date("Pickup", "pickupDate"),
            _date("Return", "returnDate"),
            class_name=f"{_PAIR} clear-both",
        ),
        rx.el.div(
            rx.cond(State.preview, _preview(State.preview)),
            rx.cond(State.preview_problem, rx.el.p(State.preview_problem, class_name="text-(--red-11)")),
            rx.cond(
                State.preview | State.preview_problem,
                rx.fragment(),
                rx.el.p("Enter a percentage to see the price. Without dates it is the first day's.", class_name=MUTED),
            ),
            role="status",
            class_name="mt-4 text-sm",
        ),
        class_name="rounded-xl bg-(--gray-a2) p-4",
    )


def _preview(preview: rx.Var[PreviewText]) -> rx.Component:
    return rx.fragment(
        rx.el.p(preview.dates, class_name=MUTED),
        rx.el.ul(
            rx.foreach(
                preview.lines,
                lambda line: rx.el.li(line.label, rx.el.span(line.value), class_name="flex justify-between gap-3"),
            ),
            class_name="my-2 list-none p-0",
        ),
        rx.el.p(
            rx.el.span(preview.total, class_name="text-lg font-semibold"),
            f" instead of {preview.before}",
        ),
    )


def _vehicles() -> rx.Component:
    return rx.foreach(PricesState.choices, lambda choice: rx.el.option(choice.label, value=choice.value))


def _select(label: str, name: str, *options: rx.Component) -> rx.Component:
    return _field(label, name, *options, control=rx.el.select)


def _date(label: str, name: str) -> rx.Component:
    return _field(label, name, control=day_input(label))


def _field(label: str, name: str, *options: rx.Component, **props: Any) -> rx.Component:
    begun = State.form.get(name, "")
    return field(
        label,
        name,
        *options,
        id=field_id(name),
        error=State.errors[name],
        default_value=begun,
        class_name=FIELD,
        **props,
    )
