"""Built pages as templates: the content for their places, made from the page's own components, and the head."""

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateNotFound
from markupsafe import Markup, escape

from rental_app.domain.errors import UnavailableError
from rental_app.infrastructure import headers

_PLACE = re.compile(r'(<div id="served-(\w+)" data-slot="" class="contents">)(?=</div>)')
_SCRIPTS = 'rel="modulepreload"'
# React has the pictures of the shell fetched before anything else, also one that a phone does not show.
_PICTURES_FIRST = re.compile(r'<link rel="preload" as="image" [^>]*/>')
# What React sends last: scripts within unfinished parts of the page, which a runtime of its own puts where they are.
_STREAMED = re.compile(
    r'<!--\$\?--><template id="B:0"></template><!--/\$--><script id="_R_">.*?</script>'
    r'<div hidden id="S:0"><script>(.*?)</script><!--\$\?--><template id="B:1"></template><!--/\$--></div>'
    r'<script>\$RB=.*?</script><div hidden id="S:1"><script>(.*?)</script></div><script>\$RC\(.*?</script>',
    re.DOTALL,
)
# The router's data, before the page's own script; React compares neither with what it would write there.
_ROUTERS = re.compile(r'</script>(?=<script type="module" async="">)')
# The style sheet of all pages, and what tells pages with the bar of the shop from others.
_SHEET = re.compile(r'<link href="([^"]*)" rel="stylesheet" type="text/css"/>')
_BAR = 'id="nav-location"'
_FIRST = Path(__file__).with_name("first.css")
_FOR_READERS = re.compile(r"/\*.*?\*/|(?<=[{};:,])\s+|;?\s+(?=[{}])", re.DOTALL)
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
    page = _PICTURES_FIRST.sub("", path.read_text(encoding="utf-8")).replace(_SCRIPTS, 'rel="later"')
    page = scripts_at_once(page)
    return _bar_first(page) if _BAR in page else page


def scripts_at_once(page: str) -> str:
    """A built page with its router data in place; React's runtime, which would move it there, is left out."""
    last = "".join(text for scripts in _STREAMED.findall(page) for text in scripts)
    return _ROUTERS.sub(lambda end: last + end[0], _STREAMED.sub("", page))


def _bar_first(page: str) -> str:
    """A page that shows its top bar before its style sheet has been loaded.

    Browsers do not wait for a style sheet for print; `early.js` applies it to the screen once it has been loaded.
    """
    page = _SHEET.sub(
        r'<link href="\1" rel="stylesheet" media="print"/><noscript><link href="\1" rel="stylesheet"/></noscript>', page
    )
    return page.replace("<script", f"<style data-first>{_first_rules()}</style><script", 1)


def _first_rules() -> str:
    return _FOR_READERS.sub("", _FIRST.read_text(encoding="utf-8"))


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


def parts(page: str) -> tuple[list[str], tuple[int, ...]]:
    """The names of a built page's places; its numbers of replaced tags, `</head>`s, style sheets and streamed ends."""
    occurrences = (_REPLACED.findall(page), re.findall("</head>", page), _SHEET.findall(page), _STREAMED.findall(page))
    return [name for _, name in _PLACE.findall(page)], tuple(map(len, occurrences))


def tag(element: str, /, *, served: bool = True, **attributes: str) -> Markup:
    """A void element of the head; `served` ones are removed when the browser shows another page."""
    pairs = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    return Markup(f"<{element}{pairs}{' data-served' if served else ''}/>")  # noqa: S704 - values are escaped


def title(text: str) -> Markup:
    """The title element."""
    return Markup("<title>{}</title>").format(escape(text))


@lru_cache(maxsize=4)
def _templates(folder: Path) -> Environment:
    return Environment(loader=FileSystemLoader(folder), autoescape=True, undefined=StrictUndefined)


def fill(*places: str, **states: Any) -> dict[str, str]:
    """The HTML of places by their names, all values escaped.

    `states` are what the pages' states of those names would hold, as objects or mappings. Raises UnavailableError
    if there is no build.
    """
    templates = _templates(headers.BUILD.parent / "served")
    try:
        return {name: templates.get_template(f"{name}.html").render(states) for name in places}
    except TemplateNotFound:
        raise UnavailableError("The pages have not been built yet") from None
