"""Websockets that say nothing end soon, and keep nobody at their address out."""

import asyncio
from collections.abc import Iterator

import pytest
from starlette.types import Message, Receive, Scope, Send

from rental_app.infrastructure.settings import settings
from rental_app.web.session import newcomers
from rental_app.web.session.newcomers import NEWCOMER, Newcomer
from tests.support.state_tabs import journey

DECIDED_SECONDS = newcomers.FIRST_EVENT_SECONDS


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Room for two newcomers at an address, each for a moment."""
    monkeypatch.setenv("RENTAL_RATE_LIMITS", "on")
    monkeypatch.setattr(newcomers, "NEWCOMERS_OF_AN_ADDRESS", 2)
    monkeypatch.setattr(newcomers, "FIRST_EVENT_SECONDS", 0.2)
    settings.cache_clear()
    yield
    settings.cache_clear()


class Visits:
    """Websockets that read until they end."""

    def __init__(self) -> None:
        self.layer = newcomers.brief_newcomers(self._read)
        self.inside: list[Newcomer] = []

    async def open(self, address: str = "10.0.0.1") -> "asyncio.Task[None]":
        """Open another one."""
        task = asyncio.create_task(self._open({"type": "websocket", "client": (address, 1)}))
        await asyncio.sleep(0)
        return task

    async def _open(self, scope: Scope) -> None:
        await self.layer(scope, self._silence, self._nothing)

    async def _read(self, scope: Scope, receive: Receive, _send: Send) -> None:
        self.inside.append(scope[NEWCOMER])
        assert (await receive())["type"] == "websocket.disconnect"

    async def _silence(self) -> Message:
        await asyncio.sleep(30)
        raise AssertionError("it should have ended")

    async def _nothing(self, _: Message) -> None:
        raise AssertionError("nothing is sent")


def test_there_are_ten_seconds_for_the_first_event() -> None:
    assert DECIDED_SECONDS == 10


@journey
async def test_one_that_says_nothing_ends_and_one_that_has_shown_itself_stays() -> None:
    visits = Visits()
    silent, page = await visits.open(), await visits.open()
    visits.inside[1].enter()
    await asyncio.wait_for(silent, 25)
    await asyncio.sleep(0.3)
    assert not page.done()
    # Its page has left, and the websocket is still open.
    visits.inside[1].wait()
    await asyncio.wait_for(page, 25)


@pytest.mark.parametrize(
    ("address", "same", "other"),
    [("10.0.0.1", "10.0.0.1", "10.0.0.2"), ("2001:db8:1:2::1", "2001:db8:1:2:f::1", "2001:db8:1:3::1")],
)
@journey
async def test_the_oldest_of_an_address_makes_way(
    monkeypatch: pytest.MonkeyPatch, address: str, same: str, other: str
) -> None:
    monkeypatch.setattr(newcomers, "FIRST_EVENT_SECONDS", 30)
    visits = Visits()
    page = await visits.open(address)
    visits.inside[0].enter()
    first, second = await visits.open(address), await visits.open(address)
    elsewhere = await visits.open(other)
    assert not first.done()
    third = await visits.open(same)
    await asyncio.wait_for(first, 25)
    assert not any(task.done() for task in (page, second, third, elsewhere))
    for newcomer in visits.inside:
        newcomer.leave()
    await asyncio.gather(page, second, third, elsewhere)
