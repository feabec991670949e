"""The project's own Markdown, rendered for pages."""

import re

from markdown_it import MarkdownIt

_TABLE = re.compile(r"<table\b.*?</table>", re.DOTALL)
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
    # Texts are the project's own, but raw HTML in them would still escape the design: it is shown as text.
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
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
