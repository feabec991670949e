"""The dialog that asks before an operator's act is done."""

from typing import Any

import reflex as rx

from rental_app.web.operator.parts import FILLED, REFUSE
from rental_app.web.operator.presenter import ActionView, QuestionView
from rental_app.web.operator.state import ACTION
from rental_app.web.operator.state import ConsoleState as State
from rental_app.web.parts.dialogs import answers
from rental_app.web.parts.theme import SKELETON
from rental_app.web.react.browser_draft import browser_draft, draft_dialog
from rental_app.web.react.modal import modal

# As large as the answer beside it, which leaves everything as it is.
_AS_LARGE = {look: look.replace("text-sm", "text-base") for look in (FILLED, REFUSE)}


def question() -> rx.Component:
    """What an action asks before it acts; its button says what it does."""
    dialog = modal(
        rx.cond(State.asking, _form(State.asking), rx.el.div(class_name=f"{SKELETON} h-48")),
        browser_draft(ACTION, State.asking_name, State.regain),
        name=ACTION,
        title=State.asking_title,
        about=State.asking_title != "",
        max_width="30rem",
    )
    return rx.fragment(dialog, draft_dialog(ACTION, ACTION))


def _form(asking: rx.Var[ActionView]) -> rx.Component:
    acting = rx.el.button(
        asking.label,
        type="submit",
        disabled=State.busy,
        class_name=rx.cond(asking.danger, _AS_LARGE[REFUSE], _AS_LARGE[FILLED]),
    )
    return rx.el.form(
        rx.foreach(asking.asks, _asked),
        answers("Leave it", acting),
        id=ACTION,
        on_submit=State.act,
        class_name="flex flex-col gap-4",
    )


def _choice(asked: rx.Var[QuestionView], same: dict[str, Any]) -> rx.Component:
    return rx.el.select(
        rx.cond(asked.value, rx.fragment(), rx.el.option("Choose", value="")),
        rx.foreach(asked.options, lambda option: rx.el.option(option.label, value=option.value)),
        **same,
    )


def _asked(asked: rx.Var[QuestionView]) -> rx.Component:
    """A field of the question: a box for reasons, a line for all else."""
    error = State.errors[asked.name]
    same: dict[str, Any] = {
        "id": f"ask-{asked.name}",
        "name": asked.name,
        "class_name": "mt-1 w-full rounded-[10px] border border-(--gray-a7) bg-(--surface) p-2.5 text-(--ink)",
        "default_value": asked.value,
        "auto_complete": "off",
        "custom_attrs": {
            "aria-invalid": rx.cond(error, "true", "false"),
            "aria-describedby": rx.cond(error, f"ask-{asked.name}-error", ""),
        },
    }
    mode = rx.cond(asked.kind == "rupees", "decimal", "text")
    return rx.el.div(
        rx.el.label(asked.label, html_for=f"ask-{asked.name}", class_name="text-sm font-medium"),
        rx.match(
            asked.kind,
            ("reason", rx.el.textarea(rows="3", max_length=1000, **same)),
            ("choice", _choice(asked, same)),
            ("day", rx.el.input(type="date", **same)),
            rx.el.input(type="text", input_mode=mode, max_length=300, **same),
        ),
        rx.cond(error, rx.el.p(error, id=f"ask-{asked.name}-error", class_name="mt-1 text-sm text-(--red-11)")),
        key=asked.name,
    )
