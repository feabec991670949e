"""What search engines request first: which pages there are, and which of them to leave alone."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement, tostring

from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from rental_app.content.routes import PRIVATE, ROUTES
from rental_app.domain.errors import RentalError
from rental_app.infrastructure import db
from rental_app.services import catalogue, vendors
from rental_app.services.search import listings
from rental_app.services.throttle import Caller
from rental_app.ssr.head import absolute
from rental_app.web.parts.presenters import heads
from rental_app.web.parts.presenters.links import city_url, vehicle_url, vendor_url

# The protocol's limit for one file.
MOST = 50_000
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_KEPT_AN_HOUR = {"Cache-Control": "public, max-age=3600"}


def sitemap(caller: Caller) -> Response:
    """Every public page."""
    try:
        pages = db.read(_pages, caller)
    except RentalError as error:
        return PlainTextResponse(error.message, error.status)
    root = Element("urlset", xmlns=_NAMESPACE)
    for path, changed in pages[:MOST]:
        entry = SubElement(root, "url")
        SubElement(entry, "loc").text = absolute(path)
        if changed:
            SubElement(entry, "lastmod").text = changed
    body = b'<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root)
    return Response(body, media_type="application/xml", headers=_KEPT_AN_HOUR)


def _pages(session: Session, caller: Caller) -> list[tuple[str, str]]:
    """Paths with the day of their last change, if that is known."""
    return [*_fixed(), *_from_database(session, caller)]


def _fixed() -> Iterator[tuple[str, str]]:
    posts = heads.all_posts()
    newest = max(post.published for post in posts).isoformat()
    fixed = (route.path for route in ROUTES if not route.varies and not route.private)
    yield from ((path, newest if path == "/blog" else "") for path in fixed)
    yield from ((post.path, post.published.isoformat()) for post in posts)


def _from_database(session: Session, caller: Caller) -> Iterator[tuple[str, str]]:
    yield from ((city_url(place.slug), "") for place in catalogue.locations(session, caller))
    yield from ((vendor_url(slug), "") for slug in vendors.slugs(session, caller))
    yield from ((vehicle_url(vehicle_id), "") for vehicle_id in listings.listed_ids(session, caller, MOST))


def robots(_request: Request) -> Response:
    """Exclude what is not a public page: calls, the vendors' area, and what belongs to one person."""
    closed = "".join(f"Disallow: {path}\n" for path in ("/api/", *PRIVATE))
    text = f"User-agent: *\nAllow: /media/\nAllow: /vendors/\n{closed}\nSitemap: {absolute('/sitemap.xml')}\n"
    return PlainTextResponse(text, headers=_KEPT_AN_HOUR)
