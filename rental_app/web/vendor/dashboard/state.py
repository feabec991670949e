"""The vendor's dashboard: the day, with the answers to requests, and the figures."""

from collections.abc import AsyncIterator
from typing import Any

from rental_app.domain import clock
from rental_app.domain.errors import RentalError
from rental_app.domain.ids import read_id
from rental_app.schemas.bookings import StatusChange
from rental_app.schemas.validation import validated
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import requests as bookings_requests
from rental_app.services.earnings import dashboard
from rental_app.services.earnings.dashboard import Overview
from rental_app.web.frame.vendor_state import count_requests
from rental_app.web.parts.presenters.bookings import ExpectedRequest
from rental_app.web.session.base import PrivateState, read, take_news, write
from rental_app.web.session.events import error_toast, focus, success_toast
from rental_app.web.session.handlers import one_at_a_time
from rental_app.web.session.vendor_auth import staff_change, staff_load, staff_refresh
from rental_app.web.vendor.dashboard.presenter import DashboardPage, dashboard_page, sample_overview
from rental_app.web.vendor.dashboard.today_presenter import DayPage, day_page

# Gets the focus once a request is answered: its buttons are gone.
REQUESTS = "requests"
OUTCOMES = {"confirmed": "accepted", "cancelled": "declined"}


class DashboardState(PrivateState):
    """What is shown; `sample` when it is made up because the live figures could not be loaded."""

    day: DayPage | None = None
    page: DashboardPage | None = None
    sample: bool = False
    busy: bool = False

    @staff_load
    async def load(self, actor: Actor) -> None:
        """Show the vendor's day and figures as they are now."""
        self._take(await read(dashboard.overview, actor))

    def _failed(self, _message: str) -> None:
        self._take(sample_overview(clock.now()), sample=True)

    @staff_refresh
    async def refresh(self, actor: Actor) -> None:
        """Show what has come in meanwhile."""
        if not self.sample:
            self._take(await read(dashboard.overview, actor))
            await count_requests(self, actor)

    def _missed(self, _message: str) -> None:
        """Keep what is shown: figures of half a minute ago are better than made-up ones."""

    @staff_change
    @one_at_a_time
    async def answer(
        self, actor: Actor, booking: str, shown: ExpectedRequest | None, reason: str
    ) -> AsyncIterator[Any]:
        """Accept a request as it was shown or, with a reason, decline it."""
        requests = self.day.requests if self.day else []
        called = (f"{each.title}, {each.plate} for {each.customer}" for each in requests if each.id == booking)
        title, status = next(called, "A request"), "cancelled" if reason else "confirmed"
        yield
        change = {"booking_id": read_id(booking), "status": status, "reason": reason}
        try:
            # A tab may send anything.
            change |= validated(ExpectedRequest, shown).model_dump() if shown else {}
            await write(bookings_requests.change_status, actor, validated(StatusChange, change))
            toast = success_toast(f"{title}: {OUTCOMES[status]}")
        except RentalError as error:
            toast = error_toast(f"{title}: {error.message}")
        yield toast
        yield focus(REQUESTS)
        self._take(await read(dashboard.overview, actor))
        await count_requests(self, actor)

    def _take(self, overview: Overview, *, sample: bool = False) -> None:
        take_news(self, day=day_page(overview.day, overview.instant), page=dashboard_page(overview))
        self.sample = sample
