"""The page of the user's favourites."""

from collections.abc import AsyncIterator
from typing import Any

import reflex as rx

from rental_app.domain.errors import RentalError
from rental_app.web.parts.favourite_and_compare.state import FavouritesState
from rental_app.web.parts.presenters.texts import Gone
from rental_app.web.parts.search_form.state import SearchState
from rental_app.web.parts.vehicle_card.presenter import Card
from rental_app.web.screens.favourites import presenter
from rental_app.web.screens.favourites.presenter import FavouriteCard
from rental_app.web.session.base import PrivateState, caller_of, read
from rental_app.web.session.handlers import action


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
        # A list that is shown, even an empty one, stays while it is loaded again.
        self.loading = self.loading or bool(self.problem and not self.cards)
        yield
        marks, search = await self.get_state(FavouritesState), await self.get_state(SearchState)
        try:
            if marks._own is None:
                await marks._find()
            shown = await read(presenter.favourites, caller_of(self), marks.ids, await search._query())
        except RentalError as error:
            self.problem = error.message
            raise
        finally:
            self.loading = False
        self.problem, self.cards, self.gone, self.similar = "", shown.cards, shown.gone, shown.similar
