"""Offers are in force on their first day, their last day and in between."""

from datetime import date, timedelta

import pytest
from sqlalchemy import delete
from sqlalchemy.exc import DatabaseError

from rental_app.db import read, write
from rental_app.models import Offer
from rental_app.rules import clock
from rental_app.services import offers
from tests.helpers import VISITOR, put
from tests.rows import each

DAY = date(2026, 11, 20)


def offer(code: str, starts_on: date = DAY, ends_on: date = DAY, **fields: object) -> Offer:
    given = {"title": "T", "benefit": "B", "terms": "", "minimum_days": 2} | fields
    return Offer(code=code, starts_on=starts_on, ends_on=ends_on, **given)


def codes(day: date) -> list[str]:
    return [view.code for view in read(offers.in_force, VISITOR, day)]


def test_of_the_demo_offers_the_one_that_is_over_is_hidden(database: str) -> None:
    assert codes(clock.indian_today(clock.now())) == ["EVWEEK", "WEEKLONG", "PILLION"]


def test_both_ends_belong_to_an_offer(database: str) -> None:
    write(lambda session: session.execute(delete(Offer)))
    put(offer("LONGER", DAY - timedelta(days=1), DAY + timedelta(days=3)))
    put(offer("TODAY"))
    assert codes(DAY - timedelta(days=2)) == []
    assert codes(DAY - timedelta(days=1)) == ["LONGER"]
    assert codes(DAY) == ["TODAY", "LONGER"]
    assert codes(DAY + timedelta(days=3)) == ["LONGER"]
    assert codes(DAY + timedelta(days=4)) == []


@each(
    "wrong",
    [
        offer("lower"),
        offer("X"),
        offer("BACKWARDS", ends_on=DAY - timedelta(days=1)),
        offer("NODAYS", minimum_days=0),
        offer("EVWEEK"),
    ],
)
def test_the_database_refuses_offers_that_cannot_be(database: str, wrong: Offer) -> None:
    # A copy: the other database gets one, too.
    with pytest.raises(DatabaseError):
        put(Offer(**wrong.model_dump()))
