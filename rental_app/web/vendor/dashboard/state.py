"""The vendor's dashboard: the day, with the answers to requests, and the figures."""

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any

from rental_app.domain import clock
from rental_app.domain.errors import RentalError
from rental_app.domain.ids import read_id
from rental_app.schemas.bookings import StatusChange
from rental_app.schemas.validation import validated
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import lists
from rental_app.services.bookings import requests as bookings_requests
from rental_app.services.earnings import dashboard
from rental_app.services.earnings.dashboard import Overview
from rental_app.web.frame.vendor_state import count_requests
from rental_app.web.parts.presenters.bookings import ExpectedRequest
from rental_app.web.session.base import PrivateState, read, take_news, write
from rental_app.web.session.events import error_toast, focus, success_toast
from rental_app.web.session.vendor_auth import staff_change, staff_load, staff_refresh
from rental_app.web.vendor.dashboard.presenter import DashboardPage, dashboard_page, sample_overview
from rental_app.web.vendor.dashboard.today_presenter import DayPage, RequestCard, day_page

# Gets the focus once a request is answered: its buttons are gone.
REQUESTS = "requests"
OUTCOMES = {"confirmed": "accepted", "cancelled": "declined"}
# For so long a request that was answered keeps its place, and says how.
OUTCOME_STAYS = timedelta(seconds=4)


class DashboardState(PrivateState):
    """What is shown; `sample` when it is made up because the live figures could not be loaded. `waiting` requests are
    counted in the tab's title, and `newest` says which came in last while the page was open."""

    day: DayPage | None = None
    page: DashboardPage | None = None
    sample: bool = False
    waiting: int = 0
    newest: str = ""
    # The latest request that the page has shown.
    _latest: int = 0
    # The requests answered here a moment ago: where they stood, when, and what came of it.
    _answered: dict[str, tuple[int, str, RequestCard]] = {}

    @staff_load
    async def load(self, actor: Actor) -> None:
        """Show the vendor's day and figures as they are now."""
        self._answered, self.newest = {}, ""
        self.waiting, self._latest = await read(lists.news, actor)
        self._take(await read(dashboard.overview, actor))

    def _failed(self, _message: str) -> None:
        self._take(sample_overview(clock.now()), sample=True)

    @staff_refresh
    async def refresh(self, actor: Actor) -> None:
        """Show what has come in meanwhile."""
        if not self.sample:
            self._take(await read(dashboard.overview, actor))
            await count_requests(self, actor)

    @staff_refresh
    async def look(self, actor: Actor) -> None:
        """Look for requests that have come in or are gone, which costs little where there are none."""
        waiting, latest = await read(lists.news, actor)
        is_over = any(at < _moment(clock.now() - OUTCOME_STAYS) for _, at, _ in self._answered.values())
        if self.sample or ((waiting, latest) == (self.waiting, max(latest, self._latest)) and not is_over):
            return
        await self._show(actor)
        if latest > self._latest:
            self.newest, self._latest = _name_of(self.day, latest), latest

    def _missed(self, _message: str) -> None:
        """Keep what is shown: figures of half a minute ago are better than made-up ones."""

    @staff_change
    async def answer(
        self, actor: Actor, booking: str, shown: ExpectedRequest | None, reason: str
    ) -> AsyncIterator[Any]:
        """Accept a request as it was shown or, with a reason, decline it. A second press of the same does nothing."""
        if booking in self._answered:
            return
        cards = self.day.requests if self.day else []
        place = next((place for place, card in enumerate(cards) if card.id == booking), None)
        called = "A request" if place is None else _called(cards[place])
        change = {"booking_id": read_id(booking), "status": "cancelled" if reason else "confirmed", "reason": reason}
        try:
            # A tab may send anything.
            change |= validated(ExpectedRequest, shown).model_dump() if shown else {}
            await write(bookings_requests.change_status, actor, validated(StatusChange, change))
            outcome = f"{called}: {OUTCOMES[str(change['status'])]}"
            yield success_toast(outcome)
            if place is not None:
                self._note(place, cards[place], outcome)
        except RentalError as error:
            yield error_toast(f"{called}: {error.message}")
        yield focus(REQUESTS)
        await self._show(actor)

    def _note(self, place: int, card: RequestCard, outcome: str) -> None:
        noted = card.model_copy(update={"outcome": outcome[0].upper() + outcome[1:]})
        self._answered = self._answered | {card.id: (place, _moment(clock.now()), noted)}

    async def _show(self, actor: Actor) -> None:
        self._take(await read(dashboard.overview, actor))
        self.waiting = await count_requests(self, actor)

    def _take(self, overview: Overview, *, sample: bool = False) -> None:
        day = day_page(overview.day, overview.instant)
        since = _moment(overview.instant - OUTCOME_STAYS)
        self._answered = {booking: noted for booking, noted in self._answered.items() if noted[1] >= since}
        for place, _, card in sorted(self._answered.values(), key=lambda noted: noted[0]):
            day.requests.insert(place, card)
        take_news(self, day=day, page=dashboard_page(overview))
        self.sample = sample


def _moment(instant: datetime) -> str:
    return instant.isoformat()


def _called(card: RequestCard) -> str:
    return f"{card.title}, {card.plate} for {card.customer}"


def _name_of(day: DayPage | None, booking: int) -> str:
    card = next((card for card in day.requests if card.id == str(booking)), None) if day else None
    return f"New request: {_called(card)}" if card else "New request"
