"""Links people give: to a website, and to a place on a map."""

import re

from pydantic import TypeAdapter, ValidationError
from pydantic.networks import HttpUrl

_URL = TypeAdapter(HttpUrl)
# Browsers drop line breaks inside a URL and read a backslash as a slash.
_HIDDEN = re.compile(r"[\s\\]")
_ANYWHERE, _MAPS, _START_OR_MAPS = re.compile("/.*"), re.compile("/maps(/.*)?"), re.compile("/(maps(/.*)?)?")
# Hosts of maps, with the paths that are maps there: other paths at Google can redirect anywhere.
_MAP_HOSTS = {
    "maps.app.goo.gl": _ANYWHERE,
    "maps.apple.com": _ANYWHERE,
    "maps.apple": _ANYWHERE,
    "openstreetmap.org": _ANYWHERE,
    "www.openstreetmap.org": _ANYWHERE,
    "osm.org": _ANYWHERE,
    "goo.gl": _MAPS,
    "google.com": _MAPS,
    "www.google.com": _MAPS,
    "google.co.in": _MAPS,
    "www.google.co.in": _MAPS,
    "maps.google.com": _START_OR_MAPS,
    "maps.google.co.in": _START_OR_MAPS,
}


def web_link(text: str) -> str:
    """A link with http or https and without a password in it, '' for none; raises ValueError."""
    if text:
        _parsed(text)
    return text


def map_link(text: str) -> str:
    """A link to Google's, OpenStreetMap's or Apple's maps, '' for none; raises ValueError."""
    if text:
        url = _parsed(text)
        paths = _MAP_HOSTS.get(url.host or "")
        if not paths or not paths.fullmatch(url.path or "/") or url.port not in (80, 443):
            raise ValueError("Enter a link to Google Maps, OpenStreetMap or Apple Maps")
    return text


def _parsed(text: str) -> HttpUrl:
    try:
        url = _URL.validate_python(text)
    except ValidationError:
        raise ValueError("Enter a link that starts with http:// or https://") from None
    if _HIDDEN.search(text):
        raise ValueError("Enter a link without spaces, line breaks or backslashes")
    if url.username or url.password:
        raise ValueError("Enter a link without a user name or password")
    return url
