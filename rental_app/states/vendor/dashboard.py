"""The vendor's dashboard."""

from rental_app.rules import clock
from rental_app.services import dashboard
from rental_app.services.accounts import Actor
from rental_app.states.base import PrivateState, read
from rental_app.states.vendor.gate import vendor_load
from rental_app.views.vendor.dashboard import DashboardPage, dashboard_page
from rental_app.views.vendor.sample import sample_overview


class DashboardState(PrivateState):
    """The figures on show; `sample` when they are made up because the live ones could not be loaded."""

    page: DashboardPage | None = None
    sample: bool = False

    @vendor_load
    async def load(self, actor: Actor) -> None:
        """Show the vendor's figures as they are now."""
        self.page, self.sample = dashboard_page(await read(dashboard.overview, actor)), False

    def _failed(self, _message: str) -> None:
        self.page, self.sample = dashboard_page(sample_overview(clock.now())), True
