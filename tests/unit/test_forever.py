"""What a process does by itself outlives whatever goes wrong."""

import asyncio
from collections.abc import Iterator

from rental_app.errors import UnavailableError
from rental_app.forever import again_and_again


def test_no_failure_ends_what_goes_on_for_ever() -> None:
    """A task that has ended is started by nobody, and nobody hears of it."""
    steps: Iterator[Exception | bool] = iter(
        [UnavailableError("no database"), ValueError("one bad calendar"), True, False]
    )

    async def watch() -> None:
        done = asyncio.Event()

        async def step() -> bool:
            now = next(steps, None)
            if now is None:
                done.set()
            if isinstance(now, Exception):
                raise now
            return bool(now)

        task = asyncio.create_task(again_and_again("the step", 0, step))
        async with asyncio.timeout(30):
            await done.wait()
        assert not task.done()
        task.cancel()

    asyncio.run(watch())
