"""What operators do at the machine, by `python -m rental_app.people`."""

import sys

import pytest

from rental_app import people
from rental_app.infrastructure.db import read, write
from rental_app.models import Edition, Review, User
from rental_app.schemas.reviews import ReportRequest
from rental_app.services.reviews import answering
from tests.conftest import Clock
from tests.support.reviews import only_review, public, returned, review
from tests.support.shop import Shop, actor


@pytest.fixture(params=["sqlite"])
def kind(request: pytest.FixtureRequest) -> str:
    """Commands take the database that services do: one is enough."""
    chosen: str = request.param
    return chosen


def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    monkeypatch.setattr(sys, "argv", ["people", *words])
    people.main()
    return capsys.readouterr().out


def test_reported_reviews_are_listed_and_decided(
    stopped_clock: Clock, shop: Shop, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    trip = returned(shop, stopped_clock)
    review(shop.customer, trip.id, 1, "Thieves,\nall of them")
    review(shop.vendor, trip.id, 4)
    bad = only_review()
    write(answering.report, actor(shop.vendor), bad, ReportRequest(note="It insults"))
    assert f"{bad}: 1 of 5 by the customer" in run(monkeypatch, capsys, "review")
    with pytest.raises(SystemExit, match="Say why"):
        run(monkeypatch, capsys, "review", str(bad), "remove")
    run(monkeypatch, capsys, "review", str(bad), "remove", "--reason", "It insults")
    assert public(shop).reviews == []
    run(monkeypatch, capsys, "review", str(bad), "keep")
    assert not read(lambda session: session.get_one(Review, bad).is_hidden)


def test_the_shop_is_switched_and_a_vendor_approved(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "read-only" in run(monkeypatch, capsys, "read-only", "Back at five")
    assert read(lambda session: session.get_one(Edition, 1).read_only_message) == "Back at five"
    with pytest.raises(SystemExit, match="Back at five"):
        run(monkeypatch, capsys, "approve", shop.vendor.email)
    assert "open again" in run(monkeypatch, capsys, "read-only", "--off")
    run(monkeypatch, capsys, "approve", shop.vendor.email.upper())
    assert read(lambda session: session.get_one(User, shop.vendor.id).approved_at)
    with pytest.raises(SystemExit, match="No vendor"):
        run(monkeypatch, capsys, "approve", shop.customer.email)
