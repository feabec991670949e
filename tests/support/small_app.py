"""Small applications to test the server with; their imports are deferred, so that one of them fails early."""

import os
import time
from typing import Any


def app() -> Any:
    """Return an app that tells its process id, and waits two seconds for a body."""
    from fastapi import Request

    from rental_app.api import Api, errors, middleware

    async def process() -> int:
        return os.getpid()

    async def echo(body: dict[str, str]) -> dict[str, str]:
        return body

    async def size(request: Request) -> int:
        return len(await request.body())

    small = Api()
    middleware.BODY_SECONDS = 2
    errors.install(small)
    small.get("/process")(process)
    small.post("/api/echo")(echo)
    small.post("/api/size")(size)
    return small


def plain() -> Any:
    """Return an app that starts at once and tells its process id, or hangs if asked to: for good, or for a while."""

    async def answer(scope: Any, _receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        if scope["path"] == "/still":
            time.sleep(3600)  # noqa: ASYNC251 - as a mistake of ours would
        if scope["path"] == "/slow":
            time.sleep(2)  # noqa: ASYNC251 - as much work would
        await send({"type": "http.response.start", "status": 200})
        await send({"type": "http.response.body", "body": str(os.getpid()).encode()})

    return answer


def chatty() -> Any:
    """Return an app that says much on a websocket: a thousand long messages, or nothing at /silent."""

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            await plain()(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
            for _ in range(0 if scope["path"] == "/silent" else 1000):
                await send({"type": "websocket.send", "text": "x" * 100_000})
            while (await receive())["type"] != "websocket.disconnect":
                pass

    return answer


def broken() -> Any:
    """Fail to start."""
    raise RuntimeError("this application never starts")
