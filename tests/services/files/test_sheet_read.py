"""Spreadsheets are read in a limited process: what is in them as text, and what is refused."""

import asyncio
from datetime import date, datetime

import pytest
from openpyxl import Workbook

from rental_app.domain.errors import InvalidInputError, RentalError, TooLargeError, UnsupportedTypeError
from rental_app.domain.fleet_sheet import MOST_ROWS
from rental_app.domain.uploads import MAX_SHEET_BYTES
from rental_app.services.files import checks
from rental_app.services.files.checks import SheetCells
from tests.support.rest_helpers import jpeg, pdf
from tests.support.sheets import HEADER, part_of, repacked, saved, xlsx

BIKE = ["TS09EA1234", "Activa 6G", 450, "1,20,000", date(2027, 11, 5)]
SHEET = xlsx([HEADER, BIKE])


def read(data: bytes) -> SheetCells:
    return asyncio.run(checks.check_sheet(data))


def texts(sheet: SheetCells) -> list[list[str]]:
    return [list(cells) for _, cells in sheet.rows]


def refusal(data: bytes) -> RentalError:
    with pytest.raises(RentalError) as refused:
        read(data)
    return refused.value


def test_cells_are_text_below_merged_titles_and_blank_rows() -> None:
    title = ["Sri Balaji Rentals"]
    times = ["ts 9", 12.5, 1e15, True, datetime(2026, 11, 5, 10, 30)]
    sheet = read(xlsx([title, [], HEADER, BIKE, [], times], merged=["A1:E1"]))
    assert [number for number, _ in sheet.rows] == [1, 3, 4, 6]
    assert texts(sheet)[2:] == [
        ["TS09EA1234", "Activa 6G", "450", "1,20,000", "2027-11-05"],
        ["ts 9", "12.5", "1000000000000000", "Yes", "2026-11-05"],
    ]
    assert (sheet.others, sheet.unstored, sheet.cut) == ([], [], False)


def test_a_formula_is_never_evaluated_its_stored_value_counts() -> None:
    bike = ["TS09EA1234", "Activa 6G", "=400+50", "=1000*2", '=HYPERLINK("https://evil.example")']
    sheet = read(xlsx([HEADER, bike]))
    assert texts(sheet)[1] == ["TS09EA1234", "Activa 6G"]
    assert [list(place) for place in sheet.unstored] == [[2, 2], [2, 3], [2, 4]]
    plain = xlsx([HEADER, bike])
    xml = part_of(plain, "xl/worksheets/sheet1.xml")
    stored = repacked(plain, sheet1=xml.replace(b"<f>400+50</f><v></v>", b"<f>400+50</f><v>450</v>"))
    kept = read(stored)
    assert texts(kept)[1] == ["TS09EA1234", "Activa 6G", "450"]
    assert len(kept.unstored) == 2


def test_the_sheet_with_a_header_is_read_of_several() -> None:
    sheet = read(xlsx([["Phone numbers", 1]], [HEADER, BIKE], []))
    assert (sheet.name, sheet.others, len(sheet.rows)) == ("Sheet 2", ["Sheet 1"], 2)


def test_hidden_sheets_are_not_read() -> None:
    book = Workbook()
    book.active.append(HEADER)
    other = book.create_sheet("Old")
    other.append(BIKE)
    other.sheet_state = "hidden"
    assert read(saved(book)).others == []


def test_a_million_blank_rows_are_passed_over_and_too_many_are_cut_off() -> None:
    rows = b"".join(b'<row r="%d"><c r="A%d"/></row>' % (number, number) for number in range(3, 1_000_001))
    xml = part_of(SHEET, "xl/worksheets/sheet1.xml")
    endless = xml.replace(b"</sheetData>", rows + b"</sheetData>").replace(b'ref="A1:E2"', b'ref="A1:XFD1048576"')
    sheet = read(repacked(SHEET, sheet1=endless))
    assert (len(sheet.rows), sheet.cut) == (2, False)
    far = xml.replace(b"</sheetData>", b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>')
    assert len(read(repacked(SHEET, sheet1=far)).rows) == 2
    many = read(xlsx([HEADER, *[BIKE] * (MOST_ROWS + 5)]))
    assert (len(many.rows), many.cut) == (MOST_ROWS, True)


@pytest.mark.parametrize(
    ("encoding", "delimiter"),
    [("utf-8", ","), ("utf-8-sig", ";"), ("utf-16", "\t"), ("utf-16", ";"), ("cp1252", "|"), ("utf-8-sig", ",")],
)
def test_csv_is_read_in_the_encodings_and_with_the_separators_of_spreadsheets(encoding: str, delimiter: str) -> None:
    lines = [
        ["Fleet, 2026"],
        [],
        list(HEADER),
        ["TS 09 EA 1234", "Activa 6G", '"1,20,000"', "café", '"two\nlines"'],
    ]
    text = "\r\n".join(delimiter.join(cells) for cells in lines)
    sheet = read(text.encode(encoding))
    assert [number for number, _ in sheet.rows] == [1, 3, 4]
    assert texts(sheet)[2] == ["TS 09 EA 1234", "Activa 6G", "1,20,000", "café", "two\nlines"]


def test_csv_text_that_looks_like_a_formula_stays_text() -> None:
    sheet = read(b"Reg No,Model\nTS09EA1234,\"=cmd|' /C calc'!A0\"\n")
    assert texts(sheet)[1][1] == "=cmd|' /C calc'!A0"
    assert sheet.unstored == []


def bomb() -> bytes:
    xml = part_of(SHEET, "xl/worksheets/sheet1.xml")
    return repacked(SHEET, sheet1=xml.replace(b"</sheetData>", b" " * 120_000_000 + b"</sheetData>"))


def lying(data: bytes) -> bytes:
    """The bomb, whose directory says that its parts are small."""
    size = (120_000_000 + len(part_of(SHEET, "xl/worksheets/sheet1.xml"))).to_bytes(4, "little")
    assert size in data
    return data.replace(size, (1_000).to_bytes(4, "little"))


ENTITIES = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("data", "kind", "says"),
    [
        pytest.param(b"", InvalidInputError, "empty", id="nothing"),
        pytest.param(xlsx([]), InvalidInputError, "empty", id="an empty sheet"),
        pytest.param(b"\n\n,,,\n", InvalidInputError, "empty", id="blank lines"),
        pytest.param(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), UnsupportedTypeError, "old .xls", id="old"),
        pytest.param(repacked(SHEET, vba=b"x"), UnsupportedTypeError, "macros", id="a macro"),
        pytest.param(
            repacked(SHEET, types=part_of(SHEET, "[Content_Types].xml").replace(b"sheet.main", b"macroEnabled.main")),
            UnsupportedTypeError,
            "macros",
            id=".xlsm",
        ),
        pytest.param(pdf(), UnsupportedTypeError, "not a sheet", id="a PDF"),
        pytest.param(jpeg(), UnsupportedTypeError, "not a sheet", id="a photo"),
        pytest.param(b"PK\x03\x04" + bytes(100), UnsupportedTypeError, "damaged", id="no archive"),
        pytest.param(SHEET[: len(SHEET) // 2], UnsupportedTypeError, "damaged", id="half of it"),
        pytest.param(repacked(SHEET, sheet1=b"<worksheet>"), UnsupportedTypeError, "damaged", id="broken XML"),
        pytest.param(repacked(SHEET, sheet1=ENTITIES + b"<x>&b;</x>"), UnsupportedTypeError, "damaged", id="entities"),
        pytest.param(b"<html><table></table></html>", UnsupportedTypeError, "not a sheet", id="a page"),
    ],
)
def test_what_is_no_plain_sheet_is_refused(data: bytes, kind: type[RentalError], says: str) -> None:
    refused = refusal(data)
    assert isinstance(refused, kind)
    assert says in refused.message
    assert refused.fields.keys() == {"file"}


def test_what_unpacks_too_far_or_is_too_large_is_refused() -> None:
    made = bomb()
    for data, kind, says in (
        (made, TooLargeError, "unpacked"),
        (
            xlsx([["Reg No", "Model", "Terms"], *[["TS09EA1234", "Activa", "x" * 6_000]] * 700]),
            TooLargeError,
            "much text",
        ),
        (lying(made), UnsupportedTypeError, "damaged"),
        (b"a,b\n" * (MAX_SHEET_BYTES // 4 + 1), TooLargeError, "5 MB"),
    ):
        refused = refusal(data)
        assert isinstance(refused, kind)
        assert says in refused.message
