"""The product's date-time picker: Indian wall-clock text in and out, whatever the browser's zone."""

import reflex as rx

_SCRIPT = rx.asset("date_time_picker.jsx", shared=True)
rx.asset("date_time_rules.js", shared=True)
rx.asset("date_time_picker.css", shared=True)

# Draws the field's outline while its script is still on the way, so that nothing moves when it comes.
_SLOT = "h-10 empty:rounded-(--radius-3) empty:bg-(--color-surface) empty:shadow-[inset_0_0_0_1px_var(--gray-a7)]"


class _DateTimePicker(rx.NoSSRComponent):
    """The React side; its label and outline are rendered by ``date_time_picker``."""

    library = _SCRIPT.importable_path
    tag = "DateTimePicker"
    lib_dependencies: list[str] = ["react-datepicker@9.1.0"]

    label: rx.Var[str]
    value: rx.Var[str]
    not_before: rx.Var[str]
    open_time: rx.Var[str]
    close_time: rx.Var[str]
    closing_days: rx.Var[list[str]]
    days_ahead: rx.Var[int]
    placeholder: rx.Var[str]
    invalid: rx.Var[bool]
    described_by: rx.Var[str]
    on_change: rx.EventHandler[rx.event.passthrough_event_spec(str)]


def date_time_picker(
    *,
    id: str,
    label: str,
    value: rx.Var[str] | str,
    on_change: rx.event.EventType[str],
    not_before: rx.Var[str] | str = "",
    open_time: rx.Var[str] | str = "",
    close_time: rx.Var[str] | str = "",
    closing_days: rx.Var[list[str]] | list[str] | None = None,
    days_ahead: int = 90,
    placeholder: str = "dd/MM/yyyy hh:mm aa",
    invalid: rx.Var[bool] | bool = False,
    described_by: str = "",
) -> rx.Component:
    """A labelled field that offers full hours, from the next one in India to ``days_ahead`` days on.

    ``value``, ``not_before`` and what ``on_change`` receives are Indian wall-clock text,
    ``YYYY-MM-DDTHH:MM``, or ``""`` for none. ``open_time`` and ``close_time`` (``HH:MM``, both
    included) and ``closing_days`` (English weekday names) narrow the choice to a vendor's hours.
    """
    return rx.el.div(
        rx.el.label(label, html_for=id, class_name="block mb-1 text-sm font-medium"),
        rx.el.div(
            _DateTimePicker.create(
                id=id,
                label=label,
                value=value,
                on_change=on_change,
                not_before=not_before,
                open_time=open_time,
                close_time=close_time,
                closing_days=closing_days if closing_days is not None else [],
                days_ahead=days_ahead,
                placeholder=placeholder,
                invalid=invalid,
                described_by=described_by,
            ),
            class_name=_SLOT,
        ),
    )
