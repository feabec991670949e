"""Links people give: to a website, and to a place on a map."""

import re

from pydantic import TypeAdapter, ValidationError
from pydantic.networks import HttpUrl

from rental_app.domain.characters import without_hidden

# Maps put the whole place, as it is shown, into their addresses.
MAX_LINK = 2000

_URL = TypeAdapter(HttpUrl)
# Browsers drop line breaks inside a URL and read a backslash as a slash.
_HIDDEN = re.compile(r"[\s\\]")
# A host name with a dot and perhaps a path, without a scheme.
_WITHOUT_SCHEME = re.compile(r"[\w-]+(\.[\w-]+)*\.[^\W\d_]{2,}(:[0-9]+)?([/?#]\S*)?")
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
    link = _whole(text)
    if not link:
        return ""
    _parsed(link)
    return link


def map_link(text: str) -> str:
    """A link to Google's, OpenStreetMap's or Apple's maps, '' for none; raises ValueError."""
    link = _whole(_shared(text)) if text else ""
    if not link:
        return ""
    url = _parsed(link)
    paths = _MAP_HOSTS.get(url.host or "")
    if not paths or not paths.fullmatch(url.path or "/") or url.port not in (80, 443):
        raise ValueError("Enter a link to Google Maps, OpenStreetMap or Apple Maps")
    return link


def _whole(text: str) -> str:
    """The link with the scheme that people leave out: www.shop.in is https://www.shop.in."""
    text = without_hidden(text).strip()
    return f"https://{text}" if _WITHOUT_SCHEME.fullmatch(text) else text


def _shared(text: str) -> str:
    """The link in what a map's app shares: the place's name, its address and one link, each on a line of its own."""
    *before, last = text.split() or [""]
    schemes = ("https://", "http://")
    return last if last.startswith(schemes) and not any(part.startswith(schemes) for part in before) else text


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
