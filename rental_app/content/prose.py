"""Markdown of the project's own, rendered for pages."""

from markdown_it import MarkdownIt


def rendered(markdown: str) -> str:
    """The HTML of a text; tables scroll by themselves on a phone, by keyboard too."""
    # Texts are the project's own, but raw HTML in them would still escape the design: it is shown as text.
    html: str = MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown)
    opening = '<div class="sheet" role="region" aria-label="Table" tabindex="0"><table>'
    return html.replace("<table>", opening).replace("</table>", "</table></div>")
