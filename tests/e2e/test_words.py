"""Words of the shop in a browser: edited, previewed, saved over, and read on the pages at once."""

import pytest
from playwright.sync_api import Page, expect

from rental_app.infrastructure.db import read, write
from rental_app.services import words
from tests.e2e.conftest import Browse, Complaints
from tests.support import console as support_console
from tests.support.axe import problems
from tests.support.browser_steps import visit
from tests.support.shop import actor

pytestmark = pytest.mark.e2e
HOSTILE = "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>"


@pytest.fixture(autouse=True)
def not_there(complaints: Complaints) -> None:
    """The server answers every address of the console as one at which there is nothing."""
    complaints.expected.append("status of 404")


def editor(page: Page, key: str) -> None:
    visit(page, f"/operator/words/{key}")
    expect(page.get_by_role("button", name="Save")).to_be_visible()


def save(page: Page) -> None:
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved: every page shows it from now on")).to_be_visible()


def test_what_is_saved_is_previewed_and_read_at_once(browse: Browse, script: str) -> None:
    operator = support_console.operator()
    page, visitor = browse(operator, reduced_motion="reduce"), browse(None)
    visit(visitor, "/")
    editor(page, "faq")
    first = page.get_by_role("group", name="Number 1", exact=True)
    first.get_by_label("Question").fill("Is the coffee free?")
    first.get_by_label("Answer", exact=True).fill("Yes, on {product}.")
    expect(page.get_by_role("region", name="Preview", exact=True)).to_contain_text("Is the coffee free?")
    page.get_by_role("button", name="Move down 1", exact=True).click()
    second = page.get_by_role("group", name="Number 2", exact=True)
    expect(second.get_by_label("Question")).to_have_value("Is the coffee free?")
    page.get_by_role("button", name="Remove 1", exact=True).click()
    # What is typed is there after a reload.
    page.wait_for_timeout(400)
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    expect(first.get_by_label("Question")).to_have_value("Is the coffee free?")
    assert problems(page, script) == []
    save(page)
    visit(visitor, "/offers")
    visitor.go_back()
    visitor.get_by_role("heading", name="Is the coffee free?").click()
    expect(visitor.get_by_text("Yes, on Pahiya.")).to_be_visible()


def test_an_older_tab_is_shown_both_and_loses_nothing(browse: Browse) -> None:
    operator = support_console.operator()
    page = browse(operator, reduced_motion="reduce")
    editor(page, "house_rules")
    before = read(words.newest, "house_rules")
    line = page.get_by_role("group", name="Number 1", exact=True).get_by_label("Line")
    line.fill("Mine: helmets on")
    write(words.put, actor(operator), "house_rules", ["Theirs: no helmets"], before.version)
    page.get_by_role("button", name="Save").click()
    both = page.get_by_role("region", name="Both versions")
    expect(both).to_contain_text("Theirs: no helmets")
    expect(both).to_contain_text("Mine: helmets on")
    expect(line).to_have_value("Mine: helmets on")
    assert read(words.newest, "house_rules").value == ["Theirs: no helmets"]
    page.get_by_role("button", name="Go on with mine").click()
    save(page)
    assert read(words.newest, "house_rules").value[0] == "Mine: helmets on"
    page.get_by_role("region", name="Versions").get_by_role("button", name="Undo to this version").first.click()
    page.get_by_role("button", name="Put it in force again").click()
    expect(line).to_have_value("Theirs: no helmets")
    assert read(words.newest, "house_rules").value == ["Theirs: no helmets"]


def test_hostile_words_stay_words(browse: Browse) -> None:
    operator = actor(support_console.operator())
    marker = "<reflex.Var>x</reflex.Var>"
    rows = [{"question": f"{HOSTILE} {marker}", "answer": HOSTILE, "points": [HOSTILE], "local": True}]
    write(words.put, operator, "faq", rows, read(words.newest, "faq").version)
    text = f"# Terms {HOSTILE}\n\n{HOSTILE}\n\n[press](javascript:window.hacked=1) {marker}"
    write(words.put, operator, "terms", text, read(words.newest, "terms").version)
    page = browse(None)
    for path in ("/", "/gachibowli/bike-rentals", "/terms"):
        visit(page, path)
        expect(page.get_by_text("<script>window.hacked").first).to_be_attached()
        assert page.evaluate("window.hacked") is None
        assert page.locator("a[href^='javascript']").count() == 0
    mine = browse(support_console.operator())
    for key in ("faq", "terms"):
        editor(mine, key)
        expect(mine.get_by_role("region", name="Preview", exact=True)).to_contain_text("<script>")
        assert mine.evaluate("window.hacked") is None


def test_earlier_terms_are_read_under_their_version(browse: Browse) -> None:
    operator = actor(support_console.operator())
    before = read(words.newest, "terms")
    write(words.put, operator, "terms", "# Terms\n\nThe first of two", before.version)
    first = read(words.terms_version)
    write(words.put, operator, "terms", "# Terms\n\nThe second of two", before.version + 1)
    page = browse(None)
    visit(page, "/terms")
    expect(page.get_by_text("The second of two")).to_be_visible()
    page.get_by_role("navigation", name="Other versions").get_by_role("link", name=first, exact=True).click()
    expect(page.get_by_text("The first of two")).to_be_visible()
    expect(page.get_by_text("no longer in force")).to_be_visible()
    page.get_by_role("link", name="Read the terms in force").click()
    expect(page.get_by_text("The second of two")).to_be_visible()
