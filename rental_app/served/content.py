"""What goes into the places of a page, as HTML that looks like the page's own components."""

import re
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from rental_app.components import theme
from rental_app.settings import settings

_FOLDER = Path(__file__).parent / "templates"
# Line breaks between elements, which would be spaces in a line of text.
_BREAKS = re.compile(r"(?<=>)\s*\n\s*(?=<)")


@cache
def _templates() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {name: value for name, value in vars(theme).items() if name.isupper()}
    made.globals["product"] = settings()
    return made


def render(name: str, **values: Any) -> str:
    """The HTML of a template; all values are escaped."""
    return _BREAKS.sub("", _templates().get_template(f"{name}.html").render(values)).strip()
