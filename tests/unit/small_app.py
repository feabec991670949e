"""Small applications, to try the server with; what they need is imported late, so that one of them fails soon."""

import os
from typing import Any


def app() -> Any:
    """Tells its process, and waits two seconds for a body."""
    from fastapi import FastAPI, Request

    from rental_app.api import errors, gate

    async def process() -> int:
        return os.getpid()

    async def echo(body: dict[str, str]) -> dict[str, str]:
        return body

    async def size(request: Request) -> int:
        return len(await request.body())

    small = FastAPI()
    gate.BODY_SECONDS = 2
    small.add_middleware(gate.SlowBodies)
    errors.install(small)
    small.get("/process")(process)
    small.post("/api/echo")(echo)
    small.post("/api/size")(size)
    return small


def broken() -> Any:
    """Fails to start."""
    raise RuntimeError("this application never starts")
