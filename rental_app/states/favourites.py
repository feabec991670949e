"""The page of the user's favourites."""

from collections.abc import AsyncIterator
from typing import Any

import reflex as rx

from rental_app.domain.errors import RentalError
from rental_app.states.base import PrivateState, caller_of, read
from rental_app.states.handlers import action
from rental_app.states.marks import FavouritesState
from rental_app.states.search import SearchState
from rental_app.views import favourites
from rental_app.views.favourites import FavouriteCard
from rental_app.views.texts import Gone
from rental_app.views.vehicles import Card


class FavouritesPageState(PrivateState):
    """The favourites shown: those unmarked meanwhile stay on the page, so that this can be undone."""

    cards: list[FavouriteCard] = []
    gone: list[Gone] = []
    similar: list[Card] = []
    loading: bool = True
    problem: str = ""

    @rx.var
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not self.cards and not self.gone

    @action
    async def load(self) -> AsyncIterator[Any]:
        """Show the favourites, for the dates of this tab's search."""
        self.loading = not self.cards
        yield
        marks, search = await self.get_state(FavouritesState), await self.get_state(SearchState)
        try:
            if marks._own is None:
                await marks._find()
            found = await read(favourites.favourites, caller_of(self), marks.ids, await search._query())
        except RentalError as error:
            self.problem = error.message
            raise
        finally:
            self.loading = False
        self.problem, self.cards, self.gone, self.similar = "", found.cards, found.gone, found.similar
