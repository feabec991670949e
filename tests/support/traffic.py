"""What a page fetches, with the bytes that went over the wire."""

from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from playwright.sync_api import CDPSession, Page

# Media types start with one of these, or have it as their last word.
KINDS = {"script": "javascript", "style": "css", "html": "html", "font": "font", "image": "image"}
QUIET_SECONDS, SECONDS_AFTER_LOAD, LIMIT_SECONDS = 2, 5, 60


@dataclass
class Fetched:
    """One response of the server."""

    url: str
    kind: str
    status: int
    headers: dict[str, str]
    size: int = 0


@dataclass
class Traffic:
    """Everything a page fetches from now on, modules loaded ahead of their use included."""

    page: Page
    session: CDPSession = field(init=False)
    pending: set[str] = field(default_factory=set)
    answers: dict[str, Fetched] = field(default_factory=dict)
    changed: float = field(default_factory=monotonic)
    loaded: float = field(default_factory=monotonic)

    def __post_init__(self) -> None:
        self.session = self.page.context.new_cdp_session(self.page)
        for name in ("requestWillBeSent", "responseReceived", "loadingFinished", "loadingFailed"):
            self.session.on(f"Network.{name}", getattr(self, f"_{name}"))
        self.session.send("Network.enable")

    def visit(self, url: str, least: float = SECONDS_AFTER_LOAD) -> None:
        """Open an address and wait until nothing has been fetched for two seconds, at least `least` after the load."""
        self.open(url)
        self.rest(least)

    def open(self, url: str) -> None:
        """Open an address."""
        self.page.goto(url)
        self.loaded = monotonic()

    def rest(self, least: float = SECONDS_AFTER_LOAD) -> None:
        """Wait until nothing has been fetched for two seconds, at least `least` after the load."""
        while monotonic() < self.loaded + LIMIT_SECONDS:
            self.page.wait_for_timeout(100)
            quiet = not self.pending and monotonic() > self.changed + QUIET_SECONDS
            if quiet and monotonic() > self.loaded + least:
                return
        raise TimeoutError(f"{self.page.url} never stops fetching")

    def fetched(self, *kinds: str) -> list[Fetched]:
        """Return the responses of these kinds, the biggest first; of all kinds if none is named."""
        chosen = (answer for answer in self.answers.values() if not kinds or answer.kind in kinds)
        return sorted(chosen, key=lambda answer: -answer.size)

    def size(self, *kinds: str) -> int:
        """Bytes over the wire, headers included."""
        return sum(answer.size for answer in self.fetched(*kinds))

    def _requestWillBeSent(self, event: dict[str, Any]) -> None:
        if event["request"]["url"].startswith("http"):
            self.pending.add(event["requestId"])
            self.changed = monotonic()

    def _responseReceived(self, event: dict[str, Any]) -> None:
        if event["requestId"] in self.pending:
            answer = event["response"]
            headers = {name.lower(): value for name, value in answer["headers"].items()}
            fetched = Fetched(answer["url"], _kind(answer["mimeType"]), answer["status"], headers)
            self.answers[event["requestId"]] = fetched

    def _loadingFinished(self, event: dict[str, Any]) -> None:
        if event["requestId"] in self.answers:
            self.answers[event["requestId"]].size = int(event["encodedDataLength"])
        self._done(event)

    def _loadingFailed(self, event: dict[str, Any]) -> None:
        self._done(event)

    def _done(self, event: dict[str, Any]) -> None:
        self.pending.discard(event["requestId"])
        self.changed = monotonic()


def _kind(media_type: str) -> str:
    return next((kind for kind, word in KINDS.items() if word in media_type), "other")
