"""What the home page shows of the shop."""

import reflex as rx

from rental_app.domain.errors import RentalError
from rental_app.web.parts.search_form.state import SearchState, when_dates_change
from rental_app.web.screens.home import presenter
from rental_app.web.screens.home.presenter import CityLinks, HomeView, HomeWords
from rental_app.web.session.base import caller_of, read
from rental_app.web.session.handlers import action


class HomeState(rx.State):
    """What the page shows of the shop; `loading` until the database has answered."""

    shown: HomeView = HomeView()
    words: HomeWords | None = None
    loading: bool = True
    problem: str = ""

    @action
    async def load(self) -> None:
        """Load the page's words, the shop's first three vehicles, the models that many offer, and how many there are of
        each type."""
        self.problem = ""
        try:
            dates = (await self.get_state(SearchState))._remembered()
            self.shown = await read(presenter.home_view, caller_of(self), dates)
            self.words = await read(presenter.home_words)
        except RentalError as error:
            self.problem = error.message
            raise
        finally:
            self.loading = False


async def _show_for_dates(state: rx.State) -> None:
    """Show the home page's vehicles for the dates that its form has now."""
    if state.router.url.path == "/":
        dates = (await state.get_state(SearchState))._remembered()
        home = await state.get_state(HomeState)
        home.shown = await read(presenter.home_view, caller_of(state), dates)


when_dates_change(_show_for_dates)


class CityLinksState(rx.State):
    """Links to the pages of all localities."""

    links: CityLinks = CityLinks()

    @action
    async def load(self) -> None:
        """Read the localities once."""
        if not self.links.shown:
            self.links = await read(presenter.city_links, caller_of(self))
