"""A button that marks a vehicle, and a switch for one: they show the new state before the server has answered."""

import reflex as rx

_SCRIPT = rx.asset("toggle.jsx", shared=True)
# A separate script: pages of the shop do without Radix's switch.
_SWITCH_SCRIPT = rx.asset("switch.jsx", shared=True)
rx.asset("switch.css", shared=True)
rx.asset("wish.js", shared=True)


def plain_toggle(props: dict[str, str]) -> str:
    """The same until its scripts run: nothing is marked yet, and a press is repeated once they do."""
    named = f'class="{props["className"]}" aria-label="{props["aria-label"]}"'
    return f'<button {named} type="button" value="{props["vehicle"]}" aria-pressed="false">{props["children"]}</button>'


class _Pressed(rx.Component):
    vehicle: rx.Var[int]
    answered: rx.Var[list[int]]
    on_toggle: rx.EventHandler[rx.event.passthrough_event_spec(int, bool)]


class _Toggle(_Pressed):
    library = _SCRIPT.importable_path
    tag = "Toggle"

    marked: rx.Var[list[int]]


class _Switch(_Pressed):
    library = _SWITCH_SCRIPT.importable_path
    tag = "Switch"

    is_on: rx.Var[bool]


def toggle(
    *content: rx.Component | str,
    vehicle: rx.Var[int],
    label: rx.Var[str] | str,
    marked: rx.Var[list[int]],
    answered: rx.Var[list[int]],
    on_toggle: rx.EventHandler,
    class_name: str,
) -> rx.Component:
    """A button, pressed while a vehicle is among the `marked`; the handler gets the vehicle and the new state."""
    return _Toggle.create(
        *content,
        vehicle=vehicle,
        marked=marked,
        answered=answered,
        on_toggle=on_toggle,
        class_name=class_name,
        custom_attrs={"aria-label": label},
    )


def switch(
    *,
    vehicle: rx.Var[int],
    label: rx.Var[str] | str,
    is_on: rx.Var[bool],
    answered: rx.Var[list[int]],
    on_toggle: rx.EventHandler,
) -> rx.Component:
    """A switch for something that is on or off about a vehicle; the handler gets the vehicle and the new state."""
    return _Switch.create(
        vehicle=vehicle, is_on=is_on, answered=answered, on_toggle=on_toggle, custom_attrs={"aria-label": label}
    )
