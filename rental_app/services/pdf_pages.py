"""The building blocks of PDF pages."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import rental_app.content
from rental_app.rules import clock
from rental_app.settings import settings

# Importing it takes longer than importing all our services, and most processes never make a PDF.
if TYPE_CHECKING:
    from fpdf import FPDF

# Figtree, the pages' font, has no rupee sign.
FONT = "DejaVu Sans Condensed"
FONTS = {
    "": "dejavu-sans-condensed.ttf",
    "B": "dejavu-sans-condensed-bold.ttf",
}
LABEL_MM, LINE_MM = 34, 6


def blank(title: str, kind: str) -> "FPDF":
    """A page that begins with the product's name and the kind of document."""
    from fpdf import FPDF

    page = FPDF(format="A4")
    for style, font in _fonts().items():
        page.add_font(FONT, style, font)
    page.set_title(title)
    page.set_author(settings().product_name)
    page.add_page()
    page.set_font(FONT, "B", 18)
    page.cell(0, 12, f"{settings().product_name}: {kind}", new_x="LMARGIN", new_y="NEXT")
    return page


def add_facts(page: "FPDF", facts: Iterable[tuple[str, str]]) -> None:
    """Add labels with a text beside each."""
    page.ln(2)
    for label, text in facts:
        page.set_font(FONT, "B", 10)
        page.cell(LABEL_MM, LINE_MM, label)
        page.set_font(FONT, "", 10)
        page.multi_cell(0, LINE_MM, printable(text), new_x="LMARGIN", new_y="NEXT")


def add_table(page: "FPDF", widths: Sequence[int], figures: int, rows: Iterable[Sequence[str]]) -> None:
    """Add a table with its headings in the first row; the last `figures` columns hold amounts."""
    page.ln(4)
    page.set_font(FONT, "", 9)
    with page.table(
        col_widths=tuple(widths),
        text_align=("LEFT",) * (len(widths) - figures) + ("RIGHT",) * figures,
        borders_layout="HORIZONTAL_LINES",
        line_height=5,
        padding=(1, 1.5),
        v_align="TOP",
    ) as table:
        for row in rows:
            table.row([printable(text) for text in row])
    page.ln(2)


def when(instant: datetime) -> str:
    """An instant with its year, as documents are kept for years."""
    return clock.friendly(instant, date.min)


@cache
def _fonts() -> dict[str, Path]:
    folder = Path(next(iter(rental_app.content.__path__))) / "fonts"
    return {style: folder / name for style, name in FONTS.items()}


def printable(text: str) -> str:
    """The text with a question mark for every character that the font lacks."""
    return "".join(char if ord(char) in _letters() else "?" for char in text)


@cache
def _letters() -> frozenset[int]:
    from fontTools.ttLib import TTFont

    return frozenset(TTFont(_fonts()[""]).getBestCmap())
