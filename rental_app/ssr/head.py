"""The head of a served page: title, description, canonical address, social tags and structured data."""

import json
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from rental_app.infrastructure.settings import settings
from rental_app.ssr.document import tag, title
from rental_app.web.parts.presenters.heads import SOCIAL_IMAGE, Head

SOCIAL_SIZE = (1200, 630)
RASTER = (".jpg", ".jpeg", ".png", ".webp")
# Characters that could end a script element, or begin a comment inside it.
_UNSAFE = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026"}


@dataclass(frozen=True, slots=True)
class Subject:
    """What a page is about; `image` is a path on this host, `path` None for a page no search engine should index."""

    texts: Head
    path: str | None
    image: str = ""
    image_alt: str = ""
    image_size: tuple[int, int] | None = None
    kind: str = "website"
    data: list[dict[str, Any]] = field(default_factory=list)


def absolute(path: str) -> str:
    """The full address of a path on this host."""
    return f"{settings().public_url}{path}"


def html(subject: Subject) -> str:
    """The elements that go into the head."""
    picture = _picture(subject)
    parts = [
        title(subject.texts.title),
        tag("meta", served=False, content=subject.texts.description, name="description"),
        tag("meta", served=False, content=picture["og:image"], property="og:image"),
        tag("meta", name="robots", content="noindex")
        if subject.path is None
        else tag("link", rel="canonical", href=absolute(subject.path)),
        *(tag("meta", property=name, content=text) for name, text in _social(subject, picture).items()),
        *(tag("meta", name=name, content=text) for name, text in _card(picture).items()),
        *(_data(data) for data in subject.data),
    ]
    return "".join(parts)


def _picture(subject: Subject) -> dict[str, str]:
    """The page's own picture if social networks can show it, otherwise the product's."""
    if subject.image.endswith(RASTER):
        picture = {"og:image": absolute(subject.image), "og:image:alt": subject.image_alt}
        return picture | (_sizes(*subject.image_size) if subject.image_size else {})
    alt = f"{settings().product_name}: scooters, bikes and cars by the day in {settings().city}"
    return {"og:image": absolute(SOCIAL_IMAGE), "og:image:alt": alt} | _sizes(*SOCIAL_SIZE)


def _sizes(width: int, height: int) -> dict[str, str]:
    return {"og:image:width": f"{width}", "og:image:height": f"{height}"}


def _social(subject: Subject, picture: dict[str, str]) -> dict[str, str]:
    tags = {
        "og:type": subject.kind,
        "og:site_name": settings().product_name,
        "og:locale": "en_IN",
        "og:title": subject.texts.title,
        "og:description": subject.texts.description,
    }
    tags |= {"og:url": absolute(subject.path)} if subject.path else {}
    return tags | {name: text for name, text in picture.items() if name != "og:image"}


def _card(picture: dict[str, str]) -> dict[str, str]:
    """The tags for Twitter alone, which takes title, description and picture from those of `_social`."""
    return {
        "twitter:card": "summary_large_image",
        "twitter:image:alt": picture["og:image:alt"],
    }


def _data(data: dict[str, Any]) -> Markup:
    raw = json.dumps({"@context": "https://schema.org"} | data, ensure_ascii=False, separators=(",", ":"))
    text = raw.translate(_UNSAFE)
    return Markup('<script type="application/ld+json" data-served>{}</script>').format(Markup(text))  # noqa: S704
