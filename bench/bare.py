"""The floor of the page measurements: a bare page of any length, served by a plain ASGI app."""

from typing import Any

WORDS = b"The quick brown fox jumps over the lazy dog. "
PAGE = (
    b"<!doctype html><html lang=en><meta name=viewport content=width=device-width><title>Bare</title><p>%b</p></html>"
)


async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Answer /1234 with a page of 1,234 characters of text."""
    if scope["type"] != "http":
        return
    length = scope["path"].strip("/")
    letters = int(length) if length.isdecimal() else 0
    body = PAGE % (WORDS * (letters // len(WORDS) + 1))[:letters]
    headers = [(b"content-type", b"text/html"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})
