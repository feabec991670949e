"""The vendor's earnings: which year, and what each row stands for."""

from datetime import date

from rental_app.domain import clock
from rental_app.schemas.earnings import By, EarningsRequest
from rental_app.schemas.validation import validated
from rental_app.services.accounts.actor import Actor
from rental_app.services.earnings import figures
from rental_app.web.session.base import PrivateState, read
from rental_app.web.session.handlers import of_the_day
from rental_app.web.session.vendor_auth import manager_action, manager_load
from rental_app.web.vendor.earnings.presenter import EarningsPage, earnings_page

YEARS = 5


class EarningsState(PrivateState):
    """The earnings shown; without a `year`, those of the last twelve months."""

    page: EarningsPage | None = None
    by: By = "month"
    year: str = ""
    problem: str = ""

    @of_the_day
    def years(self) -> list[str]:
        """The years to choose from, the current one first."""
        present = clock.indian_today(clock.now()).year
        return [str(present - back) for back in range(YEARS)]

    @manager_load
    async def load(self, actor: Actor) -> None:
        """Show the earnings with the latest choices."""
        await self._show(actor)

    @manager_action
    async def choose_by(self, actor: Actor, by: str) -> None:
        """Show a row for each month or for each vehicle."""
        self.by = "vehicle" if by == "vehicle" else "month"
        await self._show(actor)

    @manager_action
    async def choose_year(self, actor: Actor, year: str) -> None:
        """Show a calendar year; '' for the last twelve months."""
        self.year = year if year in self.years else ""
        await self._show(actor)

    async def _show(self, actor: Actor) -> None:
        first, last = self._days()
        request = validated(EarningsRequest, {"from": first.isoformat(), "to": last.isoformat(), "by": self.by})
        self.page = earnings_page(await read(figures.of_vendor, actor, request), self.by, first, last)
        self.problem = ""

    def _days(self) -> tuple[date, date]:
        today = clock.indian_today(clock.now())
        if self.year:
            return date(int(self.year), 1, 1), min(today, date(int(self.year), 12, 31))
        return figures.first_of_twelve_months(today), today
