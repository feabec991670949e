"""The tests' own tabs: what one test leaves behind, the next does not find."""

from typing import Any

import pytest

from tests.e2e.conftest import PHONE
from tests.support.app import App
from tests.support.tabs import NEUTRAL, Tabs

pytestmark = pytest.mark.e2e
# Options of its own, so that no other waiting tab has them.
OPTIONS: dict[str, Any] = {"viewport": PHONE, "locale": "te-IN"}
LEAVE = """() => {
  localStorage.kept = sessionStorage.kept = document.cookie = "kept=1";
  history.pushState({}, "", "?kept");
  return new Promise((done) => { indexedDB.open("kept").onsuccess = () => done(caches.open("kept")); });
}"""
FOUND = """async () => [
  localStorage.length, sessionStorage.length, document.cookie, history.length, navigator.onLine,
  await indexedDB.databases(), await caches.keys(),
]"""
NOTHING = [0, 0, "", 1, True, [], []]


def test_a_tab_is_handed_on_as_if_nobody_had_been_there(app: App, tabs: Tabs) -> None:
    tab = tabs.take(app.url, OPTIONS, fresh=False)
    tab.remember({"token": "kept"})
    tab.page.evaluate(LEAVE)
    assert tab.page.evaluate(FOUND) != NOTHING
    other = tab.context.new_page()
    tab.page.route("**/*", lambda route: route.abort())
    tab.context.set_offline(True)
    tabs.put_back(tab)
    assert other.is_closed()
    assert tab.page.url == app.url + NEUTRAL
    assert tab.page.evaluate(FOUND) == NOTHING
    fresh, again = (tabs.take(app.url, OPTIONS, fresh=fresh) for fresh in (True, False))
    assert (fresh is tab, again is tab) == (False, True)
    for opened in (fresh, again):
        opened.context.close()


def test_a_tab_that_cannot_be_cleaned_is_not_handed_on(app: App, tabs: Tabs) -> None:
    tab = tabs.take(app.url, OPTIONS, fresh=False)
    tab.context.close()
    tabs.put_back(tab)
    another = tabs.take(app.url, OPTIONS, fresh=False)
    assert another is not tab
    another.context.close()
