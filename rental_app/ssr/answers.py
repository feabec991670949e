"""The request for a public page, and its answer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rental_app.services.throttle import Caller
from rental_app.ssr.head import Subject


@dataclass(frozen=True, slots=True)
class PageAnswer:
    """A built page's name, its subject, the HTML for its places, and the status; or the path it has moved to."""

    page: str
    subject: Subject
    content: dict[str, str] = field(default_factory=dict)
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    moved_to: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """What an address asks for: its variable part, its parameters, and the caller."""

    caller: Caller
    name: str = ""
    parameters: Sequence[tuple[str, str]] = ()


Page = Callable[[Request], PageAnswer]
