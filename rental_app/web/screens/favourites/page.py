"""The user's favourites."""

import reflex as rx

from rental_app.web.frame.public import layout
from rental_app.web.parts.button import button
from rental_app.web.parts.favourite_and_compare.state import FavouritesState
from rental_app.web.parts.links import link_button
from rental_app.web.parts.notice import failure, notice
from rental_app.web.parts.theme import CONTAINER, MUTED, NOTE, PAGE_TITLE
from rental_app.web.parts.vehicle_card.card import GRID, card_section, card_skeletons, vehicle_card
from rental_app.web.screens.favourites.presenter import FavouriteCard
from rental_app.web.screens.favourites.state import FavouritesPageState


def favourites() -> rx.Component:
    """The favourites, those that are gone, and alternatives to them."""
    state = FavouritesPageState
    return layout(
        rx.el.div(
            rx.el.h1("Favourites", class_name=PAGE_TITLE),
            rx.cond(
                state.loading,
                rx.el.div(card_skeletons(3), class_name="mt-6"),
                rx.cond(
                    state.problem,
                    failure("Your favourites could not be loaded", state.problem, state.load),
                    rx.cond(
                        state.is_empty,
                        rx.el.div(
                            notice(
                                "No favourites yet",
                                "Press the heart on a vehicle to find it here again, with today's price.",
                                link_button("See all vehicles", "/vehicles"),
                            ),
                            class_name="mt-6",
                        ),
                        _favourites(),
                    ),
                ),
            ),
            # The footer stays off screen, and so does not visibly move, whatever is loaded.
            class_name=f"{CONTAINER} min-h-screen pt-8",
        )
    )


def _favourites() -> rx.Component:
    state = FavouritesPageState
    return rx.fragment(
        rx.foreach(
            state.gone,
            lambda gone: rx.cond(
                FavouritesState.ids.contains(gone.id),
                rx.el.div(
                    rx.el.p(rx.el.strong(gone.title), " is not listed any more.", class_name="min-w-48 flex-1"),
                    button("Remove", on_click=FavouritesState.toggle(gone.id, False), label=f"Remove {gone.title}"),
                    class_name=f"mt-4 flex flex-wrap items-center gap-3 {NOTE}",
                ),
            ),
        ),
        rx.el.ul(rx.foreach(state.cards, _favourite), class_name=f"{GRID} mt-6 list-none p-0"),
        card_section("Similar to what is gone", state.similar),
    )


def _favourite(favourite: rx.Var[FavouriteCard]) -> rx.Component:
    is_kept = FavouritesState.ids.contains(favourite.id)
    return rx.el.li(
        vehicle_card(car=favourite.card),
        rx.el.p(
            rx.cond(
                is_kept,
                rx.el.span(favourite.availability, class_name=rx.cond(favourite.is_free, "font-semibold", MUTED)),
                rx.fragment(
                    "No longer a favourite.",
                    button(
                        "Undo",
                        on_click=FavouritesState.toggle(favourite.id, True),
                        label=f"Undo: keep {favourite.card.title}",
                    ),
                ),
            ),
            role="status",
            class_name="mt-2 flex min-h-10 items-center gap-3 px-1 text-sm",
        ),
        key=favourite.id,
    )
