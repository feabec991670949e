"""A locality's page."""

from collections.abc import AsyncIterator
from typing import Any

import reflex as rx

from rental_app.domain.errors import NotFoundError, RentalError
from rental_app.web.parts.search_form.state import SearchState, when_dates_change
from rental_app.web.screens.city import presenter
from rental_app.web.screens.city.presenter import CityView, head_in_tab
from rental_app.web.session.address import address_part, here
from rental_app.web.session.base import SessionState, caller_of, read
from rental_app.web.session.handlers import action


class CityState(rx.State):
    """The locality of the page's address; neither found nor missing while it loads or when it is unavailable."""

    city: CityView | None = None
    missing: bool = False
    problem: str = ""
    asked_url: str = ""

    @rx.var
    def title(self) -> str:
        """The page's title in the browser's tab; blank while it loads."""
        return head_in_tab(self.city, self.missing, self.problem).title

    @rx.var
    def description(self) -> str:
        """The page's description for search engines; blank while it loads."""
        return head_in_tab(self.city, self.missing, self.problem).description

    @action
    async def load(self) -> AsyncIterator[Any]:
        """Show the locality, and search there from now on."""
        slug, self.problem, self.asked_url = address_part(self, 0), "", here(self)
        if self.city is None or self.city.slug != slug:
            self.city, self.missing = None, False
            yield
        try:
            dates = (await self.get_state(SearchState))._remembered()
            self.city = await read(presenter.city, caller_of(self), slug, dates)
        except NotFoundError:
            self.city, self.missing = None, True
            return
        except RentalError as error:
            self.problem = "" if self.city else error.message
            raise
        (await self.get_state(SessionState))._choose(self.city.name)


async def _show_for_dates(state: rx.State) -> None:
    """Show the vehicles of the locality's page for the dates that its form has now."""
    page = await state.get_state(CityState)
    if page.city and page.asked_url == here(state):
        dates = (await state.get_state(SearchState))._remembered()
        page.city = await read(presenter.city, caller_of(state), page.city.slug, dates)


when_dates_change(_show_for_dates)
