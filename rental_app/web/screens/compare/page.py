"""Up to three vehicles side by side."""

import reflex as rx

from rental_app.web.frame.public import layout
from rental_app.web.parts.favourite_and_compare.state import CompareState
from rental_app.web.parts.links import link_button
from rental_app.web.parts.notice import failure, notice
from rental_app.web.parts.theme import CONTAINER, MUTED, NOTE, PAGE_TITLE, PANEL, SKELETON, STAGE
from rental_app.web.react.server_rendered import server_rendered
from rental_app.web.screens.compare.presenter import ComparedVehicle, CompareRow
from rental_app.web.screens.compare.state import ComparePageState

_CELL = "min-w-36 border-t border-(--line) px-4 py-3 align-top"
# The facts' names stay in sight while a phone scrolls the vehicles.
_NAME = "sticky left-0 z-10 w-32 min-w-28 bg-(--surface) px-4 py-3 text-left align-top text-sm font-medium"


def compare() -> rx.Component:
    """The vehicles that the address names; without scripts the page is the same."""
    view = ComparePageState.compared
    return layout(
        rx.el.div(
            rx.el.h1("Compare vehicles", class_name=PAGE_TITLE),
            server_rendered(
                "compare",
                ComparePageState.compared.bool(),
                rx.fragment(
                    rx.cond(view.window, rx.el.p(f"For {view.window}", class_name=f"{MUTED} mt-2")),
                    rx.foreach(view.notes, lambda note: rx.el.p(note, class_name=f"mt-4 {NOTE}")),
                    rx.foreach(
                        view.gone,
                        lambda gone: rx.el.p(
                            rx.el.strong(gone.title), " is not listed any more.", class_name=f"mt-4 {NOTE}"
                        ),
                    ),
                    rx.cond(
                        view.cars,
                        _table(),
                        rx.el.div(
                            notice(
                                "Nothing to compare yet",
                                "Press Compare on two or three vehicles, then look at them here side by side.",
                                link_button("See all vehicles", "/vehicles"),
                            ),
                            class_name="mt-6",
                        ),
                    ),
                ),
                rx.cond(
                    ComparePageState.problem,
                    failure("The vehicles could not be loaded", ComparePageState.problem, ComparePageState.load),
                    rx.el.div(class_name=f"{SKELETON} mt-6 h-[32rem]"),
                ),
            ),
            id="compare",
            class_name=f"{CONTAINER} pt-8",
        )
    )


def _table() -> rx.Component:
    view = ComparePageState.compared
    return rx.el.div(
        rx.el.table(
            rx.el.thead(
                rx.el.tr(rx.el.td(class_name=_NAME), rx.foreach(view.cars, _head)),
            ),
            rx.el.tbody(rx.foreach(view.rows, _row)),
            class_name="w-full border-collapse",
        ),
        tab_index=0,
        role="region",
        class_name=f"{PANEL} mt-6 overflow-x-auto",
        custom_attrs={"aria-label": "Comparison"},
    )


def _head(car: rx.Var[ComparedVehicle]) -> rx.Component:
    return rx.el.th(
        rx.el.img(
            src=car.image,
            alt="",
            class_name=f"aspect-[8/5] h-auto w-full max-w-56 rounded-lg object-contain {STAGE}",
            custom_attrs={"width": "640", "height": "400"},
        ),
        rx.el.a(car.title, href=car.href, class_name="mt-2 flex min-h-10 items-center font-bold underline"),
        rx.el.a(
            "Remove",
            href=car.without,
            on_click=CompareState.toggle(car.id, False),
            class_name=f"{MUTED} inline-flex min-h-10 items-center text-sm font-normal underline",
            custom_attrs={"aria-label": f"Remove {car.title}"},
        ),
        scope="col",
        class_name="min-w-36 px-4 py-3 text-left align-top",
    )


def _row(row: rx.Var[CompareRow]) -> rx.Component:
    differs = rx.cond(row.differs, "bg-(--accent-a3) font-semibold", "")
    return rx.el.tr(
        rx.el.th(row.label, scope="row", class_name=f"{_NAME} border-t border-(--line)"),
        rx.foreach(row.texts, lambda value: rx.el.td(value, class_name=f"{_CELL} {differs}")),
    )
