"""The fields of Add New Vehicle and Edit Vehicle."""

from typing import Any

import reflex as rx

from rental_app.schemas.people import PINCODE_DIGITS
from rental_app.schemas.validation import label_of
from rental_app.schemas.vehicles import AT_VENDORS, ELSEWHERE, OWN_ADDRESS, REQUIRED_FIELDS
from rental_app.schemas.wire import MAX_TEXT
from rental_app.web.parts.field import field, lines_input
from rental_app.web.parts.notice import retry_strip
from rental_app.web.parts.presenters.texts import Choice
from rental_app.web.parts.table import bare_cell, cell, row, table
from rental_app.web.parts.theme import BLOCK_TITLE, CHECKBOX, FIELD, MUTED
from rental_app.web.parts.vehicle_form.presenter import PlanRow
from rental_app.web.parts.vehicle_form.state import VehicleForm
from rental_app.web.react.date_time_picker import day_input
from rental_app.web.react.digits import digits
from rental_app.web.react.steps import PAPERS, PRICES, VEHICLE, of_step
from rental_app.web.session.base import SessionState
from rental_app.web.session.pincode import TYPED

# The fields of another address are not shown while the vehicle is kept at its vendor's.
_NEEDED = (*REQUIRED_FIELDS, *OWN_ADDRESS)
_GRID = "mt-3 grid items-start gap-4 sm:grid-cols-2 xl:grid-cols-4"


def vehicle_fields(form: type[VehicleForm]) -> list[rx.Component]:
    """All inputs of a vehicle but its files, as sections; `form` is the state behind them."""
    grid = rx.el.div(
        _plain(form, "address", max_length=MAX_TEXT, box="sm:col-span-2"),
        _plain(form, "landmark", optional=True, max_length=MAX_TEXT),
        _plain(form, "zipCode", control=digits, most=PINCODE_DIGITS, hint="6 digits"),
        rx.cond(form.asks_for_state, _plain(form, "state", note=TYPED, max_length=MAX_TEXT)),
        _plain(
            form,
            "service_location",
            rx.el.option("Select location", value=""),
            rx.foreach(SessionState.locations, lambda place: rx.el.option(place, value=place)),
            control=rx.el.select,
            hint="Where customers find it",
        ),
        _plain(form, "google_maps_link", optional=True, type="url", placeholder="https://", box="sm:col-span-2"),
        class_name=_GRID,
    )
    # Needed in an edit, where an address left out would stay.
    at_vendors = rx.el.input(type="hidden", name="address", value="")
    return [
        rx.cond(form.failures, retry_strip(rx.Var.create(form.failures).join(". "), form.load_again)),
        _section(VEHICLE, "Vehicle", rx.el.div(*_choices(form), _plain(form, "color", placeholder="White"))),
        _section(VEHICLE, "Where it is kept", rx.el.div(_standing(form)), rx.cond(form.elsewhere, grid, at_vendors)),
        _section(PAPERS, "Documents", rx.el.div(*_papers(form))),
        _section(PRICES, "Charges", rx.el.div(*_charges(form)), _extra_payment(form), _terms(form)),
        pricing(form),
    ]


def _section(step: str, title: str, grid: rx.Component, *more: rx.Component) -> rx.Component:
    grid.class_name = _GRID
    return rx.el.section(rx.el.h2(title, class_name=BLOCK_TITLE), grid, *more, class_name=of_step(step))


def _choices(form: type[VehicleForm]) -> list[rx.Component]:
    return [
        _select(form, "vehicleType", form.type_id, form.types, form.choose_type),
        _select(
            form,
            "manufacturer",
            form.manufacturer_id,
            form.manufacturers,
            form.choose_manufacturer,
            form.type_id,
            disabled=rx.Var.create(form.manufacturers).length() == 0,
        ),
        _select(
            form,
            "model",
            form.model_id,
            form.models,
            form.choose_model,
            form.manufacturer_id,
            disabled=rx.Var.create(form.models).length() == 0,
        ),
        _plain(
            form,
            "year",
            rx.el.option("Select year", value=""),
            rx.foreach(form.years, lambda year: rx.el.option(year, value=year)),
            control=rx.el.select,
        ),
    ]


def _select(
    form: type[VehicleForm],
    name: str,
    value: rx.Var[str],
    options: rx.Var[list[Choice]],
    on_choose: rx.event.EventType[str],
    of: rx.Var[str] | str = "",
    **props: Any,
) -> rx.Component:
    return _plain(
        form,
        name,
        rx.el.option(f"Select {label_of(name).lower()}", value=""),
        rx.foreach(options, lambda option: rx.el.option(option.label, value=option.value)),
        control=rx.el.select,
        default_value=value,
        on_change=on_choose,
        note=form.notes[name],
        # Shows a choice at once, and starts over with other options.
        key=f"{of}-{options.length()}",
        **props,
    )


def _plain(
    form: type[VehicleForm], name: str, *options: rx.Component, optional: bool = False, **props: Any
) -> rx.Component:
    label = f"{label_of(name)} (optional)" if optional else label_of(name)
    shown = {"default_value": form.values[name], "auto_complete": "off"} | props
    needed = {"aria-required": "true"} if name in _NEEDED else None
    return field(label, name, *options, error=form.errors[name], custom_attrs=needed, **shown)


def _standing(form: type[VehicleForm]) -> rx.Component:
    return _plain(
        form,
        "stands",
        rx.el.option("At my own address", value=AT_VENDORS),
        rx.el.option("At another address", value=ELSEWHERE),
        control=rx.el.select,
        default_value=rx.cond(form.elsewhere, ELSEWHERE, AT_VENDORS),
        on_change=form.choose_standing,
        hint="Customers pick it up there",
        box="sm:col-span-2",
    )


def _number(form: type[VehicleForm], name: str, **props: Any) -> rx.Component:
    return _plain(form, name, input_mode="decimal", **props)


def _dated(form: type[VehicleForm], name: str, last: rx.Var[str] | str = "") -> rx.Component:
    return _plain(form, name, control=day_input(label_of(name), last=last), note=form.notes[name])


def _papers(form: type[VehicleForm]) -> list[rx.Component]:
    return [
        _plain(form, "rc_number", placeholder="TS09EA1234", auto_capitalize="characters"),
        _plain(form, "engine_number", auto_capitalize="characters"),
        _plain(form, "chassis_number", placeholder="17 characters", auto_capitalize="characters"),
        _plain(form, "owner_name_as_per_rc"),
        _number(form, "odometer_reading", placeholder="Kilometres"),
        _dated(form, "last_serviced_date", last=form.today),
        _dated(form, "insurance_expiry_date"),
        _dated(form, "pollution_expiry_date"),
    ]


def _charges(form: type[VehicleForm]) -> list[rx.Component]:
    return [
        _number(form, "speed_limit_kmph"),
        _number(form, "late_penalty_per_hour"),
        _number(form, "distance_penalty_per_km"),
        _number(form, "security_deposit"),
    ]


def _extra_payment(form: type[VehicleForm]) -> rx.Component:
    return rx.el.div(
        rx.el.label(
            rx.el.input(
                type="checkbox",
                name="drop_off_pick_extra_payment",
                value="true",
                default_checked=form.extra_payment,
                on_change=form.set_extra_payment,
                class_name=CHECKBOX,
            ),
            label_of("drop_off_pick_extra_payment"),
            class_name="flex min-h-10 w-fit cursor-pointer items-center gap-2 font-medium",
        ),
        rx.cond(
            form.extra_payment,
            rx.el.div(
                _number(form, "drop_off_payment"),
                _number(form, "pick_up_payment"),
                class_name=_GRID,
            ),
        ),
        class_name="mt-4",
    )


def _terms(form: type[VehicleForm]) -> rx.Component:
    return _plain(
        form,
        "terms",
        control=lines_input,
        rows=4,
        placeholder="One term per line (optional)",
        box="mt-4",
    )


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
