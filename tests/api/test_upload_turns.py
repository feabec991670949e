"""Uploads wait outside of memory: one of an account is read at a time, and only a few are in memory at once."""

import asyncio
from collections.abc import Iterable
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from fastapi import Request

from rental_app.api import submission
from rental_app.domain.errors import TooManyRequestsError
from rental_app.services.accounts.actor import Actor

BODY = (
    b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n' + bytes(128 * 1024) + b"\r\n--x--\r\n"
)
QUIET_SECONDS, MOST_SECONDS = 1, 30
TYPE = (b"content-type", b"multipart/form-data; boundary=x")


class Uploads:
    """Requests with a file, and how many of them have been read, are in memory, and were turned away."""

    def __init__(self) -> None:
        self.read = self.inside = self.refused = 0
        self._over, self._happened = asyncio.Event(), asyncio.Event()

    async def begin(self, accounts: Iterable[int], until: tuple[int, int, int]) -> list[asyncio.Task[None]]:
        """Start a request for each account; return them once so much has happened, and nothing more does by itself."""
        tasks = [asyncio.create_task(self._one(account)) for account in accounts]
        async with asyncio.timeout(MOST_SECONDS):
            while self.counts != until:
                await self._happened.wait()
                self._happened.clear()
        with suppress(TimeoutError):
            while await asyncio.wait_for(self._happened.wait(), QUIET_SECONDS):
                self._happened.clear()
        return tasks

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many have been read, are in memory, and were turned away."""
        return self.read, self.inside, self.refused

    async def end(self, tasks: list[asyncio.Task[None]]) -> None:
        """Let all requests finish."""
        self._over.set()
        await asyncio.gather(*tasks)

    async def _one(self, account: int) -> None:
        actor = Actor("203.0.113.1", account, "Vendor", jti="")
        try:
            async with asynccontextmanager(submission.read_submission)(self._request(), actor):
                self.inside += 1
                self._happened.set()
                await self._over.wait()
        except TooManyRequestsError:
            self.refused += 1
            self._happened.set()

    def _request(self) -> Request:
        async def receive() -> dict[str, Any]:
            self.read += 1
            self._happened.set()
            return {"type": "http.request", "body": BODY}

        return Request({"type": "http", "method": "POST", "headers": [TYPE]}, receive)


@pytest.mark.long
@pytest.mark.parametrize(
    ("accounts", "read", "inside", "refused"),
    [
        (range(10), 10, submission.MOST_IN_MEMORY, 0),
        ([7] * 10, 1, 1, 0),
        ([7] * (submission.MOST_WAITING + 4), 1, 1, 3),
    ],
    ids=["many accounts", "one account", "too many of one account"],
)
def test_how_many_are_read_and_kept_in_memory(accounts: Iterable[int], read: int, inside: int, refused: int) -> None:
    async def upload() -> None:
        submission._in_memory.cache_clear()
        uploads = Uploads()
        tasks = await uploads.begin(accounts, until=(read, inside, refused))
        assert uploads.counts == (read, inside, refused)
        await uploads.end(tasks)
        assert uploads.read == uploads.inside == len(tasks) - refused

    asyncio.run(upload())


def test_a_file_that_waits_is_on_the_disk() -> None:
    async def received() -> bool:
        async with Uploads()._request().form() as form:
            return bool(form["file"].file._rolled)

    assert asyncio.run(received())
