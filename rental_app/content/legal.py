"""Privacy, terms and security: Markdown with the settings filled in."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from rental_app.content.figures import figures_of, filled
from rental_app.content.prose import rendered
from rental_app.domain.policies import FIRST

# Stored with every booking whose customer accepted the terms: a new date for every new text of terms.md.
TERMS_VERSION = "2026-11-30"
# Stored with every account whose sign-up showed the notice: a new date for every new text of notice.md.
NOTICE_VERSION = "2026-11-30"
FOLDER = Path(__file__).parent / "legal"
# The texts that customers accepted before, each under its version: agreements quote them.
EARLIER = FOLDER / "terms"
# The notices that people were shown before, each under its version.
EARLIER_NOTICES = FOLDER / "notices"
# Kept where readers of the source expect it.
SECURITY = Path(__file__).parents[2] / "SECURITY.md"


def text(name: str, named: Mapping[str, str]) -> tuple[str, str]:
    """The heading of a text and the HTML below it; each name of `named` in braces is replaced,
    as are those of figures that it lacks."""
    source = _source(SECURITY if name == "security" else FOLDER / f"{name}.md")
    return parted(filled(source, {**figures_of(FIRST), **named}))


def parted(source: str) -> tuple[str, str]:
    """The heading of a Markdown text and the HTML below it."""
    heading, _, body = source.partition("\n")
    return heading.removeprefix("# "), rendered(body)


def terms() -> str:
    """The Markdown of the terms that come with the product, with names in braces."""
    return _source(FOLDER / "terms.md")


def terms_of(version: str, named: Mapping[str, str]) -> str:
    """The Markdown of a version of the terms that came with the product, filled in likewise; '' if it is none."""
    if version == TERMS_VERSION:
        return filled(terms(), {**figures_of(FIRST), **named})
    earlier = {path.stem: path for path in EARLIER.glob("*.md")}
    return filled(_source(earlier[version]), {**figures_of(FIRST), **named}) if version in earlier else ""


def notice(version: str, named: Mapping[str, str]) -> tuple[str, str]:
    """The heading of a version of the notice about data, and the HTML below it; both '' for one that there is not."""
    path = FOLDER / "notice.md" if version == NOTICE_VERSION else EARLIER_NOTICES / f"{version}.md"
    return parted(filled(_source(path), {**figures_of(FIRST), **named})) if is_notice(version) else ("", "")


def is_notice(version: str) -> bool:
    """Whether there is, or was, such a version of the notice."""
    return version == NOTICE_VERSION or version in {path.stem for path in EARLIER_NOTICES.glob("*.md")}


def versions() -> list[str]:
    """The versions of the terms that came with the product, the newest first."""
    return [TERMS_VERSION, *sorted((path.stem for path in EARLIER.glob("*.md")), reverse=True)]


@cache
def _source(path: Path) -> str:
    return path.read_text(encoding="utf-8")
