"""Vehicles side by side."""

from collections.abc import AsyncIterator
from typing import Any

import reflex as rx

from rental_app.domain.errors import RentalError
from rental_app.domain.ids import written_ids
from rental_app.web.parts.favourite_and_compare.state import CompareState
from rental_app.web.parts.presenters.links import read_query
from rental_app.web.parts.search_form.state import SearchState
from rental_app.web.screens.compare.presenter import Comparison, comparison
from rental_app.web.session.address import here
from rental_app.web.session.base import caller_of, read
from rental_app.web.session.handlers import action


class ComparePageState(rx.State):
    """The vehicles that the page's address compares."""

    compared: Comparison | None = None
    problem: str = ""
    asked_url: str = ""

    @action
    async def load(self) -> AsyncIterator[Any]:
        """Compare the vehicles of the address, or else those chosen, for its dates or else this tab's search's."""
        if self.problem or self.asked_url != here(self):
            self.compared, self.problem, self.asked_url = None, "", here(self)
            yield
        parameters = self.router.url.query_parameters
        query, search = read_query(parameters.items()), await self.get_state(SearchState)
        if not (query.pickup and query.return_at):
            query = await search._query()
        ids = parameters.get("ids") or written_ids((await self.get_state(CompareState)).ids)
        try:
            self.compared = await read(comparison, caller_of(self), ids, query)
        except RentalError as error:
            self.compared, self.problem = None, error.message
            raise
