"""Rows of a sheet become drafts; what could not be read is listed by row and column."""

import time
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from rental_app.domain import clock
from rental_app.domain.errors import ForbiddenError, InvalidInputError
from rental_app.infrastructure.db import read, write
from rental_app.services.files.checks import SheetCells
from rental_app.services.fleet import drafts, sheet_import
from rental_app.services.fleet.sheet_import import Imported
from tests.support.races import at_once
from tests.support.shop import Shop, actor

HEADER = ["Reg No", "Model", "Rate/day", "Deposit", "Insurance valid upto", "Chassis No", "Lucky number"]
NEXT_YEAR = clock.indian_today(clock.now()) + timedelta(days=300)


def sheet(*rows: list[str], header: list[str] = HEADER, **more: Any) -> SheetCells:
    numbered = [(number, cells) for number, cells in enumerate([["Our fleet"], header, *rows], 1)]
    return SheetCells(**({"name": "Bikes", "others": [], "rows": numbered, "unstored": [], "cut": False} | more))


def take(shop: Shop, *rows: list[str], **more: Any) -> Imported:
    return write(sheet_import.take, actor(shop.vendor), sheet(*rows, **more))


def typed(shop: Shop, made: Imported, place: int = 0) -> dict[str, str]:
    return read(drafts.one, actor(shop.vendor), made.drafts[place].id).fields


def problems(made: Imported) -> list[tuple[int, str, str]]:
    return [(each.row, each.column, each.message) for each in made.problems if each.column != "Lucky number"]


def test_a_row_is_a_draft_as_the_form_has_it(shop: Shop) -> None:
    day = f"{NEXT_YEAR:%d/%m/%Y}"
    made = take(shop, ["ts-09 ea 1", "Honda Activa 6G", "Rs 450", "1,20,000/-", day, "ME4JF501AJT123456", "7"])
    assert [draft.title for draft in made.drafts] == ["Honda Activa 6G TS09EA0001"]
    assert typed(shop, made) == {
        "rc_number": "TS09EA0001",
        "vehicleType": "1",
        "manufacturer": "1",
        "model": "1",
        "security_deposit": "120000",
        "insurance_expiry_date": NEXT_YEAR.isoformat(),
        "chassis_number": "ME4JF501AJT123456",
        "stands": "vendors",
        "prices.1.price_name": "Full Day",
        "prices.1.price": "450",
        "prices.1.status": "Active",
    }
    assert [(each.row, each.column) for each in made.problems] == [(2, "Lucky number")]
    assert sheet_import.summary(made) == "1 draft made, 1 problem"


def test_what_cannot_be_read_is_named_and_left_out(shop: Shop) -> None:
    made = take(
        shop,
        ["TS09EA0001", "Pulsar", "2k", "-5", "11/25/2026", "short"],
        ["", "", "", "", "", "", ""],
        ["no number", "Unknown", "450"],
        ["", "", "9,999"],
        ["TS09EA0002", "Activa 6G", "99999999999", "-", "5-Nov-1920"],
        HEADER,
    )
    said = problems(made)
    assert (3, "Insurance valid upto", "11/25/2026: Use a date like 05/11/2026: day, month, year") in said
    assert (3, "Rate/day", "2k: Enter an amount in rupees, such as 500 or 1,20,000") in said
    assert (3, "Model", "Pulsar: We do not have this model: choose it in the draft") in said
    assert (5, "", "Not taken: neither its RC number nor its model could be read") in said
    assert (6, "", "Not taken: it has neither an RC number nor a model") in said
    assert [row for row, _, _ in said] == sorted(row for row, _, _ in said)
    assert {(row, column) for row, column, _ in problems(made)} == {
        *((3, "Rate/day"), (3, "Deposit"), (3, "Insurance valid upto"), (3, "Chassis No"), (3, "Model")),
        *((5, "Reg No"), (5, "Model"), (5, ""), (6, ""), (7, "Insurance valid upto"), (7, "Rate/day")),
    }
    assert [draft.title for draft in made.drafts] == ["Honda Activa 6G TS09EA0002", "TS09EA0001"]
    assert typed(shop, made, 1) == {"rc_number": "TS09EA0001", "stands": "vendors"}
    assert "security_deposit" not in typed(shop, made)


def test_a_number_that_is_there_already_makes_no_second_draft(shop: Shop) -> None:
    write(drafts.begin, actor(shop.vendor), {"rc_number": "TS09EA0007"})
    made = take(
        shop, ["TS09EA0001", "Activa 6G"], [shop.vehicle.rc_number, "Activa 6G"], ["ts9ea1", ""], ["TS09EA0007", ""]
    )
    assert problems(made) == [
        (4, "Reg No", "You have listed a vehicle with this RC number"),
        (5, "Reg No", "This is the RC number of row 3, too"),
        (6, "Reg No", "You have a draft with this RC number"),
    ]
    assert len(made.drafts) == 1
    again = take(shop, ["TS09EA0001", "Activa 6G"])
    assert again.drafts == []
    assert sheet_import.summary(again) == "No draft made, 2 problems"


def test_rows_over_the_limit_are_named(shop: Shop) -> None:
    write(drafts.add_all, actor(shop.vendor), [{"color": "Red"}] * (drafts.MOST_DRAFTS - 1))
    made = take(shop, ["TS09EA0001", "Activa 6G"], ["TS09EA0002", ""], ["TS09EA0003", ""])
    assert [draft.title for draft in made.drafts] == ["Honda Activa 6G TS09EA0001"]
    assert [(row, column) for row, column, _ in problems(made)] == [(4, ""), (5, "")]
    assert "Not taken: you have 200 drafts" in made.problems[-1].message


@pytest.mark.databases
def test_two_imports_at_once_do_not_exceed_the_limit(shop: Shop) -> None:
    fleets = [[[f"TS{district:02}EA{number:04}", ""] for number in range(1, 151)] for district in (7, 8)]
    outcomes = at_once(*(partial(take, shop, *fleet) for fleet in fleets))
    assert outcomes == ["", ""]
    assert len(read(drafts.of_vendor, actor(shop.vendor))) == drafts.MOST_DRAFTS


def test_a_fleet_of_three_hundred_is_read(shop: Shop) -> None:
    made = take(shop, *([f"TS09EA{number:04}", "Activa 6G", "450", "2,000"] for number in range(1, 301)))
    assert (len(made.drafts), len(problems(made))) == (200, 100)
    assert made.drafts[0].title == "Honda Activa 6G TS09EA0200"


def test_many_formulas_without_values_take_no_time(shop: Shop) -> None:
    rows = [["", "Activa 6G"]] * 2_000
    unstored = [(number, at) for number in range(3, 2_003) for at in range(20)]
    begun = time.process_time()
    made = take(shop, *rows, unstored=unstored)
    assert time.process_time() - begun < 15
    assert any("more problems" in each.message for each in made.problems)


def test_what_was_not_read_of_the_sheet_as_a_whole_is_said(shop: Shop) -> None:
    made = take(shop, ["TS09EA0001", "Activa 6G"], others=["Old"], cut=True, unstored=[(3, 2), (3, 9)])
    assert problems(made) == [
        (0, "", "Only the sheet Bikes was read, not Old"),
        (0, "", "Only the first 2,000 rows were read"),
        (3, "Rate/day", "This is a formula without a stored value"),
        (3, "", "This is a formula without a stored value"),
    ]
    many = take(shop, *[["", "", "450"]] * 600)
    assert len(many.problems) == sheet_import.MOST_PROBLEMS + 2
    assert many.problems[-1].message == "And 100 more problems"


def test_a_sheet_without_header_and_strangers_are_refused(shop: Shop) -> None:
    with pytest.raises(InvalidInputError) as refused:
        take(shop, ["TS09EA0001", "Activa 6G"], header=["a", "b"])
    assert refused.value.code == "no_header"
    with pytest.raises(ForbiddenError):
        write(sheet_import.take, actor(shop.customer), sheet(["TS09EA0001", "Activa 6G"]))
    assert read(drafts.of_vendor, actor(shop.vendor)) == []


def test_the_template_can_be_read_but_for_a_day_that_has_passed(shop: Shop) -> None:
    rows = [line.split(",") for line in sheet_import.template().decode("utf-8-sig").splitlines()]
    assert len(rows) == 2
    assert rows[0][0] == "RC Number"
