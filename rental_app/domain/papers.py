"""Dates on a vehicle's papers: which cannot be true, and which expire soon."""

from collections.abc import Sequence
from datetime import date, timedelta

from rental_app.domain.clock import friendly_day
from rental_app.domain.matching import pieces
from rental_app.domain.money import counted

WARNING_DAYS = 30
EARLIEST_YEAR = 1990
# Long-term insurance covers five years and a registration fifteen: anything later than this is a typing error.
YEARS_AHEAD = 20


def service_problem(day: date, today: date) -> str:
    """What is wrong with the day of the last service; '' when nothing is."""
    if day > today:
        return "The last service cannot be in the future"
    return "" if day.year >= EARLIEST_YEAR else "Check the year of the last service"


def expiry_problem(day: date, today: date) -> str:
    """What is wrong with a paper's expiry date by itself; '' when nothing is."""
    possible = EARLIEST_YEAR <= day.year <= today.year + YEARS_AHEAD
    return "" if possible else "Check the year of this date"


def lapse_problem(day: date, today: date) -> str:
    """What is wrong with an expiry date that is newly entered; '' when nothing is: a paper holds to the end of its day.

    One that was valid when it was entered runs out by itself: then the vehicle cannot be booked, but can be edited.
    """
    return "This has expired: renew it, then enter the new date" if day < today else ""


def runs_out_soon(day: date, today: date) -> bool:
    """Whether a paper has expired or will expire within 30 days."""
    return day <= last_day_of_warning(today)


def last_day_of_warning(today: date) -> date:
    """The latest expiry date that is warned about."""
    return today + timedelta(days=WARNING_DAYS)


def expiry_note(paper: str, day: date, today: date) -> str:
    """'Insurance expires in 12 days' or the like for a paper that needs attention, else ''."""
    if not runs_out_soon(day, today):
        return ""
    left = (day - today).days
    if left < -WARNING_DAYS:
        return f"{paper} expired on {day.day} {day:%b %Y}"
    if left < 0:
        return f"{paper} expired {counted(-left, 'day')} ago"
    return f"{paper} expires in {counted(left, 'day')}" if left else f"{paper} expires today"


def expiry_effect(day: date, today: date, booked: Sequence[str]) -> str:
    """What a paper's expiry affects: the vehicle, and the bookings (by reference) that run past it."""
    since = f"not listed from {friendly_day(day + timedelta(days=1), today)}" if day >= today else "not listed"
    effect = f"the vehicle is {since} until you enter the new date"
    return f"{effect}. Bookings after that: {', '.join(booked)}" if booked else effect


def paper_text(paper: str, day: date, today: date, booked: Sequence[str]) -> str:
    """'Insurance expires in 12 days: ...' with the consequences, for a paper that needs attention."""
    return f"{expiry_note(paper, day, today)}: {expiry_effect(day, today, booked)}"


def expiry_reason(paper: str, day: date, today: date) -> str:
    """'Insurance expired on 3 Nov 2026' or the like for a paper that needs attention, true on any later day; else ''.

    A paper that runs out later 'expires on' a day.
    """
    if not runs_out_soon(day, today):
        return ""
    return f"{paper} {'expired' if day < today else 'expires'} on {day.day} {day:%b %Y}"


def is_same_owner(on_paper: str, account: str) -> bool:
    """Whether two names are of the same words, in any order, in small or capital letters."""
    return sorted(pieces(on_paper)) == sorted(pieces(account))
