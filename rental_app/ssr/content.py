"""The content for the places of a page: the build's templates, made from the page's own components."""

from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateNotFound

from rental_app.domain.errors import UnavailableError
from rental_app.infrastructure import headers


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
