"""Reads a spreadsheet's cells as text, in the process that examines files (check_process.py): XLSX and CSV.

Formulas are never evaluated: what counts is the value that the program which saved them stored beside them.
"""

import csv
import io
import json
import zipfile
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import Any

from openpyxl import load_workbook

from rental_app.domain.errors import InvalidInputError, TooLargeError, UnsupportedTypeError
from rental_app.domain.fleet_sheet import MOST_ROWS, SheetRow, header_of

MOST_COLUMNS, LONGEST_CELL = 60, 6_000
# Of all cells together: what is unpacked may be one long text in many cells.
MOST_TEXT = 4_000_000
# Formatted down to the last row, a sheet has a million blank ones.
MOST_BLANK_ROWS = 1_000
MOST_UNPACKED, MOST_PARTS = 100 * 1024 * 1024, 1_000
# A number above is written with an exponent: no counter or amount.
_EXACT = 10**15
_OLD, _ZIP = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"PK\x03\x04"
_OTHER = "this is not a sheet that we can read: save it as .xlsx or .csv"
_DAMAGED = "this sheet is damaged, or not an .xlsx file"


def read(data: bytes) -> bytes:
    """The sheet as JSON: `name`, `others` (sheets that were not read), `rows` (number, cells), `unstored` (row and
    column, from 0, of formulas without a value), and whether rows were `cut` off.

    Raises InvalidInputError (empty), TooLargeError and UnsupportedTypeError.
    """
    if data.startswith(_OLD):
        raise UnsupportedTypeError("this is an old .xls file, or one with a password: save it as .xlsx without one")
    read_sheets = _of_workbook if data.startswith(_ZIP) else _of_text
    try:
        sheets = read_sheets(data)
    except MemoryError:
        raise TooLargeError("this sheet takes too much memory to be read") from None
    filled = [sheet for sheet in sheets if sheet["rows"]]
    if not filled:
        raise InvalidInputError("This sheet is empty", code="empty_sheet")
    chosen = next((sheet for sheet in filled if header_of(sheet["rows"])), filled[0])
    if sum(len(cell) for _, cells in chosen["rows"] for cell in cells) > MOST_TEXT:
        raise TooLargeError("this sheet holds too much text")
    others = [sheet["name"] for sheet in filled if sheet is not chosen]
    return json.dumps(chosen | {"others": others}).encode()


def _of_workbook(data: bytes) -> list[dict[str, Any]]:
    try:
        _require_plain(data)
        values, formulas = (load_workbook(io.BytesIO(data), read_only=True, data_only=each) for each in (True, False))
        return [
            _of_worksheet(sheet, formulas[sheet.title]) for sheet in values.worksheets if sheet.sheet_state == "visible"
        ]
    except (UnsupportedTypeError, TooLargeError, MemoryError):
        raise
    except Exception as error:
        raise UnsupportedTypeError(_DAMAGED) from error


def _require_plain(data: bytes) -> None:
    """Raise for an archive that is no plain workbook: another program's, one with macros, one that unpacks too far."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = archive.infolist()
        if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED:
            raise TooLargeError("this sheet is too large when it is unpacked")
        names = {part.filename for part in parts}
        if "[Content_Types].xml" not in names:
            raise UnsupportedTypeError(_OTHER)
        if b"macroEnabled" in archive.read("[Content_Types].xml") or any("vbaProject" in name for name in names):
            raise UnsupportedTypeError("this workbook has macros: save it as .xlsx")


def _of_worksheet(values: Any, formulas: Any) -> dict[str, Any]:
    for sheet in (values, formulas):
        # What a sheet says of its size may be a million rows.
        sheet.reset_dimensions()
    rows: list[SheetRow] = []
    unstored: list[tuple[int, int]] = []
    blank, cut = 0, False
    pairs = zip(*(sheet.iter_rows(max_col=MOST_COLUMNS) for sheet in (values, formulas)), strict=False)
    for number, (shown, written) in enumerate(pairs, 1):
        cells = [_text(cell.value) for cell in shown]
        lacking = [at for at, cell in enumerate(written) if cell.data_type == "f" and not cells[at]]
        if any(cells) or lacking:
            blank = 0
            rows.append((number, _trimmed(cells)))
            unstored += [(number, at) for at in lacking]
        else:
            blank += 1
        if len(rows) > MOST_ROWS or blank > MOST_BLANK_ROWS:
            cut = len(rows) > MOST_ROWS
            break
    return {"name": values.title, "rows": rows[:MOST_ROWS], "unstored": unstored, "cut": cut}


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, datetime | date):
        return value.isoformat()[:10]
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return str(int(value))
    return str(value).strip()[:LONGEST_CELL]


def _of_text(data: bytes) -> list[dict[str, Any]]:
    text = _decoded(data)
    readings = [_delimited(text, delimiter) for delimiter in ",;\t|"]
    best = max(readings, key=_how_well)
    return [{"name": "", "rows": best[:MOST_ROWS], "unstored": [], "cut": len(best) > MOST_ROWS}]


def _decoded(data: bytes) -> str:
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        # What spreadsheets on Windows save as plain CSV.
        text = data.decode("cp1252", errors="replace")
    if "\0" in text or text.lstrip().startswith(("%PDF", "{\\rtf", "<")) or _unprintable(text):
        raise UnsupportedTypeError(_OTHER)
    return text


def _unprintable(text: str) -> bool:
    """Whether a text is none: one character of a hundred is a control character, or was no character at all."""
    begin = text[:10_000]
    strange = sum(char == "\ufffd" or (char < " " and char not in "\t\r\n") for char in begin)
    return strange * 100 > len(begin)


def _delimited(text: str, delimiter: str) -> list[SheetRow]:
    return list(_rows(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)))


def _rows(reader: Iterator[list[str]]) -> Iterator[SheetRow]:
    filled = 0
    try:
        for number, row in enumerate(reader, 1):
            cells = _trimmed([cell.strip()[:LONGEST_CELL] for cell in row[:MOST_COLUMNS]])
            # Read with another separator than its own, a blank line has nothing but that.
            is_blank = not "".join(cells).strip(",;| \t")
            filled += not is_blank
            if not is_blank:
                yield number, cells
            if filled > MOST_ROWS:
                return
    except csv.Error:
        raise UnsupportedTypeError(_OTHER) from None


def _how_well(rows: Sequence[SheetRow]) -> tuple[int, int]:
    """How many columns a reading has: those that are known by their header count more."""
    header = header_of(rows)
    return len(header.fields) if header else 0, max((len(cells) for _, cells in rows), default=0)


def _trimmed(cells: list[str]) -> list[str]:
    """The cells without blank ones at the end."""
    while cells and not cells[-1]:
        cells.pop()
    return cells
