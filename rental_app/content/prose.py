"""Markdown of the project and of operators, rendered for pages."""

import re

from markdown_it import MarkdownIt

_TABLE = re.compile(r"<table\b.*?</table>", re.DOTALL)
# Pages of the web and of our own, mail and telephone; what else looks like a link is shown as text.
_LINK = re.compile(r"https?://|mailto:|tel:|/|#", re.IGNORECASE)
_COLUMN = re.compile(r"<th\b[^>]*>(.*?)</th>")
# Explicit roles: `display: grid`, which a phone gives to rows, strips a table of its semantics.
_ROLES = {
    "table_open": "table",
    "thead_open": "rowgroup",
    "tbody_open": "rowgroup",
    "tr_open": "row",
    "th_open": "columnheader",
    "td_open": "cell",
}


def rendered(markdown: str) -> str:
    """The HTML of a text; on a phone each table scrolls on its own, by keyboard too."""
    # Operators write some of it: raw HTML is shown as text, and so are pictures, which would tell others who reads it.
    reader = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    reader.validateLink = lambda url: _LINK.match(url) is not None  # type: ignore[method-assign]
    tokens = reader.parse(markdown)
    for token in tokens:
        if role := _ROLES.get(token.type):
            token.attrSet("role", role)
    html: str = reader.renderer.render(tokens, reader.options, {})
    return _TABLE.sub(_scrollable, html)


def _scrollable(table: re.Match[str]) -> str:
    # A page may hold several tables, and each needs its own name.
    name = f"Table: {', '.join(_COLUMN.findall(table[0]))}"
    return f'<div class="sheet" role="region" aria-label="{name}" tabindex="0">{table[0]}</div>'
