"""A button that marks a vehicle and shows it before the server has answered."""

import reflex as rx

_SCRIPT = rx.asset("toggle.jsx", shared=True)


def plain_toggle(props: dict[str, str]) -> str:
    """The same until its scripts run: nothing is marked yet, and a press is made up for by then."""
    named = f'class="{props["className"]}" aria-label="{props["aria-label"]}"'
    return f'<button {named} type="button" value="{props["vehicle"]}" aria-pressed="false">{props["children"]}</button>'


class _Toggle(rx.Component):
    library = _SCRIPT.importable_path
    tag = "Toggle"

    vehicle: rx.Var[int]
    marked: rx.Var[list[int]]
    answered: rx.Var[list[int]]
    on_toggle: rx.EventHandler[rx.event.passthrough_event_spec(int, bool)]


def toggle(
    *content: rx.Component | str,
    vehicle: rx.Var[int],
    label: rx.Var[str] | str,
    marked: rx.Var[list[int]],
    answered: rx.Var[list[int]],
    on_toggle: rx.EventHandler,
    class_name: str,
) -> rx.Component:
    """A button, pressed while a vehicle is among the `marked`; the handler gets the vehicle and what is wanted."""
    return _Toggle.create(
        *content,
        vehicle=vehicle,
        marked=marked,
        answered=answered,
        on_toggle=on_toggle,
        class_name=class_name,
        custom_attrs={"aria-label": label},
    )
