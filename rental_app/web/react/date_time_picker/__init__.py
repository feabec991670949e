"""The product's date-time picker: Indian wall-clock text in and out, whatever the browser's zone."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import reflex as rx

from rental_app.domain.clock import MAX_AHEAD
from rental_app.web.parts.field import field_error
from rental_app.web.parts.theme import FIELD, LABEL

_SCRIPT = rx.asset("date_time_picker.jsx", shared=True)
for _part in ("calendar.jsx", "calendar.css", "clock.js", "days.js", "display.js", "hours.js", "typed.js"):
    rx.asset(_part, shared=True)

TITLE = "When do you ride?"
# The hour offered with a day that is chosen before any hour.
MORNING = "10:00"
Ends = Sequence[dict[str, rx.Var[str] | str]]
HINT = "Add date"
_PLAIN = {"id": "id", "name": "name", "class": "className", "value": "value", "aria-describedby": "problemId"}


def plain_picker(props: dict[str, str]) -> str:
    """What takes the picker's place until its scripts run: the browser's own, on full hours."""
    attributes = " ".join(f'{name}="{props[prop]}"' for name, prop in _PLAIN.items())
    return f'<div class="dtp-field"><input {attributes} type="datetime-local" step="3600" required></div>'


class _DateTimePicker(rx.Component):
    """The React side, without the label; the panel is fetched when it is first opened."""

    library = _SCRIPT.importable_path
    tag = "DateTimePicker"
    lib_dependencies: list[str] = [
        "date-fns@4.4.0",
        "@date-fns/tz@1.5.0",
    ]

    name: rx.Var[str]
    label: rx.Var[str]
    value: rx.Var[str]
    hour: rx.Var[str]
    is_preset: rx.Var[bool]
    placeholder: rx.Var[str]
    auto_complete: rx.Var[str]
    spell_check: rx.Var[bool]
    required: rx.Var[bool]
    limits: rx.Var[dict[str, Any]]
    asks: rx.Var[str]
    summary: rx.Var[str]
    note: rx.Var[str]
    ends: rx.Var[list[dict[str, str]]]
    problem_id: rx.Var[str]
    on_change: rx.EventHandler[rx.event.passthrough_event_spec(str)]


def date_time_picker(
    *,
    id: str,
    name: str,
    label: str,
    value: rx.Var[str] | str,
    on_change: rx.event.EventType[str],
    hour: rx.Var[str] | str = MORNING,
    is_preset: rx.Var[bool] | bool = False,
    not_before: rx.Var[str] | str = "",
    open_time: rx.Var[str] | str = "",
    close_time: rx.Var[str] | str = "",
    closing_days: rx.Var[list[str]] | list[str] | None = None,
    days_ahead: int = MAX_AHEAD.days,
    days_back: int = 0,
    busy: rx.Var[list[dict[str, str]]] | list[dict[str, str]] | None = None,
    placeholder: str = HINT,
    error: rx.Var[str] | str = "",
    ends: Ends = (),
    summary: rx.Var[str] | str = "",
    note: rx.Var[str] | str = "",
) -> rx.Component:
    """A labelled field that offers full hours, from the next one in India to ``days_ahead`` days on.

    ``value``, ``not_before`` and what ``on_change`` receives are Indian wall-clock text,
    ``YYYY-MM-DDTHH:MM``, or ``""`` for none. ``open_time`` and ``close_time`` (``HH:MM``, both
    included) and ``closing_days`` (English weekday names) narrow the choice to a vendor's hours, ``busy`` (windows from
    ``pickup`` up to ``return``, as such text too) leaves out what is taken.
    The hours of the last ``days_back`` days are offered too.
    A day that is chosen before any hour gets `hour` (``HH:MM``), or the next one on offer, as does one that is chosen
    while the value ``is_preset``. ``error`` says what is wrong with what was chosen. ``ends`` are the two pickers
    (id, label, value) of a window, this one among them: one panel chooses both, the first press the first one.
    ``summary`` and ``note`` are said there above its button.
    """
    return rx.el.div(
        rx.el.label(label, html_for=id, class_name=LABEL),
        _DateTimePicker.create(
            id=id,
            name=name,
            label=label,
            value=value,
            hour=hour,
            on_change=on_change,
            limits={
                "notBefore": not_before,
                "daysBack": days_back,
                "openTime": open_time,
                "closeTime": close_time,
                "closingDays": [] if closing_days is None else closing_days,
                "daysAhead": days_ahead,
                "busy": [] if busy is None else busy,
            },
            is_preset=is_preset,
            asks=TITLE,
            summary=summary,
            note=note,
            ends=list(ends),
            placeholder=placeholder,
            auto_complete="off",
            spell_check=False,
            problem_id=rx.cond(error, f"{id}-error", ""),
            class_name=f"{FIELD} pr-20 tabular-nums",
        ),
        field_error(id, error),
        # With room for one line of error, mostly in the gap below, so that nothing moves when a date is refused.
        class_name="min-h-22 -mb-3",
    )


def day_input(
    label: rx.Var[str] | str, *, first: rx.Var[str] | str = "", last: rx.Var[str] | str = ""
) -> Callable[..., rx.Component]:
    """The control of a `field` with this label for a day from `first` to `last`; blank ends are open.

    Days are ``YYYY-MM-DD``, or ``""`` for none, to the control, in the form and to its ``on_change``.
    """
    return partial(_input, label, {"days": True, "firstDay": first, "lastDay": last}, "pr-10")


def past_input(label: str, *, days_back: int) -> Callable[..., rx.Component]:
    """The same for a past minute as Indian wall-clock text, at most ``days_back`` days ago."""
    return partial(_input, label, {"minutes": True, "daysBack": days_back, "daysAhead": 0}, "pr-20")


def _input(
    label: rx.Var[str] | str,
    limits: dict[str, Any],
    room: str,
    *,
    default_value: rx.Var[str] | str = "",
    class_name: str = FIELD,
    placeholder: str = HINT,
    auto_complete: str = "off",
    **props: Any,
) -> rx.Component:
    return _DateTimePicker.create(
        label=label,
        value=default_value,
        hour=MORNING,
        limits=limits,
        ends=[],
        placeholder=placeholder,
        auto_complete=auto_complete,
        spell_check=False,
        class_name=f"{class_name} {room} tabular-nums",
        **props,
    )
