"""Tables for spreadsheets."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

# Spreadsheets take a text that begins so for a formula, some of them after blanks, or with the wide signs of East Asia.
_FORMULA = re.compile("\\s*[=+@\uff1d\uff0b\uff0d\uff20-]|[\\t\\r\\n]")
Cell = str | int | float | None


def csv_file(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """A table in UTF-8 with the mark by which spreadsheets know it; a text stays a text, whatever it begins with."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(head)
    writer.writerows([_harmless(cell) for cell in row] for row in rows)
    return out.getvalue().encode("utf-8-sig")


def _harmless(cell: Cell) -> Cell:
    if isinstance(cell, float):
        return f"{cell:.2f}"
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell
