"""The pricing part of a vehicle's form: prices copied from another vehicle, and a row for each plan."""

import reflex as rx

from rental_app.web.parts.field import field
from rental_app.web.parts.table import bare_cell, cell, row, table
from rental_app.web.parts.theme import BLOCK_TITLE, CHECKBOX, FIELD, MUTED
from rental_app.web.parts.vehicle_form.presenter import PlanRow
from rental_app.web.parts.vehicle_form.state import VehicleForm
from rental_app.web.react.steps import PRICES, of_step

COPY_FORM = "copy-prices-form"


def pricing(form: type[VehicleForm]) -> rx.Component:
    """Copy Prices From (with `copy_prices_form` beside) and the pricing table; `form` is the state behind them."""
    columns = ("Status", "Plan", "Price", "Info", "Kms Limit")
    rows = rx.foreach(
        form.plans,
        lambda plan: row(
            bare_cell(_active(plan)),
            bare_cell(rx.el.span(plan.name, class_name="font-semibold whitespace-nowrap")),
            cell("Price", _figure(form, plan, "price", "price in ₹", plan.price)),
            bare_cell(rx.el.span(plan.info, class_name=f"{MUTED} text-sm")),
            cell("Kms Limit", _figure(form, plan, "kms_limit", "kms limit", plan.kms_limit)),
            key=f"{form.plans_round}-{plan.name}",
        ),
    )
    return rx.el.section(
        rx.el.h2("Pricing", class_name=BLOCK_TITLE),
        field(
            "Copy Prices From",
            "copy-prices",
            box="mt-3 max-w-md",
            type="search",
            form=COPY_FORM,
            list="earlier-vehicles",
            placeholder="-- Select Previous Vehicle --",
            auto_complete="off",
            on_change=form.choose_source.debounce(250),
        ),
        rx.el.datalist(rx.foreach(form.sources, lambda label: rx.el.option(value=label)), id="earlier-vehicles"),
        rx.cond(
            rx.Var.create(form.plans).length() > 0,
            rx.fragment(
                rx.el.div(table("Pricing", columns, rows), class_name="mt-4"),
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
        class_name=of_step(PRICES),
    )


def copy_prices_form(form: type[VehicleForm]) -> rx.Component:
    """The form of Copy Prices From, outside of the vehicle's own: Enter in it copies and sends nothing else."""
    typed = rx.Var('document.getElementById("copy-prices").value', _var_type=str)
    return rx.el.form(id=COPY_FORM, on_submit=form.copy_prices(typed).prevent_default, class_name="hidden")


def _active(plan: rx.Var[PlanRow]) -> rx.Component:
    path = f"prices.{plan.index}"
    return rx.fragment(
        rx.el.input(type="hidden", name=f"{path}.price_name", value=plan.name, read_only=True),
        rx.el.label(
            rx.el.input(
                type="checkbox",
                name=f"{path}.status",
                value="Active",
                default_checked=plan.active,
                class_name=CHECKBOX,
                custom_attrs={"aria-label": f"{plan.name}: Active"},
            ),
            "Active",
            class_name="flex min-h-10 w-fit cursor-pointer items-center gap-2 text-sm",
        ),
    )


def _figure(form: type[VehicleForm], plan: rx.Var[PlanRow], part: str, label: str, value: rx.Var[str]) -> rx.Component:
    name = f"prices.{plan.index}.{part}"
    return field(
        "",
        name,
        error=form.errors[name],
        note=form.notes[name],
        default_value=value,
        input_mode="decimal",
        auto_complete="off",
        class_name=f"{FIELD} min-w-24",
        custom_attrs={"aria-label": f"{plan.name}: {label}"},
    )
