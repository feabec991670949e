"""The pricing part of a vehicle's form: prices copied from another vehicle, and a row for each plan."""

import reflex as rx

from rental_app.components.choice import combobox
from rental_app.components.theme import BLOCK_TITLE, FIELD, LABEL, MUTED
from rental_app.states.vendor.vehicle_form import VehicleForm
from rental_app.views.vendor.vehicle_form import PlanRow

CHECKBOX = "size-5 shrink-0 accent-(--accent-9)"
_HEAD = "px-3 py-2 text-left text-sm font-semibold"
# A phone shows every row of the table as a card, with the column's name above each figure.
_CELL = "px-3 py-2 max-sm:block max-sm:px-0 max-sm:py-1.5"
_NAMED = (
    f"{_CELL} max-sm:before:mb-1 max-sm:before:block max-sm:before:text-sm max-sm:before:text-(--muted)"
    " max-sm:before:content-[attr(data-name)]"
)


def pricing(form: type[VehicleForm]) -> rx.Component:
    """Copy Prices From and the pricing table; `form` is the state behind them."""
    return rx.el.section(
        rx.el.h2("Pricing", class_name=BLOCK_TITLE),
        rx.el.div(
            rx.el.label("Copy Prices From", html_for="copy-prices", class_name=LABEL),
            combobox(
                "copy-prices",
                options=form.assets,
                placeholder="-- Select Previous Vehicle --",
                on_choose=form.copy_prices,
            ),
            class_name="mt-3 max-w-md",
        ),
        rx.cond(
            rx.Var.create(form.plans).length() > 0,
            rx.fragment(
                _table(form),
                rx.el.p(
                    "Customers can book the vehicle while its Full Day plan is active and has a price."
                    " A kms limit of 0 means unlimited.",
                    class_name=f"{MUTED} mt-2 text-sm",
                ),
            ),
            rx.el.p(
                "Choose a model to see its price plans.",
                class_name=f"{MUTED} mt-4 rounded-xl border border-dashed border-(--gray-a7) p-4",
            ),
        ),
    )


def _table(form: type[VehicleForm]) -> rx.Component:
    columns = ("Status", "Plan", "Price", "Info", "Kms Limit")
    return rx.el.table(
        rx.el.thead(
            rx.el.tr(
                *[rx.el.th(name, scope="col", role="columnheader", class_name=_HEAD) for name in columns], role="row"
            ),
            role="rowgroup",
            class_name="border-b border-(--line) max-sm:sr-only",
        ),
        rx.el.tbody(rx.foreach(form.plans, lambda plan: _plan(form, plan)), role="rowgroup", class_name="max-sm:block"),
        # Explicit roles: `display: block`, which a phone gets, strips the table of its semantics.
        role="table",
        class_name="mt-4 w-full max-sm:block",
        custom_attrs={"aria-label": "Pricing"},
    )


def _plan(form: type[VehicleForm], plan: rx.Var[PlanRow]) -> rx.Component:
    path = f"prices.{plan.index}"
    return rx.el.tr(
        rx.el.td(
            rx.el.input(type="hidden", name=f"{path}.price_name", value=plan.name, read_only=True),
            rx.el.label(
                rx.el.input(
                    type="checkbox",
                    name=f"{path}.status",
                    value="Active",
                    default_checked=plan.active,
                    class_name=CHECKBOX,
                    custom_attrs={"data-off": "Inactive", "aria-label": f"{plan.name}: Active"},
                ),
                "Active",
                class_name="flex min-h-10 w-fit cursor-pointer items-center gap-2 text-sm",
            ),
            role="cell",
            class_name=f"{_CELL} max-sm:float-right max-sm:pt-0",
        ),
        rx.el.td(plan.name, role="cell", class_name=f"{_CELL} font-semibold whitespace-nowrap max-sm:pt-2"),
        _named("Price", _figure(form, plan, "price", "price in ₹", plan.price)),
        rx.el.td(plan.info, role="cell", class_name=f"{_CELL} {MUTED} text-sm"),
        _named("Kms Limit", _figure(form, plan, "kms_limit", "kms limit", plan.kms_limit)),
        key=f"{form.plans_round}-{plan.name}",
        role="row",
        class_name="border-b border-(--line) align-top max-sm:block max-sm:py-3 sm:[&>td]:align-middle",
    )


def _named(column: str, figure: rx.Component) -> rx.Component:
    return rx.el.td(figure, role="cell", class_name=_NAMED, custom_attrs={"data-name": column})


def _figure(form: type[VehicleForm], plan: rx.Var[PlanRow], part: str, label: str, value: rx.Var[str]) -> rx.Component:
    name = f"prices.{plan.index}.{part}"
    error = form.errors[name]
    return rx.el.div(
        rx.el.input(
            name=name,
            default_value=value,
            input_mode="decimal",
            auto_complete="off",
            class_name=f"{FIELD} min-w-24",
            custom_attrs={
                "aria-label": f"{plan.name}: {label}",
                "aria-invalid": rx.cond(error, "true", "false"),
                "aria-describedby": rx.cond(error, f"{name}-error", ""),
            },
        ),
        rx.cond(error, rx.el.p(error, id=f"{name}-error", class_name="mt-1 text-sm text-(--red-11)")),
    )
