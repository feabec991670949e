"""What a phone needs to put the shop on its home screen: name, colours and icons."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rental_app.infrastructure.settings import settings

PATH = "/manifest.webmanifest"
# The last one has room around the wheel: phones cut it to a shape of their own.
_ICONS = (
    ("/icon-192.png", "192x192", "any"),
    ("/icon-512.png", "512x512", "any"),
    ("/icon-maskable-512.png", "512x512", "maskable"),
)


def manifest(_request: Request) -> Response:
    """The web app manifest."""
    name, city = settings().product_name, settings().city
    told = {
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
    return JSONResponse(told, headers=headers, media_type="application/manifest+json")
