"""The documentation of the REST calls, in a browser."""

import httpx2
import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Browse
from tests.support.app import App
from tests.support.within import until

pytestmark = pytest.mark.e2e


@pytest.mark.long
def test_the_calls_are_described_and_tried_without_a_foreign_host(browse: Browse, app: App) -> None:
    page = browse(fresh=True)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    # Swagger UI renders all calls at once, which takes many seconds while other tests run.
    patience = 120_000
    page.set_default_timeout(patience)
    page.goto("/api/docs")
    # Of so many calls it renders those in sight.
    link = page.get_by_role("link", name="/healthz")
    expect(page.get_by_role("link", name="/api/user/register")).to_be_visible(timeout=patience)

    def is_in_sight() -> bool:
        page.mouse.wheel(0, 500)
        return link.count() > 0

    until(is_in_sight)
    link.click()
    page.get_by_role("button", name="Try it out").click()
    page.get_by_role("button", name="Execute").click()
    expect(page.get_by_text('"message": "ok"').first).to_be_visible()
    assert asked
    assert all(url.startswith(app.url) for url in asked)


def test_no_origin_is_granted_half_of_anything(app: App) -> None:
    sent = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    for method, path in (("GET", "/ping"), ("GET", "/"), ("OPTIONS", "/api/user/login")):
        answer = httpx2.request(method, f"{app.url}{path}", headers=sent)
        assert not [name for name in answer.headers if name.startswith("access-control")]
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_no_part_of_the_app_answers_for_foreign_hosts(app: App) -> None:
    for path in ("/", "/api/user/vehicles", "/swagger-ui/start.js"):
        answer = httpx2.get(f"{app.url}{path}", headers={"Host": "evil.example"})
        assert (answer.status_code, answer.headers["x-content-type-options"]) == (400, "nosniff"), path
