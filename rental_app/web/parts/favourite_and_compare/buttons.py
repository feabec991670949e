"""What a vehicle can be marked with: the heart of a favourite, and the button for the comparison."""

import reflex as rx

from rental_app.web.parts.button import button
from rental_app.web.parts.favourite_and_compare.state import CompareState, FavouritesState
from rental_app.web.parts.links import link_button
from rental_app.web.parts.theme import CONTAINER, SCRIPTED
from rental_app.web.parts.vehicle_card.presenter import Card
from rental_app.web.react.toggle import toggle

ROUND = "grid size-10 cursor-pointer place-items-center rounded-full bg-(--surface) text-(--ink) shadow-sm"
_HEART = f"{ROUND} pointer-events-auto aria-pressed:text-(--red-9) aria-pressed:[&>svg]:fill-current"
_ITEM = (
    "flex min-h-11 w-full cursor-pointer items-center gap-3 rounded-lg px-3 text-left text-sm font-medium text-(--ink)"
    " hover:bg-(--gray-a3) aria-pressed:text-(--accent-11)"
)
# As large as a card's picture.
_OVER_PICTURE = "pointer-events-none absolute inset-x-0 top-0 flex aspect-[5/3] justify-end p-3"
_MENU = (
    "absolute right-0 bottom-[calc(100%+4px)] z-10 w-44 rounded-xl border border-(--line) bg-(--surface) p-1 shadow-lg"
)


def heart(vehicle: rx.Var[int], title: rx.Var[str]) -> rx.Component:
    """Adds a vehicle to the favourites, or removes it."""
    return toggle(
        rx.icon("heart", size=20),
        vehicle=vehicle,
        label=f"Favourite: {title}",
        marked=FavouritesState.ids,
        answered=FavouritesState.answered,
        on_toggle=FavouritesState.toggle,
        class_name=_HEART,
    )


def compare_icon(vehicle: rx.Var[int], title: rx.Var[str]) -> rx.Component:
    """The same as `compare_toggle`, round, for a row of icons."""
    look = f"{ROUND} aria-pressed:bg-(--accent-9) aria-pressed:text-(--accent-contrast)"
    return compare_toggle(vehicle, title, look, rx.icon("git-compare-arrows", size=20))


def compare_toggle(
    vehicle: rx.Var[int], title: rx.Var[str], look: str, face: rx.Component | str = "Compare"
) -> rx.Component:
    """Adds a vehicle to the comparison, or removes it."""
    return toggle(
        face,
        vehicle=vehicle,
        label=f"Compare {title}",
        marked=CompareState.ids,
        answered=CompareState.answered,
        on_toggle=CompareState.toggle,
        class_name=look,
    )


def card_buttons(car: rx.Var[Card]) -> rx.Component:
    """The heart over a card's picture and the menu beside its price; a link may not contain buttons."""
    return rx.fragment(
        rx.el.div(heart(car.id, car.title), class_name=_OVER_PICTURE),
        # What else can be done with a vehicle; only one card's menu is open at a time.
        rx.el.details(
            rx.el.summary(
                rx.el.span("⋯", custom_attrs={"aria-hidden": "true"}, class_name="text-xl font-bold"),
                class_name="grid size-11 cursor-pointer list-none place-items-center rounded-full hover:bg-(--gray-a3)",
                custom_attrs={"aria-label": f"More about {car.title}"},
            ),
            rx.el.div(
                compare_toggle(car.id, car.title, _ITEM),
                class_name=_MENU,
            ),
            class_name=f"absolute -right-2 bottom-0 {SCRIPTED}",
            custom_attrs={"name": "card-menu"},
        ),
    )


def compare_bar() -> rx.Component:
    """At the foot of the screen while vehicles are chosen for comparison: which, and a link to the comparison."""
    shown = rx.Var.create(CompareState.shown)
    return rx.cond(
        shown,
        rx.el.aside(
            rx.el.div(
                # A phone has no room for their names.
                rx.el.p(f"{shown.length()} to compare", class_name="flex-1 font-semibold sm:hidden"),
                rx.el.ul(
                    rx.foreach(shown, lambda car: rx.el.li(car.text, key=car.href, class_name="truncate")),
                    class_name="m-0 min-w-0 flex-1 list-none p-0 text-sm leading-5 max-sm:hidden",
                ),
                button("Clear", on_click=CompareState.clear),
                link_button("Compare", CompareState.address, "quiet"),
                class_name=f"{CONTAINER} flex items-center gap-3 py-1.5 sm:py-3",
            ),
            class_name="compare-bar fixed inset-x-0 bottom-0 z-20 border-t border-(--line) bg-(--surface)",
            custom_attrs={"aria-label": "Vehicles to compare"},
        ),
    )
