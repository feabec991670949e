"""The offers in force."""

from datetime import date

import reflex as rx

from rental_app.rules import clock
from rental_app.schemas.offers import OfferCard, OfferView
from rental_app.services import offers
from rental_app.states.base import action, read

SOON_DAYS = 7


class OffersState(rx.State):
    """What the offers page shows; `loading` until the database has answered."""

    cards: list[OfferCard] = []
    loading: bool = True
    failed: bool = False

    @action
    async def load(self) -> None:
        """Ask for the offers of the Indian day."""
        today = clock.indian_today(clock.now())
        self.failed = True
        try:
            self.cards = [offer_card(view, today) for view in await read(offers.in_force, today)]
            self.failed = False
        finally:
            self.loading = False


def offer_card(view: OfferView, today: date) -> OfferCard:
    """An offer as its card says it on a day."""
    left = (view.ends_on - today).days
    return OfferCard(
        **view.model_dump(include={"code", "title", "benefit", "terms"}),
        until=f"Until {view.ends_on:%a %-d %b}",
        minimum="Any rental" if view.minimum_days == 1 else f"From {view.minimum_days} days",
        last_days=_countdown(left) if left < SOON_DAYS else "",
    )


def _countdown(left: int) -> str:
    return {0: "Last day", 1: "Ends tomorrow"}.get(left, f"{left} days left")
