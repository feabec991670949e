"""What programs look for at an address of its own: robots.txt, the sitemap, the web app manifest, and security.txt."""

from datetime import datetime, time, timedelta
from xml.etree.ElementTree import Element, SubElement, tostring

from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from rental_app.content.routes import PRIVATE, ROUTES
from rental_app.domain import clock
from rental_app.domain.errors import RentalError
from rental_app.infrastructure import db
from rental_app.infrastructure.settings import settings
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
    posts = heads.all_posts()
    newest = max(post.published for post in posts).isoformat()
    fixed = (route.path for route in ROUTES if not route.varies and not route.private)
    return [
        *((path, newest if path == "/blog" else "") for path in fixed),
        *((post.path, post.published.isoformat()) for post in posts),
        *((city_url(place.slug), "") for place in catalogue.locations(session, caller)),
        *((vendor_url(slug), "") for slug in vendors.slugs(session, caller)),
        *((vehicle_url(vehicle_id), "") for vehicle_id in listings.listed_ids(session, caller, MOST)),
    ]


def robots(_request: Request) -> Response:
    """Exclude what is not a public page: calls, the vendors' area, and what belongs to one person."""
    closed = "".join(f"Disallow: {path}\n" for path in ("/api/", *PRIVATE))
    text = f"User-agent: *\nAllow: /media/\nAllow: /vendors/\n{closed}\nSitemap: {absolute('/sitemap.xml')}\n"
    return PlainTextResponse(text, headers=_KEPT_AN_HOUR)


MANIFEST = "/manifest.webmanifest"
# The last one has room around the wheel: phones cut it to a shape of their own.
_ICONS = (
    ("/icon-192.png", "192x192", "any"),
    ("/icon-512.png", "512x512", "any"),
    ("/icon-maskable-512.png", "512x512", "maskable"),
)


def manifest(_request: Request) -> Response:
    """The web app manifest."""
    name, city = settings().product_name, settings().city
    content = {
        "name": f"{name} {city}",
        "short_name": name,
        "description": f"Scooters, bikes and cars by the day in {city}",
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "lang": "en-IN",
        "background_color": "#ffffff",
        "theme_color": "#0b3b39",
        "icons": [{"src": src, "sizes": sizes, "type": "image/png", "purpose": use} for src, sizes, use in _ICONS],
    }
    headers = {"Cache-Control": "public, max-age=86400"}
    return JSONResponse(content, headers=headers, media_type="application/manifest+json")


SECURITY_TXT = "/.well-known/security.txt"
# The standard asks for less than a year.
VALID = timedelta(days=180)


def security_txt(_request: Request) -> Response:
    """Contact and policy; valid for half a year from the day it is requested."""
    lines = {
        "Contact": f"mailto:{settings().support_email}",
        "Expires": f"{datetime.combine(clock.now() + VALID, time()):%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages": "en",
        "Canonical": absolute(SECURITY_TXT),
        "Policy": absolute("/security"),
    }
    text = "".join(f"{name}: {value}\n" for name, value in lines.items())
    return PlainTextResponse(text, headers={"Cache-Control": "public, max-age=86400"})
