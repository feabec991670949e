"""The blog: Markdown files with a TOML head, rendered once."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

from rental_app.content.figures import filled
from rental_app.content.prose import rendered

POSTS_FOLDER = Path(__file__).parent / "posts"
WORDS_A_MINUTE = 200
_FENCE = "+++\n"


@dataclass(frozen=True, slots=True)
class Post:
    """A post; `slug` is its file's name, `text` its Markdown with names in braces, `minutes` how long it takes to
    read."""

    slug: str
    title: str
    summary: str
    published: date
    shape: str
    tint: str
    text: str
    minutes: int

    @property
    def path(self) -> str:
        """Its address on this host."""
        return f"/blog/{self.slug}"

    def html(self, figures: Mapping[str, str]) -> str:
        """Its text with the names in braces replaced."""
        return rendered(filled(self.text, figures))

    @property
    def day(self) -> str:
        """When it was published, for people: '2 November 2026'."""
        return f"{self.published:%-d %B %Y}"


@cache
def posts(product: str, city: str) -> tuple[Post, ...]:
    """All posts, newest first, with the product's name and city filled in; raises ValueError for a bad head."""
    found = [_read(path, product, city) for path in POSTS_FOLDER.glob("*.md")]
    return tuple(sorted(found, key=lambda post: (post.published, post.slug), reverse=True))


def _read(path: Path, product: str, city: str) -> Post:
    source = filled(path.read_text(encoding="utf-8"), {"product": product, "city": city})
    before, head, text = source.split(_FENCE, 2)
    if before:
        raise ValueError(f"{path.name} does not start with its head")
    return Post(slug=path.stem, text=text, minutes=_minutes(text), **tomllib.loads(head))


def _minutes(text: str) -> int:
    return max(1, round(len(text.split()) / WORDS_A_MINUTE))
