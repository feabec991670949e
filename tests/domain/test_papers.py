"""Dates on papers."""

from datetime import date, timedelta

import pytest

from rental_app.domain.papers import (
    expiry_note,
    expiry_problem,
    expiry_reason,
    is_same_owner,
    lapse_problem,
    runs_out_soon,
    service_problem,
)

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


def test_a_reason_stays_true_on_any_later_day() -> None:
    today = date(2026, 11, 27)
    assert expiry_reason("Insurance", date(2026, 11, 3), today) == "Insurance expired on 3 Nov 2026"
    assert expiry_reason("Insurance", today, today) == "Insurance expires on 27 Nov 2026"
    assert expiry_reason("Insurance", today + timedelta(days=30), today) == "Insurance expires on 27 Dec 2026"
    assert expiry_reason("Insurance", today + timedelta(days=31), today) == ""


@pytest.mark.parametrize(
    ("on_paper", "account", "same"),
    [
        ("SAI KIRAN REDDY", "Sai Kiran Reddy", True),
        ("Reddy, Sai Kiran", "Sai Kiran  Reddy", True),
        ("Kiran Reddy S", "Sai Kiran Reddy", False),
        ("\u0c35\u0c46\u0c02\u0c15\u0c1f", "\u0c35\u0c46\u0c02\u0c15\u0c1f", True),
        ("Sai Sai Reddy", "Sai Reddy", False),
    ],
)
def test_an_owner_is_the_same_by_the_words_of_the_name(on_paper: str, account: str, same: bool) -> None:
    assert is_same_owner(on_paper, account) is same
