"""Privacy, terms and security: Markdown with the settings filled in."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from rental_app.content.figures import with_figures
from rental_app.content.prose import rendered
from rental_app.domain.policies import FIRST

# Stored with every booking whose customer accepted the terms: a new date for every new text of terms.md.
TERMS_VERSION = "2026-11-30"
FOLDER = Path(__file__).parent / "legal"
# The texts that customers accepted before, each under its version: agreements quote them.
EARLIER = FOLDER / "terms"
# Kept where readers of the source expect it.
SECURITY = Path(__file__).parents[2] / "SECURITY.md"


def text(name: str, filled_in: Mapping[str, str]) -> tuple[str, str]:
    """The heading of a text and the HTML below it; `{name}` of each key in `filled_in` is replaced."""
    source = _filled(SECURITY if name == "security" else FOLDER / f"{name}.md", filled_in)
    heading, _, body = source.partition("\n")
    return heading.removeprefix("# "), rendered(body)


def terms_of(version: str, filled_in: Mapping[str, str]) -> str:
    """The Markdown of a version of the terms, filled in likewise; '' for a version that there is not."""
    if version == TERMS_VERSION:
        return _filled(FOLDER / "terms.md", filled_in)
    earlier = {path.stem: path for path in EARLIER.glob("*.md")}
    return _filled(earlier[version], filled_in) if version in earlier else ""


def _filled(path: Path, filled_in: Mapping[str, str]) -> str:
    source = with_figures(_source(path), FIRST)
    for key, value in filled_in.items():
        source = source.replace(f"{{{key}}}", value)
    return source


@cache
def _source(path: Path) -> str:
    return path.read_text(encoding="utf-8")
