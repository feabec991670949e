"""Tables for spreadsheets."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

# Spreadsheets read a text that begins like this as a formula, some even after blanks, or with East Asian wide signs.
_FORMULA = re.compile("\\s*[=+@\uff1d\uff0b\uff0d\uff20-]|[\\t\\r\\n]")
Cell = str | int | float | None


def csv_file(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """A CSV table in UTF-8 with the byte order mark that spreadsheets expect; text stays text, however it begins."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(head)
    writer.writerows([_harmless(cell) for cell in row] for row in rows)
    return out.getvalue().encode("utf-8-sig")


def _harmless(cell: Cell) -> Cell:
    if isinstance(cell, float):
        return f"{cell:.2f}"
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell
