"""How fast a websocket may bring anything, before anything looks at events."""

import asyncio
import time
from itertools import count

from limits import parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import FixedWindowRateLimiter
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rental_app.infrastructure.settings import settings

# A message counts once, and once more for every thousand characters. Even the longest is less than a minute's worth
# (supervisor.py), and no page sends a tenth of it.
PACE = parse("1200 per minute")


def paced_sockets(app: ASGIApp) -> ASGIApp:
    """Read each websocket no faster than at a certain pace: whoever sends more has to wait, and loses nothing."""
    pace, numbers = FixedWindowRateLimiter(MemoryStorage()), count()

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        number = str(next(numbers))

        async def unhurried() -> Message:
            message = await receive()
            cost = 1 + len(message.get("text") or message.get("bytes") or "") // 1000
            if not await pace.hit(PACE, number, cost=cost):
                minute = await pace.get_window_stats(PACE, number)
                await asyncio.sleep(minute.reset_time - time.time())
            return message

        is_paced = scope["type"] == "websocket" and settings().rate_limits == "on"
        await app(scope, unhurried if is_paced else receive, send)

    return wrapped
