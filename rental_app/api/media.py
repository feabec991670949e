"""Pictures everyone may load: vehicle photos, avatars and the project's own illustrations."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Annotated

import brotli
from fastapi import Header, Response
from fastapi.responses import StreamingResponse

from rental_app.api.dependencies import CallRouter
from rental_app.content.art import draw
from rental_app.content.city_map import drawing
from rental_app.domain.errors import NotFoundError
from rental_app.infrastructure.settings import settings
from rental_app.services.files import storage

router = CallRouter(prefix="/media", include_in_schema=False)
_PICTURE = re.compile(r"[0-9a-f]{32}(?:-w[0-9]*)?\.(jpg|webp|avif)")
# A name never refers to other bytes later, so browsers may cache it for good.
_FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}


@router.get("/art/{shape}/{tint}.svg")
def illustration(shape: str, tint: str, accept_encoding: Annotated[str, Header()] = "") -> Response:
    """A vehicle's illustration in a colour."""
    try:
        return _drawn(draw(shape, tint), accept_encoding)
    except LookupError:
        raise NotFoundError("There is no such picture") from None


@router.get("/city/{version}.svg")
def city_drawing(version: str, accept_encoding: Annotated[str, Header()] = "") -> Response:
    """The drawing of the shop's city, behind the places on its map."""
    image = drawing(settings().city)
    if image is None or image.version != version:
        raise NotFoundError("There is no such picture")
    return _drawn(image.svg, accept_encoding)


def _drawn(svg: str, accept_encoding: str) -> Response:
    packed = "br" in re.split(r"[\s,]+", accept_encoding)
    headers = _FOREVER | {"Vary": "Accept-Encoding"} | ({"Content-Encoding": "br"} if packed else {})
    return Response(_packed(svg) if packed else svg, media_type="image/svg+xml", headers=headers)


@cache
def _packed(svg: str) -> bytes:
    return bytes(brotli.compress(svg.encode(), mode=brotli.MODE_TEXT))


@router.get("/public/{name}")
def picture(name: str) -> Response:
    """An uploaded picture in its re-encoded form."""
    if not (match := _PICTURE.fullmatch(name)):
        raise NotFoundError("There is no such picture")
    return stored_file(f"public/{name}", f"image/{match[1].replace('jpg', 'jpeg')}", _FOREVER)


def stored_file(key: str, content_type: str, headers: Mapping[str, str] = {}) -> Response:
    """A response that streams a stored object, never holding all of it in memory. Raises like `files.stored`."""
    file = storage.stored(key)
    return StreamingResponse(
        file.pieces, headers={"Content-Length": f"{file.size}", **headers}, media_type=content_type
    )
