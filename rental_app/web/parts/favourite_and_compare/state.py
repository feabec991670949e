"""What users mark while browsing: favourites, which an account keeps, and vehicles to compare."""

import contextlib
from collections.abc import AsyncIterator
from typing import Any

import reflex as rx

from rental_app.domain.errors import NotAuthenticatedError
from rental_app.domain.ids import COMPARED, read_ids, written_ids
from rental_app.services import favourites
from rental_app.services.accounts.actor import unknown_vehicle
from rental_app.services.search.listings import vehicles_by_id
from rental_app.web.parts.presenters.links import compare_url, vehicle_url
from rental_app.web.parts.presenters.texts import Link
from rental_app.web.session.base import PrivateState, SessionState, acting_user, caller_of, read, session_over, write
from rental_app.web.session.connection import on_change_in_other_tabs
from rental_app.web.session.events import error_toast
from rental_app.web.session.handlers import action, change
from rental_app.web.session.login_wanted import after_every_login


class FavouritesState(PrivateState):
    """Which vehicles are favourites: the account's or, without a login, the browser's, until a login moves them."""

    kept: str = rx.LocalStorage("", name="favourites", sync=True)
    # The vehicle of the latest press, and the number of presses answered.
    answered: list[int] = [0, 0]
    _own: list[int] | None = None

    @rx.var
    def ids(self) -> list[int]:
        """The favourites, latest first."""
        return read_ids(self.kept) if self._own is None else self._own

    @action
    async def start(self) -> AsyncIterator[Any]:
        """Every shop page's first event: load the favourites, and the vehicles to compare."""
        await self._find()
        if self._own is not None and self.kept:
            yield FavouritesState.merge_after_login
        await (await self.get_state(CompareState))._show()

    @change
    async def merge_after_login(self) -> AsyncIterator[Any]:
        """Move what was marked before the login to the account's favourites; the browser forgets it."""
        actor, stored = await acting_user(self), read_ids(self.kept)
        if not await write(favourites.merge_after_login, actor, stored):
            yield error_toast(favourites.FULL)
        self.kept = ""
        self._own = await read(favourites.ids, actor)

    @change
    async def toggle(self, vehicle_id: int, wanted: bool) -> AsyncIterator[Any]:
        """Add a vehicle to the favourites, or remove it."""
        _check(vehicle_id)
        session = await self.get_state(SessionState)
        try:
            if session.token:
                actor = await acting_user(self)
                await write(favourites.put if wanted else favourites.drop, actor, vehicle_id)
                self._own = await read(favourites.ids, actor)
            else:
                await self._keep(vehicle_id, wanted)
        except NotAuthenticatedError as error:
            self._own = None
            for event in session_over(error):
                yield event
        finally:
            self.answered = [vehicle_id, self.answered[1] + 1]

    async def _find(self) -> None:
        """Load the favourites of the logged-in user; if that fails, those shown stay."""
        session, own = await self.get_state(SessionState), None
        with contextlib.suppress(NotAuthenticatedError):
            if session.token:
                own = await read(favourites.ids, await session._actor())
        self._own = own

    async def _keep(self, vehicle_id: int, wanted: bool) -> None:
        others = [each for each in read_ids(self.kept) if each != vehicle_id]
        if wanted:
            await read(favourites.save, caller_of(self), vehicle_id, others)
        self.kept = written_ids([vehicle_id, *others] if wanted else others)


class CompareState(PrivateState):
    """Which vehicles are to be compared; the browser keeps them until a logout."""

    kept: str = rx.LocalStorage("", name="compare", sync=True)
    answered: list[int] = [0, 0]
    shown: list[Link] = []

    @rx.var
    def ids(self) -> list[int]:
        """The vehicles to compare, in the order they were chosen."""
        return read_ids(self.kept, COMPARED)

    @rx.var
    def address(self) -> str:
        """The address of the page that compares them."""
        return compare_url(self.ids)

    @change
    async def toggle(self, vehicle_id: int, wanted: bool) -> None:
        """Add a vehicle to the comparison, or remove it."""
        _check(vehicle_id)
        try:
            await self._choose(vehicle_id, wanted)
        finally:
            self.answered = [vehicle_id, self.answered[1] + 1]

    @action
    async def clear(self) -> None:
        """Empty the comparison."""
        self.kept, self.shown = "", []

    @action
    async def show(self) -> None:
        """Show the names of what the browser keeps, after another tab has changed it."""
        await self._show()

    async def _choose(self, vehicle_id: int, wanted: bool) -> None:
        others = [each for each in self.ids if each != vehicle_id]
        if wanted:
            await read(favourites.compare, caller_of(self), vehicle_id, others)
        self.kept = written_ids([*others, vehicle_id] if wanted else others)
        await self._show()

    async def _show(self) -> None:
        """Look up the names of what the browser keeps; vehicles that are no longer listed are dropped."""
        named, wanted = {car.href: car for car in self.shown}, [vehicle_url(each) for each in self.ids]
        if wanted == [*named]:
            return
        if named.keys() >= set(wanted):
            self.shown = [named[href] for href in wanted]
            return
        vehicles = await read(vehicles_by_id, caller_of(self), self.ids)
        self.shown = [Link(text=car.title, href=vehicle_url(car.id)) for car in vehicles.listed]
        if vehicles.ids != self.ids:
            self.kept = written_ids(vehicles.ids)


after_every_login(FavouritesState.start)
on_change_in_other_tabs(CompareState, "compare", "show")


def _check(vehicle_id: int) -> None:
    """Raise NotFoundError for an id that no database can look up."""
    if not read_ids(f"{vehicle_id}"):
        raise unknown_vehicle()
