"""The blog's RSS feed."""

from email.utils import parsedate_to_datetime
from xml.etree import ElementTree

from fastapi.testclient import TestClient

from rental_app.content.posts import posts
from rental_app.infrastructure.settings import settings


def test_the_feed_lists_every_post(client: TestClient) -> None:
    answer = client.get("/blog/rss.xml")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("application/rss+xml")
    channel = ElementTree.fromstring(answer.content).find("channel")  # noqa: S314 - our own answer
    assert channel is not None
    assert channel.findtext("link") == f"{settings().public_url}/blog"
    written = posts(settings().product_name, settings().city)
    items = channel.findall("item")
    assert [item.findtext("title") for item in items] == [post.title for post in written]
    assert [item.findtext("link") for item in items] == [f"{settings().public_url}{post.path}" for post in written]
    dates = [parsedate_to_datetime(item.findtext("pubDate") or "").date() for item in items]
    assert dates == [post.published for post in written]
