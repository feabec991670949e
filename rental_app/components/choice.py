"""Drop-downs: a native one that depends on others, and one that is searched by typing."""

from typing import Any

import reflex as rx

from rental_app.components.theme import FIELD

_CHOICE = rx.asset("choice.jsx", shared=True)
_COMBOBOX = rx.asset("combobox.jsx", shared=True)
rx.asset("combobox.css", shared=True)


class _Choice(rx.Component):
    library = _CHOICE.importable_path
    tag = "Choice"

    name: rx.Var[str]
    value: rx.Var[str]
    options: rx.Var[list[Any]]
    empty_label: rx.Var[str]
    disabled: rx.Var[bool]
    on_choose: rx.EventHandler[rx.event.passthrough_event_spec(str)]


class _Combobox(rx.Component):
    library = _COMBOBOX.importable_path
    tag = "Combobox"

    options: rx.Var[list[Any]]
    placeholder: rx.Var[str]
    on_choose: rx.EventHandler[rx.event.passthrough_event_spec(str)]


def choice(name: str, **props: Any) -> rx.Component:
    """A native drop-down of ``options`` (value, label) named ``name`` that shows the choice before the state does."""
    return _Choice.create(id=name, name=name, class_name=FIELD, **props)


def combobox(name: str, **props: Any) -> rx.Component:
    """A searchable, clearable drop-down of ``options`` (value, label)."""
    return _Combobox.create(id=name, class_name=FIELD, **props)
