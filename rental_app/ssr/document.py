"""Built pages as templates: places for content, and the head."""

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from markupsafe import Markup, escape

from rental_app.domain.errors import UnavailableError
from rental_app.infrastructure import headers

_PLACE = re.compile(r'(<div id="served-(\w+)" data-slot="" class="contents">)(?=</div>)')
_SCRIPTS = 'rel="modulepreload"'
# React has the pictures of the shell fetched before anything else, also one that a phone does not show.
_PICTURES_FIRST = re.compile(r'<link rel="preload" as="image" [^>]*/>')
# The elements that the server replaces; React adopts such nodes of the head as its own.
_REPLACED = re.compile(
    r"<title>[^<]*</title>|<meta content=\"[^\"]*\" (?:name=\"description\"|property=\"og:image\")/>"
)

# The title, the description and the picture.
REPLACED_TAGS = 3


def built(name: str) -> str:
    """A built page by its name; raises UnavailableError if there is no build."""
    # In development one page without content stands in for all.
    for path in (headers.BUILD / f"{name}.html", headers.BUILD / "index.html"):
        if path.exists():
            return _text(path, path.stat().st_mtime_ns)
    raise UnavailableError("The pages have not been built yet")


@lru_cache(maxsize=64)
def _text(path: Path, _changed: int) -> str:
    # `early.js` asks for the scripts a moment after the style sheet, which they would share the line with.
    return _PICTURES_FIRST.sub("", path.read_text(encoding="utf-8")).replace(_SCRIPTS, 'rel="later"')


def newest_build() -> tuple[Path, int]:
    """The current build: its folder, and when it was made; 0 if there is none."""
    try:
        return headers.BUILD, (headers.BUILD / "index.html").stat().st_mtime_ns
    except FileNotFoundError:
        return headers.BUILD, 0


def filled(page: str, content: Mapping[str, str], head: str) -> str:
    """A built page with HTML in its places and in its head; places without content stay empty."""
    with_content = _PLACE.sub(lambda place: place[1] + content.get(place[2], ""), page)
    return _REPLACED.sub("", with_content).replace("</head>", f"{head}</head>", 1)


def parts(page: str) -> tuple[list[str], int, int]:
    """What `filled` finds in a built page: its places, the number of tags to replace, and that of head end tags."""
    return [name for _, name in _PLACE.findall(page)], len(_REPLACED.findall(page)), page.count("</head>")


def tag(element: str, /, *, served: bool = True, **attributes: str) -> Markup:
    """A void element of the head; `served` ones are removed when the browser shows another page."""
    given = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    return Markup(f"<{element}{given}{' data-served' if served else ''}/>")  # noqa: S704 - values are escaped


def title(text: str) -> Markup:
    """The title element."""
    return Markup("<title>{}</title>").format(escape(text))
