"""The vendor's page Prices: every plan of every vehicle in one form, and the price rules."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from rental_app.domain.pricing import PLAN_NAMES
from rental_app.web.frame.vendor import vendor_layout
from rental_app.web.parts.badges import plate
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.dialogs import alert_line, answers, form_dialog
from rental_app.web.parts.field import field
from rental_app.web.parts.fleet_search import fleet_search, nothing_fits
from rental_app.web.parts.links import link_button
from rental_app.web.parts.notice import notice, refreshable, skeleton
from rental_app.web.parts.table import bare_cell, cell, row, table
from rental_app.web.parts.theme import CHECKBOX, FIELD, MUTED, PANEL
from rental_app.web.react.browser_draft import browser_draft
from rental_app.web.react.form_changes import form_changes
from rental_app.web.react.modal import opens
from rental_app.web.react.unsaved_guard import unsaved_guard
from rental_app.web.vendor.prices.presenter import PriceCell, PriceRow, VehicleChoice
from rental_app.web.vendor.prices.rules import rule_dialog, rules_section
from rental_app.web.vendor.prices.state import ALL, COPY, SEARCH, TARGET
from rental_app.web.vendor.prices.state import PricesState as State

FORM = "prices-form"
_TICK = "flex min-h-11 cursor-pointer items-center gap-3 py-1.5"


def prices() -> rx.Component:
    """The table of all plans, and the rules that change them by day."""
    return rx.fragment(
        vendor_layout(
            "Prices",
            rx.el.p(
                "Each plan has its price in ₹ and, below it, the kilometres included: blank is unlimited. A plan"
                " without a price is not offered. Bookings keep their price.",
                class_name=f"{MUTED} -mt-3 mb-5",
            ),
            *refreshable(
                State.loaded,
                rx.cond(
                    State.choices,
                    rx.fragment(_content(), rules_section()),
                    notice(
                        "No vehicles yet",
                        "Your prices appear here as soon as you have listed one.",
                        link_button("Add Vehicle", "/vendor/add-vehicle"),
                    ),
                ),
                State,
                "Your prices",
                skeleton("h-120"),
            ),
            waiting=skeleton("h-120"),
        ),
        _copy_dialog(),
        rule_dialog(),
        # Outside of the content for vendors only: after a restart nobody is known to be a vendor at first.
        browser_draft(FORM, State.loaded, State.load),
    )


def _content() -> rx.Component:
    visible = rx.Var.create(State.visible)
    any_visible = visible.length() > 0
    return rx.el.div(
        rx.el.div(
            fleet_search(SEARCH, State.text, State.search, "sm:max-w-96"),
            rx.el.p(State.count_line, role="status", class_name=f"{MUTED} text-sm"),
            class_name="mb-3 flex flex-wrap items-center gap-3",
            role="search",
        ),
        rx.el.form(
            rx.el.input(type="hidden", name="round", default_value=State.round),
            table("Prices", ("Vehicle", *PLAN_NAMES), rx.foreach(State.rows, _row)),
            unsaved_guard(FORM),
            id=FORM,
            key=State.round,
            on_submit=State.save,
            no_validate=True,
            # Browsers would put a reloaded form's old texts over the prices stored by now.
            auto_complete="off",
            custom_attrs={"aria-label": "Prices", "data-dirty": "false"},
            hidden=~any_visible,
            class_name=f"{PANEL} overflow-x-auto",
        ),
        form_changes(FORM),
        rx.cond(any_visible, rx.fragment(), nothing_fits("Try fewer words.", State.clear)),
        rx.cond(
            visible.length() < State.total,
            button("Show more vehicles", extra="mx-auto mt-4 flex", on_click=State.show_more),
        ),
        # Outside of the form, which is drawn afresh by every save: the focus stays where it is.
        rx.el.div(
            rx.cond(
                State.sources & (rx.Var.create(State.choices).length() > 1),
                button("Copy to others", extra="max-sm:flex-1 max-sm:px-2", id=COPY, custom_attrs=opens(COPY)),
            ),
            submit(
                rx.cond(State.busy, "Saving...", "Save prices"),
                extra="aria-disabled:cursor-progress max-sm:flex-1 max-sm:px-2",
                form=FORM,
                custom_attrs={"aria-disabled": rx.cond(State.busy, "true", "false")},
            ),
            class_name=f"{PANEL} sticky bottom-[calc(var(--foot)+0.75rem)] z-10 mt-4 flex justify-end gap-3 p-3",
        ),
    )


def _row(vehicle: rx.Var[PriceRow]) -> rx.Component:
    name = f"{vehicle.title}, {vehicle.rc_number}"
    return row(
        bare_cell(
            rx.el.p(vehicle.title, class_name="font-semibold"),
            rx.el.p(plate(vehicle.rc_number), class_name="mt-1"),
            across=True,
        ),
        *[cell(plan, _plan(f"{name}: {plan}", vehicle.cells[index])) for index, plan in enumerate(PLAN_NAMES)],
        key=f"{vehicle.id}-{vehicle.version}",
        hidden=~rx.Var.create(State.visible).contains(vehicle.id),
    )


def _plan(name: rx.Var[str] | str, plan: rx.Var[PriceCell]) -> rx.Component:
    return rx.el.div(
        _figure(name, plan, "price", "price in ₹", plan.price, _in_rupees),
        rx.el.div(
            _figure(name, plan, "kms_limit", "kms limit", plan.kms_limit, _in_km),
            rx.cond(
                plan.is_plan,
                rx.el.label(
                    rx.el.input(
                        type="checkbox",
                        name=f"{plan.name}.status",
                        value="Active",
                        default_checked=plan.active,
                        class_name=f"{CHECKBOX} scroll-mb-28",
                        custom_attrs={"aria-label": f"{name}: Active"},
                    ),
                    rx.el.span("On", custom_attrs={"aria-hidden": "true"}),
                    class_name="flex min-h-10 cursor-pointer items-center gap-1.5 text-sm",
                ),
            ),
            class_name="flex items-start gap-2",
        ),
        # What was shown is sent with what is typed and, like that, survives a restart, which hidden fields do not.
        _shown(plan, "price", plan.shown.price),
        _shown(plan, "kms_limit", plan.shown.kms_limit),
        _shown(plan, "status", plan.shown.status),
        class_name="grid min-w-24 gap-2",
    )


def _shown(plan: rx.Var[PriceCell], part: str, value: rx.Var[str]) -> rx.Component:
    return rx.el.input(
        type="text",
        name=f"{plan.name}.shown_{part}",
        key=f"{part} {value}",
        default_value=value,
        class_name="hidden",
        custom_attrs={"aria-hidden": "true"},
    )


_UNIT = f"{MUTED} pointer-events-none absolute top-2 text-base"


def _in_rupees(**props: Any) -> rx.Component:
    return _with_unit("₹", f"{_UNIT} left-3", "pl-7", **props)


def _in_km(**props: Any) -> rx.Component:
    return _with_unit("km", f"{_UNIT} right-3", "pr-9", **props)


def _with_unit(unit: str, look: str, room: str, *, class_name: str, **props: Any) -> rx.Component:
    """A field with its unit inside, which a screen reader hears in the field's name."""
    return rx.el.div(
        rx.el.input(class_name=f"{class_name} {room}", **props),
        rx.el.span(unit, class_name=look, custom_attrs={"aria-hidden": "true"}),
        class_name="relative",
    )


def _figure(
    name: rx.Var[str] | str,
    plan: rx.Var[PriceCell],
    part: str,
    label: str,
    value: rx.Var[str],
    control: Callable[..., rx.Component],
) -> rx.Component:
    element = f"{plan.name}.{part}"
    return field(
        "",
        element,
        error=State.errors[element],
        control=control,
        box="min-w-0 flex-1",
        default_value=value,
        input_mode="decimal",
        auto_complete="off",
        # The focused field is scrolled clear of the buttons below.
        class_name=f"{FIELD} scroll-mb-28 tabular-nums",
        custom_attrs={"aria-label": f"{name}: {label}"},
    )


def _copy_dialog() -> rx.Component:
    return form_dialog(
        field(
            "From",
            "from",
            rx.foreach(State.sources, lambda choice: rx.el.option(choice.label, value=choice.value)),
            control=rx.el.select,
            id="copy-from",
            on_change=State.choose_source,
        ),
        rx.el.fieldset(
            rx.el.legend("To", class_name="mb-1 text-sm font-medium"),
            _target(ALL, rx.el.span("All others", class_name="font-semibold")),
            rx.el.div(
                rx.foreach(
                    State.choices,
                    lambda choice: rx.cond(choice.value == State.source, rx.fragment(), _other(choice)),
                ),
                class_name="max-h-60 overflow-y-auto rounded-xl border border-(--line) px-3",
                # Scrollable by keyboard.
                tab_index=0,
                role="group",
                custom_attrs={"aria-label": "Vehicles"},
            ),
        ),
        alert_line(State.refusal, "text-sm"),
        answers("Cancel", submit("Copy prices")),
        name=COPY,
        title="Copy prices",
        label="Copy prices",
        description="The saved prices of one vehicle replace those of others at once.",
        no_validate=False,
        max_width="30rem",
        focus_back=COPY,
        on_open=State.begin_copy,
        on_submit=State.copy_prices,
        look="flex flex-col gap-4",
    )


def _other(choice: rx.Var[VehicleChoice]) -> rx.Component:
    name = rx.el.span(
        choice.title, " ", rx.el.span(plate(choice.rc_number), class_name="mt-1 block"), class_name="leading-5"
    )
    return _target(f"{TARGET}{choice.value}", name, key=choice.value)


def _target(name: rx.Var[str] | str, label: rx.Component, **props: Any) -> rx.Component:
    box = rx.el.input(type="checkbox", name=name, value="1", class_name=CHECKBOX)
    return rx.el.label(box, label, class_name=_TICK, **props)
