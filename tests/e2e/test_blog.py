"""The blog: its list, its posts, its feed."""

import re

import httpx2
import pytest
from playwright.sync_api import expect

from rental_app.content.posts import posts
from rental_app.infrastructure.settings import settings
from tests.e2e.conftest import Browse
from tests.support.app import App
from tests.support.browser_steps import visit

pytestmark = pytest.mark.e2e


def test_the_blog_lists_posts_and_they_lead_on(browse: Browse, app: App) -> None:
    page = browse()
    visit(page, "/blog")
    written = posts(settings().product_name, settings().city)
    titles = page.get_by_role("main").get_by_role("heading", level=2)
    expect(titles).to_have_text([post.title for post in written])
    feed = page.get_by_role("link", name="RSS feed").get_attribute("href")
    assert httpx2.get(f"{app.url}{feed}").text.count("<item>") == len(written)
    for post in written:
        titles.filter(has_text=post.title).click()
        page.wait_for_url(f"**{post.path}")
        expect(page.get_by_role("heading", name=post.title, level=1)).to_be_visible()
        expect(page).to_have_title(re.compile(re.escape(post.title)))
        expect(page.get_by_role("region", name="Table").first).to_be_visible()
        page.get_by_role("link", name="All posts").click()
        expect(titles).to_have_count(len(written))


def test_posts_are_read_without_javascript(app: App) -> None:
    served = httpx2.get(f"{app.url}/blog/cancellations-explained", follow_redirects=True).text
    assert "The rules in one table" in served
    assert "24 to 72 hours before pickup" in served
