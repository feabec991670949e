"""Where to report a weakness, as RFC 9116 specifies: `/.well-known/security.txt`."""

from datetime import datetime, time, timedelta

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from rental_app.domain import clock
from rental_app.infrastructure.settings import settings
from rental_app.ssr.head import absolute

PATH = "/.well-known/security.txt"
# The standard asks for less than a year.
VALID = timedelta(days=180)


def security_txt(_request: Request) -> Response:
    """Contact and policy; valid for half a year from the day it is requested."""
    lines = {
        "Contact": f"mailto:{settings().support_email}",
        "Expires": _midnight(clock.now() + VALID),
        "Preferred-Languages": "en",
        "Canonical": absolute(PATH),
        "Policy": absolute("/security"),
    }
    text = "".join(f"{name}: {value}\n" for name, value in lines.items())
    return PlainTextResponse(text, headers={"Cache-Control": "public, max-age=86400"})


def _midnight(instant: datetime) -> str:
    return f"{datetime.combine(instant, time()):%Y-%m-%dT%H:%M:%SZ}"
