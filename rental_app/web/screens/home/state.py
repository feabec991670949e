"""What the home page shows of the shop."""

import reflex as rx

from rental_app.domain.errors import RentalError
from rental_app.web.parts.presenters.texts import Link
from rental_app.web.parts.vehicle_card.presenter import Card
from rental_app.web.screens.home import presenter
from rental_app.web.screens.home.presenter import CityLinks
from rental_app.web.session.base import caller_of, read
from rental_app.web.session.handlers import action


class HomeState(rx.State):
    """The featured vehicles and the popular models; `loading` until the database has answered."""

    featured: list[Card] = []
    models: list[Link] = []
    loading: bool = True
    problem: str = ""

    @action
    async def load(self) -> None:
        """Load the shop's first three vehicles, and the models that many offer."""
        self.problem = ""
        try:
            self.featured, self.models = await read(presenter.shop_window, caller_of(self))
        except RentalError as error:
            self.problem = error.message
            raise
        finally:
            self.loading = False


class CityLinksState(rx.State):
    """Links to the pages of all localities."""

    links: CityLinks = CityLinks()

    @action
    async def load(self) -> None:
        """Read the localities once."""
        if not self.links.shown:
            self.links = await read(presenter.city_links, caller_of(self))
