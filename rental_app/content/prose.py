"""Markdown of the project's own, rendered for pages."""

import re

from markdown_it import MarkdownIt

_TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
_COLUMN = re.compile(r"<th>(.*?)</th>")


def rendered(markdown: str) -> str:
    """The HTML of a text; tables scroll by themselves on a phone, by keyboard too."""
    # Texts are the project's own, but raw HTML in them would still escape the design: it is shown as text.
    html: str = MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown)
    return _TABLE.sub(_scrollable, html)


def _scrollable(table: re.Match[str]) -> str:
    # A page may hold several, and each needs a name of its own.
    name = f"Table: {', '.join(_COLUMN.findall(table[0]))}"
    return f'<div class="sheet" role="region" aria-label="{name}" tabindex="0">{table[0]}</div>'
