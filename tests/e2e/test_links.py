"""Every link on every public page leads somewhere: the pages are crawled as a browser shows them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urldefrag, urljoin, urlsplit

import httpx2
import pytest
from playwright.sync_api import Page

from tests.e2e.conftest import Browse
from tests.support.app import App
from tests.support.browser_steps import ready, settled

pytestmark = [pytest.mark.e2e, pytest.mark.long]
# How many addresses of one kind are rendered; the others of the kind are only fetched.
OF_A_KIND = 2
MOST_RENDERED = 60
ELSEWHERE = {"https", "tel", "mailto"}
REFERENCES = """
[...document.querySelectorAll("a, link[href], img, source, script[src], iframe")].map((element) => ({
  tag: element.tagName.toLowerCase(),
  rel: element.rel ?? "",
  target: element.getAttribute("href") ?? element.getAttribute("src") ?? element.getAttribute("srcset")?.split(" ")[0],
}))
"""


@dataclass
class Crawl:
    """What is known of the site so far: addresses without their fragments, and faults."""

    site: str
    page: Page
    waiting: list[str]
    found: set[str] = field(default_factory=set)
    anchors: dict[str, set[str]] = field(default_factory=dict)
    rendered: dict[str, set[str]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def run(self) -> None:
        """Render pages until none is left to render."""
        while self.waiting:
            address = self.waiting.pop(0)
            if address not in self.rendered and (address in self.anchors or not self._known(address)):
                self._render(address)
        for address, names in self.anchors.items():
            self.faults += [f"{address} has no #{name}" for name in names - self.rendered[address]]

    def _known(self, address: str) -> bool:
        return sum(kind(done) == kind(address) for done in self.rendered) >= OF_A_KIND

    def _render(self, address: str) -> None:
        assert len(self.rendered) < MOST_RENDERED, f"Too many kinds of pages: {list(self.rendered)}"
        self.page.goto(self.site + address)
        ready(self.page)
        settled(self.page)
        self.rendered[address] = set(self.page.evaluate("[...document.querySelectorAll('[id]')].map(({ id }) => id)"))
        for reference in self.page.evaluate(REFERENCES):
            self._note(address, reference)

    def _note(self, address: str, reference: dict[str, Any]) -> None:
        target = reference["target"]
        if not target or target == "#":
            self.faults.append(f"{address}: {reference} leads nowhere")
            return
        absolute, name = urldefrag(urljoin(self.site + address, target))
        if absolute.startswith(f"{self.site}/"):
            self._own(absolute.removeprefix(self.site), name, reference["tag"] == "a")
        elif fault := foreign_fault(absolute, reference):
            self.faults.append(f"{address}: {reference} {fault}")

    def _own(self, target: str, name: str, is_link: bool) -> None:
        self.found.add(target)
        if name:
            self.anchors.setdefault(target, set()).add(name)
        # A link to a photo opens the image itself: it is fetched, not rendered.
        if is_link and not target.startswith("/media/") and not target.endswith((".xml", ".svg")):
            self.waiting.append(target)


def kind(address: str) -> str:
    """Return what addresses of one kind have in common: the path without the vehicle's number or the locality."""
    path = urlsplit(address).path.rstrip("/")
    return re.sub(r"\d+|(?<=^/)[^/]+(?=/bike-rentals)", "*", path)


def foreign_fault(address: str, reference: dict[str, Any]) -> str:
    """Return what is wrong with a reference to another site, if anything."""
    scheme = urlsplit(address).scheme
    if reference["tag"] == "link" and "canonical" in reference["rel"]:
        return ""
    if scheme not in ELSEWHERE and not (reference["tag"] == "img" and scheme == "data"):
        return "is neither encrypted nor a call or a mail"
    if reference["tag"] == "a" and scheme == "https" and "noopener" not in reference["rel"]:
        return "lacks rel=noopener"
    return ""


@pytest.fixture
def client(app: App) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=app.url, follow_redirects=True, timeout=30) as opened:
        yield opened


def listed(client: httpx2.Client) -> list[str]:
    """The addresses in the sitemap."""
    addresses = re.findall(r"<loc>(.*?)</loc>", client.get("/sitemap.xml").raise_for_status().text)
    return [urlsplit(address).path or "/" for address in addresses]


def test_every_link_leads_somewhere(app: App, browse: Browse, client: httpx2.Client) -> None:
    crawl = Crawl(app.url, browse(), ["/", *listed(client)])
    crawl.found |= set(crawl.waiting)
    crawl.run()
    answers = {address: client.get(address).status_code for address in sorted(crawl.found)}
    assert {kind(address) for address in crawl.rendered} >= {"", "/vehicles", "/vehicle-details/*", "/*/bike-rentals"}
    faults = [*crawl.faults, *(f"{address}: {status}" for address, status in answers.items() if status != 200)]
    assert not faults, "\n".join(faults)
