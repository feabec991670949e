"""A first visit fetches little, compressed and cacheable for good, and modern images only when they are near.

Times depend on the machine: `bench/` measures them.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser

from tests.e2e.conftest import PHONE, Browse
from tests.support import run_clock
from tests.support.app import App, running
from tests.support.guests import at_counter, secret_of, texts
from tests.support.routes import PERSONAL, PUBLIC, VENDORS
from tests.support.shop import Shop, moment, wire
from tests.support.traffic import Fetched, Traffic

pytestmark = pytest.mark.e2e
DATED = f"/vehicles?{urlencode({'pickupDate': wire(moment(4)), 'returnDate': wire(moment(6))})}"
PAGES = [*PUBLIC, *PERSONAL, DATED]
# Every state of every page stands in the script that all pages load: each of a vendor's costs 0.1 to 0.2 KB here.
HOME_BUDGET, BUDGET, VENDORS_BUDGET = 172 * 1024, 175 * 1024, 250 * 1024
# Whoever opens one has been on public pages before: most of it is in the cache.
PERSONAL_BUDGET = 181 * 1024
# What a line takes before it waits for an answer.
ONE_GO = 14 * 1024
MAIN = ("/", "/vehicles", DATED, "/vehicle-details/1", "/offers")
# Files smaller than this hardly shrink, if at all.
WORTH_COMPRESSING = 1024
IMAGES = {"image/svg+xml", "image/webp", "image/avif"}
# Without both attributes a page jumps when the image loads; those below the first screen can wait.
CARELESS_IMAGES = """
[...document.images].filter((image) => {
  const below = image.getBoundingClientRect().top > innerHeight;
  const sized = image.getAttribute("width") && image.getAttribute("height");
  return !sized || (below && image.loading !== "lazy");
}).map((image) => image.outerHTML.slice(0, 200))
"""


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[App]:
    """An app of its own: the localities and vehicles that other tests have left would be on its pages."""
    with running(tmp_path_factory.mktemp("demo"), sqlite_template) as started:
        yield started


@pytest.fixture(scope="module")
def visits(demo: App, browser: Browser) -> Iterator[dict[str, Traffic]]:
    """All pages, each opened on a phone for the first time; they finish loading in parallel."""
    contexts = [browser.new_context(viewport=PHONE, is_mobile=True, device_scale_factor=2.625) for _ in PAGES]
    for context in contexts:
        context.add_init_script(run_clock.page_script())
    made = {path: Traffic(context.new_page()) for path, context in zip(PAGES, contexts, strict=True)}
    for path, traffic in made.items():
        traffic.open(demo.url + path)
    for traffic in made.values():
        traffic.rest()
    yield made
    for context in contexts:
        context.close()


def faults(visits: dict[str, Traffic], of: Callable[[Traffic], object]) -> dict[str, object]:
    """What is wrong with the pages that something is wrong with, by their addresses."""
    return {path: wrong for path, traffic in visits.items() if (wrong := of(traffic))}


@pytest.mark.long
def test_scripts_and_styles_within_the_budget(visits: dict[str, Traffic]) -> None:
    assert len(visits) == len(PAGES)

    def too_much(traffic: Traffic, most: int) -> object:
        total = traffic.size("script", "style")
        assert total
        return total > most and f"{total:,} of {most:,} bytes: {_listed(traffic.fetched('script', 'style'))}"

    personal = {path: traffic for path, traffic in visits.items() if path in PERSONAL}
    public = {path: traffic for path, traffic in visits.items() if path not in PERSONAL}
    assert faults(personal, lambda traffic: too_much(traffic, PERSONAL_BUDGET)) == {}
    assert faults(public, lambda traffic: too_much(traffic, BUDGET)) == {}
    assert visits["/"].size("script", "style") <= HOME_BUDGET


@pytest.mark.long
def test_the_main_pages_arrive_in_one_go_with_their_headers(visits: dict[str, Traffic]) -> None:
    sizes = {path: visits[path].size("html") for path in MAIN}
    assert {path: size for path, size in sizes.items() if size > ONE_GO} == {}


@pytest.mark.long
def test_the_home_page_and_a_guests_within_the_budget_compressed_and_kept(browse: Browse, shop: Shop) -> None:
    """What `make test` looks at: scripts and styles are the same whatever other tests have left on the page."""
    at_counter(shop.vendor, shop.vehicle, moment(1), moment(2))
    for path, most in (("/", HOME_BUDGET), (f"/trip/{secret_of(texts()[-1])}", BUDGET)):
        visit = Traffic(browse(viewport=PHONE, fresh=True))
        visit.open(path)
        visit.rest()
        assert 0 < visit.size("script", "style") <= most
        assert [of(visit) for of in (_uncompressed, _not_kept)] == [[], set()]


@pytest.mark.long
def test_vendor_pages_within_theirs(browse: Browse, shop: Shop) -> None:
    visits = {path: Traffic(browse(shop.vendor, viewport=PHONE, fresh=True)) for path in VENDORS}
    for path, traffic in visits.items():
        traffic.open(path)
    for traffic in visits.values():
        traffic.rest()
    sizes = {path: traffic.size("script", "style") for path, traffic in visits.items()}
    assert {path: size for path, size in sizes.items() if size > VENDORS_BUDGET} == {}


@pytest.mark.long
def test_what_is_fetched_is_compressed_kept_for_good_and_modern(visits: dict[str, Traffic]) -> None:
    for of in (_uncompressed, _not_kept, _old_formats):
        assert faults(visits, of) == {}, of.__name__


def _uncompressed(traffic: Traffic) -> object:
    texts = [answer for answer in traffic.fetched() if answer.kind in ("script", "style", "html") or _is_svg(answer)]
    worth_it = [answer for answer in texts if _body_length(answer) > WORTH_COMPRESSING]
    assert worth_it
    return _listed([answer for answer in worth_it if answer.headers.get("content-encoding") != "br"])


def _not_kept(traffic: Traffic) -> object:
    hashed = [answer for answer in traffic.fetched() if "/assets/" in answer.url]
    assert hashed
    return {answer.headers.get("cache-control") for answer in hashed} - {"public, max-age=31536000, immutable"}


def _old_formats(traffic: Traffic) -> object:
    images, fonts = traffic.fetched("image"), traffic.fetched("font")
    old = {answer.headers["content-type"].split(";")[0] for answer in images} - IMAGES
    return old | ({answer.headers["content-type"] for answer in fonts} - {"font/woff2"})


@pytest.mark.long
def test_images_keep_their_place_and_wait_their_turn(visits: dict[str, Traffic]) -> None:
    assert faults(visits, lambda traffic: traffic.page.evaluate(CARELESS_IMAGES)) == {}


def _is_svg(answer: Fetched) -> bool:
    return answer.headers.get("content-type", "").startswith("image/svg")


def _body_length(answer: Fetched) -> int:
    return int(answer.headers.get("content-length", answer.size))


def _listed(answers: list[Fetched]) -> list[str]:
    return [f"{answer.url.split('/', 3)[-1]} {answer.size}" for answer in answers]
