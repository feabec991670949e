"""The product's date-time picker: Indian wall-clock text in and out, whatever the browser's zone."""

import reflex as rx

from rental_app.components.fields.field import fault
from rental_app.components.theme import FIELD, LABEL

_SCRIPT = rx.asset("date_time_picker.jsx", shared=True)
for part in ("date_time_icon.jsx", "date_time_panel.css", "date_time_panel.jsx", "date_time_rules.js"):
    rx.asset(part, shared=True)


_PLAIN = {"id": "id", "name": "name", "class": "className", "value": "value", "aria-describedby": "problemId"}


def plain_picker(props: dict[str, str]) -> str:
    """What stands in the picker's place until its scripts run: the browser's own, on full hours."""
    given = " ".join(f'{name}="{props[prop]}"' for name, prop in _PLAIN.items())
    return f'<div class="dtp-field"><input {given} type="datetime-local" step="3600" required></div>'


class _DateTimePicker(rx.Component):
    """The React side, without the label; the panel is fetched when it is first opened."""

    library = _SCRIPT.importable_path
    tag = "DateTimePicker"
    lib_dependencies: list[str] = ["react-datepicker@9.1.0"]

    name: rx.Var[str]
    label: rx.Var[str]
    value: rx.Var[str]
    not_before: rx.Var[str]
    open_time: rx.Var[str]
    close_time: rx.Var[str]
    closing_days: rx.Var[list[str]]
    days_ahead: rx.Var[int]
    placeholder: rx.Var[str]
    problem_id: rx.Var[str]
    on_change: rx.EventHandler[rx.event.passthrough_event_spec(str)]


def date_time_picker(
    *,
    id: str,
    name: str,
    label: str,
    value: rx.Var[str] | str,
    on_change: rx.event.EventType[str],
    not_before: rx.Var[str] | str = "",
    open_time: rx.Var[str] | str = "",
    close_time: rx.Var[str] | str = "",
    closing_days: rx.Var[list[str]] | list[str] | None = None,
    days_ahead: int = 90,
    placeholder: str = "dd/MM/yyyy hh:mm aa",
    error: rx.Var[str] | str = "",
) -> rx.Component:
    """A labelled field that offers full hours, from the next one in India to ``days_ahead`` days on.

    ``value``, ``not_before`` and what ``on_change`` receives are Indian wall-clock text,
    ``YYYY-MM-DDTHH:MM``, or ``""`` for none. ``open_time`` and ``close_time`` (``HH:MM``, both
    included) and ``closing_days`` (English weekday names) narrow the choice to a vendor's hours.
    ``error`` says what is wrong with what was chosen.
    """
    return rx.el.div(
        rx.el.label(label, html_for=id, class_name=LABEL),
        _DateTimePicker.create(
            id=id,
            name=name,
            label=label,
            value=value,
            on_change=on_change,
            not_before=not_before,
            open_time=open_time,
            close_time=close_time,
            closing_days=closing_days if closing_days is not None else [],
            days_ahead=days_ahead,
            placeholder=placeholder,
            problem_id=rx.cond(error, f"{id}-error", ""),
            class_name=f"{FIELD} pr-20 tabular-nums aria-invalid:border-(--red-9)",
        ),
        fault(id, error),
    )
