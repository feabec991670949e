"""The blog as an RSS feed."""

from datetime import UTC, datetime, time
from email.utils import format_datetime
from functools import cache
from xml.etree.ElementTree import Element, SubElement, tostring

from fastapi import APIRouter, Response

from rental_app.content.posts import posts
from rental_app.infrastructure.settings import settings

router = APIRouter(include_in_schema=False)


@router.get("/blog/rss.xml")
def rss() -> Response:
    """All posts, newest first."""
    return Response(_feed(), media_type="application/rss+xml", headers={"Cache-Control": "public, max-age=3600"})


@cache
def _feed() -> bytes:
    product = settings()
    root = Element("rss", version="2.0")
    channel = SubElement(root, "channel")
    _texts(
        channel,
        title=f"{product.product_name} blog",
        link=f"{product.public_url}/blog",
        description=f"Renting and riding in {product.city}",
        language="en-IN",
    )
    for post in posts(product.product_name, product.city):
        published = datetime.combine(post.published, time(), UTC)
        link = f"{product.public_url}{post.path}"
        item = SubElement(channel, "item")
        _texts(
            item, title=post.title, link=link, description=post.summary, guid=link, pubDate=format_datetime(published)
        )
    return b'<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root)


def _texts(parent: Element, **texts: str) -> None:
    for tag, text in texts.items():
        SubElement(parent, tag).text = text
