"""What operators do at the machine, by `python -m rental_app.people`."""

import sys
from collections.abc import Callable

import pytest
from sqlmodel import Session

from rental_app import people
from rental_app.domain import clock
from rental_app.domain.errors import NotAuthenticatedError
from rental_app.infrastructure.db import read, write
from rental_app.models import Edition, Outbox, Review, SecondStep, User
from rental_app.schemas.accounts import ChangeWish
from rental_app.schemas.reviews import ReportRequest
from rental_app.services.accounts import requests, sessions
from rental_app.services.reviews import writing
from tests.conftest import Clock
from tests.support.accounts import user_of
from tests.support.identity import add_paper
from tests.support.reviews import only_review, public, returned, review
from tests.support.shop import PASSWORD, VISITOR, Shop, actor, add_user, count, put
from tests.support.trips import confirmed
from tests.support.vendor_requests import book

Run = Callable[..., str]


@pytest.fixture(params=["sqlite"])
def kind(request: pytest.FixtureRequest) -> str:
    """Commands take the database that services do: one is enough."""
    chosen: str = request.param
    return chosen


@pytest.fixture
def run(shop: Shop, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Give the command some words; return what it says."""

    def command(*words: str) -> str:
        monkeypatch.setattr(sys, "argv", ["people", *words])
        people.main()
        return capsys.readouterr().out

    return command


def test_reported_reviews_are_listed_and_decided(stopped_clock: Clock, shop: Shop, run: Run) -> None:
    trip = returned(shop, stopped_clock)
    review(shop.customer, trip.id, 1, "Thieves,\nall of them")
    review(shop.vendor, trip.id, 4)
    bad = only_review()
    write(writing.report, actor(shop.vendor), bad, ReportRequest(note="It insults"))
    assert f"{bad}: 1 of 5 by the customer" in run("review")
    with pytest.raises(SystemExit, match="Say why"):
        run("review", str(bad), "remove")
    run("review", str(bad), "remove", "--reason", "It insults")
    assert public(shop).reviews == []
    run("review", str(bad), "keep")
    assert not read(lambda session: session.get_one(Review, bad).is_hidden)


def test_the_shop_is_switched_and_a_vendor_approved(shop: Shop, run: Run) -> None:
    assert "read-only" in run("read-only", "Back at five")
    assert read(lambda session: session.get_one(Edition, 1).read_only_message) == "Back at five"
    with pytest.raises(SystemExit, match="Back at five"):
        run("approve", shop.vendor.email)
    assert "open again" in run("read-only", "--off")
    run("approve", shop.vendor.email.upper())
    assert read(lambda session: session.get_one(User, shop.vendor.id).approved_at)
    with pytest.raises(SystemExit, match="No vendor"):
        run("approve", shop.customer.email)


def test_operators_are_made_and_unmade(run: Run) -> None:
    assert "/reset-password?token=" in run("operator", " Meera@Example.org ")
    assert "no operator any more" in run("operator", "meera@example.org", "--end")
    with pytest.raises(SystemExit, match="No operator"):
        run("operator", "meera@example.org", "--end")
    with pytest.raises(SystemExit):
        run("operator", "no address")


def test_requests_are_listed_and_decided(shop: Shop, run: Run) -> None:
    assert "bank account" in run("decide")
    wish = ChangeWish(field="name", value="Lakshmi Rentals", why="As agreed", password=PASSWORD)
    asked = write(requests.ask, actor(shop.vendor), wish)
    listed = run("decide")
    assert all(part in listed for part in (f"{asked.id}: {shop.vendor.name}", "Lakshmi Rentals", "As agreed"))
    assert "granted" in run("decide", str(asked.id), "grant", "--reason", "Seen the papers")
    assert user_of(shop.vendor.id).name == "Lakshmi Rentals"
    with pytest.raises(SystemExit, match="decided or withdrawn"):
        run("decide", str(asked.id), "refuse")


def test_a_second_step_is_taken_off(stopped_clock: Clock, shop: Shop, run: Run) -> None:
    put(SecondStep(user_id=shop.customer.id or 0, nonce="x", confirmed_at=stopped_clock.instant))
    assert shop.customer.email in run("second-step-off", shop.customer.email)
    assert count("second_step") == 0
    with pytest.raises(SystemExit, match="No account"):
        run("second-step-off", shop.customer.email)


def test_somebody_who_asked_by_letter_is_erased_in_a_week(shop: Shop, run: Run) -> None:
    trip = confirmed(shop)
    with pytest.raises(SystemExit, match=f"{trip.reference}: the trip is not over"):
        run("erase", shop.customer.email)
    other = add_user()
    assert f"{other.email} is erased on" in run("erase", other.email)
    assert user_of(other.id).erase_asked_at
    with pytest.raises(SystemExit, match="no account"):
        run("erase", "nobody@example.com")
    with pytest.raises(SystemExit, match="Operators are unmade"):
        run("erase", add_user("Operator").email)


def test_what_is_held_back_is_shown_and_deleted_by_command(shop: Shop, run: Run, stopped_clock: Clock) -> None:
    def insert(session: Session) -> None:
        many = (f"{number}" for number in range(1200))
        session.add_all(Outbox(key=key, kind="x", user_id=shop.customer.id, due_at=None) for key in many)

    assert run("retention") == "Nothing is over.\n"
    before = count("outbox")
    write(insert)
    stopped_clock.move(days=366)
    rows = before + 1200
    assert f"outbox: {rows} of {rows}, held back until --run" in run("retention")
    assert "rows are deleted" in run("retention", "--run")
    assert count("outbox") == 0


def test_the_first_hours_of_a_breach(shop: Shop, run: Run) -> None:
    book(shop)
    add_paper(shop.customer, "licence")
    add_paper(shop.customer, "id")
    counts = dict(line.split(": ") for line in run("affected", f"{clock.indian_today(clock.now())}").splitlines())
    assert int(counts["customers"]) > 0
    assert int(counts["bookings"]) == count("booking")
    assert int(counts["documents of customers"]) == count("identity_paper")
    assert 0 < int(counts["customers who have sent documents"]) < int(counts["documents of customers"])
    token = write(sessions.open_session, shop.customer.id or 0)
    assert "everybody logs in again" in run("logout-all")
    with pytest.raises(NotAuthenticatedError):
        read(sessions.authenticate, VISITOR, token)
