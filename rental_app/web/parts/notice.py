"""What is shown when there is nothing else to show, or when something could not be loaded."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from rental_app.web.parts.button import button
from rental_app.web.parts.theme import MUTED, NOTE, PANEL, SECTION_TITLE, SKELETON
from rental_app.web.session.base import SessionState

RELOAD = rx.call_script("location.reload()")


def notice(
    title: rx.Var[str] | str,
    text: rx.Var[str] | str,
    *actions: rx.Component,
    title_tag: Callable[..., rx.Component] = rx.el.h2,
    drawing: rx.Component | None = None,
) -> rx.Component:
    """A screen's empty or error state: what is wrong, and a way on."""
    return rx.el.div(
        drawing
        or rx.el.img(
            src="/logo.svg",
            alt="",
            class_name="mx-auto size-14 opacity-80",
            custom_attrs={"width": "56", "height": "56"},
        ),
        title_tag(title, class_name=f"{SECTION_TITLE} mt-4"),
        rx.el.p(text, class_name=f"{MUTED} mx-auto mt-2 max-w-prose"),
        rx.el.div(*actions, class_name="mt-6 flex flex-wrap justify-center gap-3"),
        class_name=f"{PANEL} px-6 py-12 text-center",
    )


def failure(title: str, problem: rx.Var[str] | str, again: rx.event.EventType[()]) -> rx.Component:
    """What could not be loaded, why, and the event that tries again."""
    return notice(title, problem, button("Try again", variant="primary", on_click=again))


def skeleton(height: str) -> rx.Component:
    """What stands in the place of a part that is being loaded."""
    return rx.el.div(class_name=f"{SKELETON} {height}", custom_attrs={"aria-hidden": "true"})


def once_loaded(
    shown: rx.Var[Any] | bool, content: rx.Component, state: Any, called: str, waiting: rx.Component
) -> rx.Component:
    """A part of a page once there is what it shows; until then `waiting`, or why the state could not load it."""
    failed = failure(f"{called} could not be loaded", state.problem, state.load)
    return rx.cond(shown, content, rx.cond(state.problem, failed, waiting))


def refreshable(
    shown: rx.Var[Any] | bool, content: rx.Component, state: Any, called: str, waiting: rx.Component
) -> tuple[rx.Component, rx.Component]:
    """The same below a line that says why what is shown could not be refreshed."""
    stale = rx.cond(state.problem & shown, out_of_date(state.problem, state.load))
    return stale, once_loaded(shown, content, state, called, waiting)


def unless_unknown(otherwise: rx.Component) -> rx.Component:
    """What a page shows to anonymous visitors, or a failure if the user could not be identified."""
    return rx.cond(
        SessionState.problem, failure("This page could not be loaded", SessionState.problem, RELOAD), otherwise
    )


def retry_strip(text: rx.Component | rx.Var[str], again: rx.event.EventType[()]) -> rx.Component:
    """What a page is missing, and a button that tries again."""
    return rx.el.div(
        rx.icon("triangle-alert", size=20, class_name="mt-0.5 shrink-0"),
        rx.el.p(text, class_name="min-w-0 flex-1"),
        button("Try again", on_click=again),
        role="alert",
        class_name=f"mb-5 flex flex-wrap items-center gap-3 {NOTE} text-(--amber-12)",
    )


def out_of_date(problem: rx.Var[str], again: rx.event.EventType[()]) -> rx.Component:
    """Why a list that is shown could not be refreshed."""
    return retry_strip(f"{problem}. The list may be out of date.", again)
