"""Privacy, terms and security: Markdown with the settings filled in."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from rental_app.content.figures import with_figures
from rental_app.content.prose import rendered

# Stored with every booking whose customer accepted the terms: a new date for every new text of terms.md.
TERMS_VERSION = "2026-11-30"
FOLDER = Path(__file__).parent / "legal"
# Kept where readers of the source expect it.
SECURITY = Path(__file__).parents[2] / "SECURITY.md"


def text(name: str, filled_in: Mapping[str, str]) -> tuple[str, str]:
    """The heading of a text and the HTML below it; `{name}` of each key in `filled_in` is replaced."""
    source = with_figures(_source(SECURITY if name == "security" else FOLDER / f"{name}.md"))
    for key, value in filled_in.items():
        source = source.replace(f"{{{key}}}", value)
    heading, _, body = source.partition("\n")
    return heading.removeprefix("# "), rendered(body)


@cache
def _source(path: Path) -> str:
    return path.read_text(encoding="utf-8")
