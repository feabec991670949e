"""A vendor's public page."""

from collections.abc import AsyncIterator
from typing import Any

import reflex as rx

from rental_app.domain.errors import NotFoundError, RentalError
from rental_app.domain.ids import id_in
from rental_app.web.parts.reviews.presenter import FEW
from rental_app.web.parts.search_form.state import SearchState
from rental_app.web.screens.vendor_page.presenter import VEHICLES, VendorPage, head_in_tab, vendor_page
from rental_app.web.session.address import here
from rental_app.web.session.base import caller_of, read
from rental_app.web.session.handlers import action


class VendorPageState(rx.State):
    """The vendor of the page's address; neither found nor missing while it loads or when it is unavailable."""

    vendor: VendorPage | None = None
    missing: bool = False
    problem: str = ""
    asked_url: str = ""
    _of: int = 0
    _vehicles: int = VEHICLES
    _reviews: int = FEW

    @rx.var
    def title(self) -> str:
        """The page's title in the browser's tab; blank while it loads."""
        return head_in_tab(self.vendor, self.missing, self.problem).title

    @rx.var
    def description(self) -> str:
        """The page's description for search engines; blank while it loads."""
        return head_in_tab(self.vendor, self.missing, self.problem).description

    @action
    async def load(self) -> AsyncIterator[Any]:
        """Show the vendor of the address, whatever their name was when the address was made."""
        vendor_id, self.problem, self.asked_url = id_in(self.router.url.path.rstrip("/")), "", here(self)
        if vendor_id != self._of:
            self.vendor, self.missing, self._of = None, False, vendor_id
            self._vehicles, self._reviews = VEHICLES, FEW
            yield
        try:
            await self._show()
        except NotFoundError:
            self.vendor, self.missing = None, True
        except RentalError as error:
            self.problem = "" if self.vendor else error.message
            raise

    @action
    async def show_more_vehicles(self) -> None:
        """Show more vehicles, if there are any."""
        if self.vendor and self.vendor.more:
            self._vehicles += VEHICLES
            await self._show()

    @action
    async def show_more(self) -> None:
        """Show as many reviews again, if there are more."""
        if self.vendor and self.vendor.reviews.more:
            self._reviews *= 2
            await self._show()

    async def _show(self) -> None:
        dates = (await self.get_state(SearchState))._remembered()
        self.vendor = await read(vendor_page, caller_of(self), self._of, self._vehicles, self._reviews, dates)
        self.missing = False
