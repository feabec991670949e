"""How long documents are kept, and what their owners are told before."""

from datetime import datetime, timedelta

import pytest

from rental_app.domain import clock
from rental_app.domain.identity import IdentityState
from rental_app.infrastructure.db import read, write
from rental_app.models import IdentityPaper, IdentityPaperFile
from rental_app.services import maintenance
from rental_app.services.files import orphans
from rental_app.services.identity import stored
from tests.conftest import Clock
from tests.support.identity import add_paper
from tests.support.operating import letters
from tests.support.shop import Shop, add_user, count, put
from tests.support.trips import confirmed

pytestmark = pytest.mark.databases


def with_file(paper: IdentityPaper, key: str) -> IdentityPaper:
    put(IdentityPaperFile(paper_id=paper.id, key=key, content_type="image/jpeg", size=1, stored_bytes=1))
    return paper


def swept(at: datetime) -> list[str]:
    return [key for key in write(maintenance.sweep, at) if key.startswith("private/")]


def state(paper: IdentityPaper) -> str:
    row = read(lambda session: session.get(IdentityPaper, paper.id))
    return row.state if row else ""


def test_a_refused_one_goes_a_week_after_the_decision(shop: Shop, stopped_clock: Clock) -> None:
    begin = clock.now()
    refused = with_file(add_paper(shop.customer, "work", IdentityState.REFUSED), "private/refused-p2")
    with_file(add_paper(shop.customer, "id"), "private/accepted")
    assert swept(begin + timedelta(days=7, seconds=-1)) == []
    assert state(refused) == "refused"
    assert swept(begin + timedelta(days=7)) == ["private/refused-p2", "private/refused-p2-2"]
    assert (state(refused), count("identity_paper")) == ("", 1)


@pytest.mark.parametrize("before", [IdentityState.SENT, IdentityState.ACCEPTED])
def test_one_that_runs_out_is_expired_the_day_after_and_goes_thirty_days_later(
    shop: Shop, stopped_clock: Clock, before: IdentityState
) -> None:
    last = clock.indian_today(clock.now()) + timedelta(days=40)
    licence = with_file(add_paper(shop.customer, state=before, valid_until=last), "private/licence")

    def midnight_after(days: int) -> datetime:
        return clock.at(last + timedelta(days=days), datetime.min.time())

    swept(midnight_after(1) - timedelta(seconds=1))
    assert state(licence) == before
    assert swept(midnight_after(1)) == []
    assert state(licence) == "expired"
    assert swept(midnight_after(31) - timedelta(seconds=1)) == []
    assert swept(midnight_after(31)) == ["private/licence"]
    assert count("identity_paper") == 0


def test_all_go_a_year_after_the_last_booking_or_sending(shop: Shop, stopped_clock: Clock) -> None:
    begin = clock.now()
    with_file(add_paper(shop.customer, "id", sent_at=begin - timedelta(days=300)), "private/earlier")
    with_file(add_paper(shop.customer, "work", sent_at=begin), "private/later")
    other = add_user()
    with_file(add_paper(other, "id", sent_at=begin - timedelta(days=300)), "private/other")
    assert swept(begin + timedelta(days=65)) == ["private/other"]
    trip = confirmed(shop, days=3, length=2)
    assert swept(begin + timedelta(days=365)) == []
    assert swept(trip.return_at + timedelta(days=365)) == ["private/earlier", "private/later"]


def test_owners_are_told_before_and_when_one_runs_out(shop: Shop, stopped_clock: Clock) -> None:
    last = clock.indian_today(clock.now()) + timedelta(days=40)
    add_paper(shop.customer, valid_until=last)
    heard: dict[int, int] = {}
    for left in (31, 30, 8, 7, 6, 1, 0, -1, -2, -29):
        stopped_clock.instant = clock.at(last - timedelta(days=left), datetime.min.time())
        before = len(letters(shop.customer))
        for _ in range(2):
            write(maintenance.sweep, clock.now())
        heard[left] = len(letters(shop.customer)) - before
    assert heard == {31: 0, 30: 1, 8: 0, 7: 1, 6: 0, 1: 1, 0: 0, -1: 1, -2: 0, -29: 0}
    assert "driving licence" in letters(shop.customer)[-1]
    assert "no longer valid" in letters(shop.customer)[-1]


def test_pages_of_a_stored_document_are_nobodys_once_it_is_gone(shop: Shop) -> None:
    paper = with_file(add_paper(shop.customer), "private/ab-p3")
    keys = ["private/ab-p3", "private/ab-p3-2", "private/ab-p3-3"]
    assert read(orphans.orphaned, keys) == []
    write(stored.erase_files, [paper.id or 0])
    assert read(orphans.orphaned, keys) == keys
