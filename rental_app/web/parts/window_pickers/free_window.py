"""The window of one vehicle, chosen from the times that it is free."""

from typing import Any

import reflex as rx

from rental_app.domain.clock import Window
from rental_app.web.parts.presenters.links import read_wall, window_of
from rental_app.web.parts.window_pickers import unavailable_presenter
from rental_app.web.parts.window_pickers.state import WindowForm
from rental_app.web.session.handlers import action


class FreeWindowForm(WindowForm, mixin=True):
    """A window's pickers, which leave out when the vehicle is taken, and the proposals in their place."""

    _busy: list[Window] = []

    @rx.var
    def taken_pickups(self) -> list[dict[str, str]]:
        """The times when the vehicle cannot be picked up."""
        return unavailable_presenter.pickups(self._busy)

    @rx.var
    def taken_returns(self) -> list[dict[str, str]]:
        """The times when the vehicle cannot be returned, given the pickup."""
        window = window_of(self.pickup, self.pickup)
        return unavailable_presenter.returns(self._busy, window.pickup if window else None)

    @action
    async def take_window(self, pickup: str, return_at: str) -> Any:
        """Take the window of a proposal: free dates, or a return that costs less."""
        return await self._take_both(pickup, return_at)

    async def _take_both(self, pickup: str, return_at: str) -> Any:
        self._set_pickup(read_wall(pickup))
        self._set_return(read_wall(return_at))
        self._chosen = True
        return await self._changed()
