"""Dates on papers."""

from datetime import date, timedelta

import pytest

from rental_app.domain.papers import expiry_note, expiry_problem, lapse_problem, runs_out_soon, service_problem

TODAY = date(2026, 11, 20)


@pytest.mark.parametrize(
    ("days", "note"),
    [
        (31, ""),
        (30, "Insurance expires in 30 days"),
        (1, "Insurance expires in 1 day"),
        (0, "Insurance expires today"),
        (-1, "Insurance expired 1 day ago"),
        (-30, "Insurance expired 30 days ago"),
        (-31, "Insurance expired on 20 Oct 2026"),
    ],
)
def test_papers_are_flagged_from_thirty_days_before(days: int, note: str) -> None:
    day = TODAY + timedelta(days=days)
    assert expiry_note("Insurance", day, TODAY) == note
    assert runs_out_soon(day, TODAY) == bool(note)


@pytest.mark.parametrize(("day", "fine"), [("2026-11-20", True), ("2026-11-21", False), ("0026-11-20", False)])
def test_the_last_service_lies_in_the_past(day: str, fine: bool) -> None:
    assert (service_problem(date.fromisoformat(day), TODAY) == "") is fine


@pytest.mark.parametrize(
    ("day", "fine"), [("2046-12-31", True), ("2047-01-01", False), ("1990-01-01", True), ("1989-12-31", False)]
)
def test_expiry_dates_are_possible_ones(day: str, fine: bool) -> None:
    assert (expiry_problem(date.fromisoformat(day), TODAY) == "") is fine


@pytest.mark.parametrize(("day", "fine"), [("2026-11-20", True), ("2026-11-19", False), ("2027-01-01", True)])
def test_a_paper_newly_entered_is_valid_today(day: str, fine: bool) -> None:
    assert (lapse_problem(date.fromisoformat(day), TODAY) == "") is fine
