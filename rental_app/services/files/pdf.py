"""The building blocks of PDF pages."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import rental_app.content
from rental_app.domain import clock

# Importing it takes longer than importing all our services, and most processes never make a PDF.
if TYPE_CHECKING:
    from fpdf import FPDF

# Figtree, the pages' font, has no rupee sign.
FONT = "DejaVu Sans Condensed"
FONTS = {
    "": "dejavu-sans-condensed.ttf",
    "B": "dejavu-sans-condensed-bold.ttf",
}
# Names are written in these as well. A font is loaded only for a page that needs it: that takes as long as the page.
SCRIPTS = {
    "noto-sans-devanagari": re.compile("[\u0900-\u097f]"),
    "noto-sans-telugu": re.compile("[\u0c00-\u0c7f]"),
    "noto-sans-tamil": re.compile("[\u0b80-\u0bff]"),
    "noto-sans-kannada": re.compile("[\u0c80-\u0cff]"),
    "noto-sans-malayalam": re.compile("[\u0d00-\u0d7f]"),
    "noto-sans-bengali": re.compile("[\u0980-\u09ff]"),
    "noto-sans-gujarati": re.compile("[\u0a80-\u0aff]"),
    "noto-sans-gurmukhi": re.compile("[\u0a00-\u0a7f]"),
    "noto-sans-odia": re.compile("[\u0b00-\u0b7f]"),
    "noto-sans-arabic": re.compile("[\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufeff]"),
}
_PHRASES = re.compile("[\ufdf0-\ufdff]")
_UNJOINED = re.compile("[^ -~\u20b9]")
_PADDING_MM = 1.5
# A cell is never higher than its page.
MOST_IN_CELL = 300
_LATIN = re.compile("[A-Za-z]")
LABEL_MM, LINE_MM, PROSE_MM = 34, 6, 4.5
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_RULE = re.compile(r"[|\s:-]+")


def blank(title: str, kind: str, made_at: datetime, product: str) -> "FPDF":
    """A page that begins with the product's name and the kind of document.

    The file says when it was made: with another instant, the same page would be other bytes.
    """
    from fpdf import FPDF

    page = FPDF(format="A4")
    page.set_creation_date(made_at)
    for style, font in _fonts().items():
        page.add_font(FONT, style, font)
    page.set_title(title)
    page.set_author(product)
    page.add_page()
    page.set_font(FONT, "B", 18)
    page.cell(0, 12, f"{product}: {kind}", new_x="LMARGIN", new_y="NEXT")
    return page


def add_facts(page: "FPDF", facts: Iterable[tuple[str, str]]) -> None:
    """Add labels with a text beside each."""
    page.ln(2)
    for label, text in facts:
        page.set_font(FONT, "B", 10)
        page.cell(LABEL_MM, LINE_MM, label)
        _be_ready_for(page, [text])
        shown, font = _fitting(page, text, page.epw - LABEL_MM, 10)
        page.set_font(font, "", 10)
        page.multi_cell(0, LINE_MM, shown, align="L", new_x="LMARGIN", new_y="NEXT")


def add_table(page: "FPDF", widths: Sequence[int], figures: int, rows: Iterable[Sequence[str]]) -> None:
    """Add a table with its headings in the first row; the last `figures` columns hold amounts."""
    from fpdf.errors import FPDFException

    page.ln(4)
    page.set_font(FONT, "", 9)
    lines = [*rows]
    _be_ready_for(page, [text for line in lines for text in line])
    room = [width / sum(widths) * page.epw for width in widths]
    short = [[text if len(text) <= MOST_IN_CELL else f"{text[:MOST_IN_CELL]}..." for text in line] for line in lines]
    cells = [
        [_fitting(page, text, wide, 9, padding=_PADDING_MM) for text, wide in zip(line, room, strict=True)]
        for line in short
    ]
    at = page.get_x(), page.get_y()
    try:
        _draw_table(page, widths, figures, cells)
    except FPDFException:
        # What fits by itself may not beside others. Nothing has been drawn so far: all rows are measured first.
        page.set_xy(*at)
        page.set_font(FONT, "", 9)
        _draw_table(page, widths, figures, [[(_unjoined(text), FONT) for text, _ in line] for line in cells])
    page.ln(2)


def _draw_table(page: "FPDF", widths: Sequence[int], figures: int, lines: Sequence[Sequence[tuple[str, str]]]) -> None:
    from fpdf import FontFace

    with page.table(
        col_widths=tuple(widths),
        text_align=("LEFT",) * (len(widths) - figures) + ("RIGHT",) * figures,
        borders_layout="HORIZONTAL_LINES",
        line_height=5,
        padding=(1, _PADDING_MM),
        v_align="TOP",
    ) as table:
        for line in lines:
            row = table.row()
            for text, font in line:
                row.cell(text, style=None if font == FONT else FontFace(family=font))


def _fitting(page: "FPDF", text: str, wide: float, size: int, padding: float = 0) -> tuple[str, str]:
    """A text that is printed in a cell so `wide` (mm), less the `padding` on both sides, and its font.

    Letters that join to something wider than that are shown as question marks, as those that no font has. The width
    is the cell's own: a text that breaks well in a narrower one may have its breaks elsewhere in this one, and fail.
    """
    from fpdf.errors import FPDFException

    shown, font = _printable(page, text), _font_of(text)
    if shown.isascii():
        return shown, FONT
    page.set_font(font, "", size)
    try:
        page.multi_cell(wide, LINE_MM, shown, align="L", padding=(0, padding), dry_run=True, output="LINES")
    except FPDFException:
        shown, font = _unjoined(shown), FONT
    page.set_font(FONT, "", size)
    return shown, font


def _unjoined(text: str) -> str:
    return _UNJOINED.sub("?", text)


def add_prose(page: "FPDF", markdown: str) -> None:
    """Add a text in the Markdown of our own texts: headings, paragraphs, lists, links, and tables as lines."""
    for text in re.split(r"\n{2,}|\n(?=[-#|])", _LINK.sub(r"\1", markdown).strip()):
        if _RULE.fullmatch(text):
            continue
        heading = text.startswith("#")
        if heading:
            page.ln(2)
        plain = " ".join(text.lstrip("# ").split())
        if plain.startswith("|"):
            plain = ": ".join(cell.strip() for cell in plain.strip("|").split("|"))
        _add_paragraph(page, re.sub(r"^- ", "\u2022 ", plain), "B" if heading else "")


def _add_paragraph(page: "FPDF", text: str, style: str) -> None:
    _be_ready_for(page, [text])
    shown, font = _fitting(page, text, page.epw, 9)
    page.set_font(FONT if style else font, style, 10 if style else 9)
    page.multi_cell(0, PROSE_MM, shown, align="L", new_x="LMARGIN", new_y="NEXT")
    page.ln(1)


def when(instant: datetime) -> str:
    """An instant with its year, as documents are kept for years."""
    return clock.friendly(instant, date.min)


def _be_ready_for(page: "FPDF", texts: Sequence[str]) -> None:
    """Load the fonts of the scripts in some texts, and have their letters join, move and run from right to left."""
    scripts = [name for name, letters in SCRIPTS.items() if letters.search("".join(texts))]
    for name in scripts:
        if name not in page.fonts:
            page.add_font(name, "", _folder() / f"{name}.ttf")
    page.set_text_shaping(bool(scripts))
    page.set_fallback_fonts([*scripts, FONT] if scripts else [], exact_match=False)


def _font_of(text: str) -> str:
    """The font of a text's first script; a text in several of them gets the others from fallbacks.

    Beside Latin letters it is ours: a line in one font is shaped by the rules of its first letter.
    """
    if _LATIN.search(text):
        return FONT
    first = {name: match.start() for name, letters in SCRIPTS.items() if (match := letters.search(text))}
    return min(first, key=first.__getitem__, default=FONT)


def _printable(page: "FPDF", text: str) -> str:
    """The text with a question mark for every character that no font of the page has."""
    fonts = [_letters(), *(page.fonts[name].cmap for name in SCRIPTS if name in page.fonts)]
    # Whole phrases that are one character would be wider than a column.
    spelled = _PHRASES.sub(lambda phrase: unicodedata.normalize("NFKC", phrase[0]), text)
    return "".join(char if any(ord(char) in font for font in fonts) else "?" for char in spelled)


@cache
def _fonts() -> dict[str, Path]:
    return {style: _folder() / name for style, name in FONTS.items()}


def _folder() -> Path:
    return Path(next(iter(rental_app.content.__path__))) / "fonts"


@cache
def _letters() -> frozenset[int]:
    from fontTools.ttLib import TTFont

    return frozenset(TTFont(_fonts()[""]).getBestCmap())
