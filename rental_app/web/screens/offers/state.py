"""The offers in force."""

import reflex as rx

from rental_app.web.parts.presenters.words import PointView
from rental_app.web.screens.offers import presenter
from rental_app.web.screens.offers.presenter import OfferCard
from rental_app.web.session.base import caller_of, read
from rental_app.web.session.handlers import action


class OffersState(rx.State):
    """What the offers page shows; `loading` until the database has answered."""

    cards: list[OfferCard] = []
    steps: list[PointView] = []
    loading: bool = True
    failed: bool = False

    @action
    async def load(self) -> None:
        """Load the offers of the current Indian day."""
        # Until it is known that it did not: a refusal is shown by what calls this.
        self.failed = True
        try:
            self.cards = await read(presenter.in_force, caller_of(self))
            self.steps = await read(presenter.steps)
            self.failed = False
        finally:
            self.loading = False
