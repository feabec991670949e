"""The vendor's dashboard."""

from collections.abc import AsyncIterator
from typing import Any

from rental_app.errors import ForbiddenError, NotAuthenticatedError, RentalError
from rental_app.rules import clock
from rental_app.schemas.vendor_dashboard import DashboardPage
from rental_app.services import dashboard
from rental_app.states.base import PrivateState, action, read
from rental_app.states.events import error_toast
from rental_app.states.vendor.dashboard_views import dashboard_page
from rental_app.states.vendor.gate import acting_vendor
from rental_app.states.vendor.sample import sample_overview


class DashboardState(PrivateState):
    """The figures on show; `sample` when they are made up because the live ones could not be had."""

    page: DashboardPage | None = None
    sample: bool = False

    @action
    async def load(self) -> AsyncIterator[Any]:
        """Show the vendor's figures as they are now."""
        try:
            found = await read(dashboard.overview, await acting_vendor(self))
        except (NotAuthenticatedError, ForbiddenError):
            if self.page is not None:
                self.reset()
            raise
        except RentalError as error:
            self.page, self.sample = dashboard_page(sample_overview(clock.now())), True
            yield error_toast(error.message)
            return
        self.page, self.sample = dashboard_page(found), False
