"""Spreadsheets as shops keep them, and as nobody should send them."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

from openpyxl import Workbook

HEADER = ("Reg No", "Model", "Rate/day", "Deposit", "Insurance valid upto")


def xlsx(*sheets: Sequence[Sequence[Any]], merged: Sequence[str] = ()) -> bytes:
    """A workbook of these sheets; ranges of the first one are merged."""
    book = Workbook()
    book.remove(book.active)
    for number, rows in enumerate(sheets, 1):
        sheet = book.create_sheet(f"Sheet {number}")
        for row in rows:
            sheet.append(row)
    for cells in merged:
        book.worksheets[0].merge_cells(cells)
    return saved(book)


def saved(book: Workbook) -> bytes:
    """A workbook's bytes."""
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def repacked(data: bytes, **changed: bytes) -> bytes:
    """The archive with other content of some parts; `sheet1` is short for the first sheet's."""
    out = io.BytesIO()
    parts = {"sheet1": "xl/worksheets/sheet1.xml", "vba": "xl/vbaProject.bin", "types": "[Content_Types].xml"}
    new: Mapping[str, bytes] = {parts[name]: content for name, content in changed.items()}
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name in {*old.namelist(), *new}:
            made.writestr(name, new[name] if name in new else old.read(name))
    return out.getvalue()


def part_of(data: bytes, name: str) -> bytes:
    """A part of an archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(name)
