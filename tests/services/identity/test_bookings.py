"""What the vendor of a booking sees of its customer's documents, and until when."""

from datetime import timedelta

import pytest

from rental_app.domain.errors import NotFoundError
from rental_app.domain.identity import IdentityState
from rental_app.infrastructure.db import read, write
from rental_app.infrastructure.settings import settings
from rental_app.models import IdentityPaper, IdentityPaperFile, User
from rental_app.schemas.identity import BookingPapersAnswer
from rental_app.services.console import evidence
from rental_app.services.identity import bookings, papers, stored
from tests.conftest import Clock
from tests.support.booking_steps import book, decide
from tests.support.guests import at_counter
from tests.support.identity import add_paper, send
from tests.support.races import at_once
from tests.support.shop import Shop, actor, add_user, moment, put, wanted
from tests.support.trips import at_return, confirmed, give_up, hand_over, refusal, take_back

pytestmark = pytest.mark.databases


@pytest.fixture
def licence(shop: Shop) -> IdentityPaper:
    paper = add_paper(shop.customer, "licence", IdentityState.SENT)
    put(IdentityPaperFile(paper_id=paper.id, key="private/x-p2", content_type="image/jpeg", size=1, stored_bytes=1))
    return paper


def shown(shop: Shop, ref: object, who: User | None = None) -> BookingPapersAnswer:
    return read(bookings.of_booking, actor(who or shop.vendor), str(ref))


def pictures(shop: Shop, ref: object) -> int:
    """How many pictures are shown; whether they can be looked at agrees with it."""
    licence = read(stored.of_person, shop.customer.id or 0)["licence"].id or 0
    paper = next((paper for paper in shown(shop, ref).papers if paper.kind == "licence"), None)
    found = paper.pictures if paper else 0
    for number in (1, 2):
        try:
            write(bookings.see_picture, actor(shop.vendor), str(ref), licence, number)
            looked = True
        except NotFoundError:
            looked = False
        assert looked is (number <= found)
    return found


@pytest.mark.usefixtures("licence")
def test_pictures_are_there_from_the_confirmation_until_a_day_after_the_return(
    shop: Shop, stopped_clock: Clock
) -> None:
    made = book(shop.customer, wanted(shop.vehicle))
    assert (pictures(shop, made.reference), len(shown(shop, made.reference).papers)) == (0, 4)
    decide(shop.vendor, made.id, "confirmed")
    answer = shown(shop, made.reference)
    assert pictures(shop, made.reference) == 2
    assert answer.pictures_until == made.return_at + timedelta(hours=24)
    stopped_clock.instant = made.pickup
    hand_over(shop, made.reference)
    stopped_clock.instant = made.return_at + timedelta(days=3)
    # It is late; until it is back, its customer has to be found.
    assert (pictures(shop, made.reference), shown(shop, made.reference).pictures_until) == (2, None)
    take_back(shop, made.reference)
    assert shown(shop, made.reference).pictures_until == stopped_clock.instant + timedelta(hours=24)
    stopped_clock.move(hours=23, minutes=59)
    assert pictures(shop, made.reference) == 2
    stopped_clock.move(minutes=1)
    assert (pictures(shop, made.reference), shown(shop, made.reference).papers) == (0, [])


@pytest.mark.usefixtures("licence")
def test_nothing_is_there_after_a_cancellation_or_a_day_after_nobody_came(shop: Shop, stopped_clock: Clock) -> None:
    cancelled = confirmed(shop)
    give_up(shop.vendor, cancelled.id)
    assert (pictures(shop, cancelled.id), shown(shop, cancelled.id).papers) == (0, [])
    never = confirmed(shop, days=6)
    at_return(stopped_clock, never, hours=23, minutes=59)
    assert pictures(shop, never.id) == 2
    at_return(stopped_clock, never, hours=24)
    assert (pictures(shop, never.id), shown(shop, never.id).papers) == (0, [])


def test_nobody_but_the_vendors_people_sees_anything(shop: Shop, licence: IdentityPaper) -> None:
    trip = confirmed(shop)
    others = (shop.customer, add_user("Vendor", location_id=shop.place.id), add_user("Operator"), add_user())
    for person in others:
        refusal("unknown_booking", shown, shop, trip.id, person)
        refusal("unknown_booking", write, bookings.see_picture, actor(person), str(trip.id), licence.id, 1)


@pytest.mark.usefixtures("licence")
def test_a_booking_opens_its_own_customers_documents_alone(shop: Shop) -> None:
    trip, other = confirmed(shop), add_paper(add_user(), "work", IdentityState.SENT)
    put(IdentityPaperFile(paper_id=other.id, key="private/y", content_type="image/jpeg", size=1, stored_bytes=1))
    refusal("unknown_paper", write, bookings.see_picture, actor(shop.vendor), str(trip.id), other.id, 1)


def test_guests_have_none(shop: Shop) -> None:
    made = at_counter(shop.vendor, shop.vehicle, moment(2), moment(3))
    assert shown(shop, made.reference).papers == []


@pytest.mark.parametrize(
    ("state", "seen"),
    [
        (IdentityState.SENT, "sent"),
        (IdentityState.ACCEPTED, "checked"),
        (IdentityState.REFUSED, "refused"),
        (IdentityState.EXPIRED, "expired"),
    ],
)
def test_the_vendor_sees_how_each_stands_and_no_pictures_of_what_is_not_valid(
    shop: Shop, state: IdentityState, seen: str
) -> None:
    paper = add_paper(shop.customer, state=state, classes=["LMV"])
    put(IdentityPaperFile(paper_id=paper.id, key="private/x-p2", content_type="image/jpeg", size=1, stored_bytes=1))
    # Made before the licence counted.
    write(lambda session: setattr(session.get_one(IdentityPaper, paper.id), "state", IdentityState.SENT))
    trip = confirmed(shop)
    write(lambda session: setattr(session.get_one(IdentityPaper, paper.id), "state", state))
    licence = shown(shop, trip.id).papers[1]
    assert (licence.state, licence.classes_cover) == (seen, False)
    assert "LMV" in licence.problem
    assert pictures(shop, trip.id) == (2 if seen in ("sent", "checked") else 0)


def test_looks_of_one_person_within_an_hour_are_one_and_owners_see_them(shop: Shop, stopped_clock: Clock) -> None:
    licence = send(shop.customer)
    trip = confirmed(shop, days=2)

    def look(who: User) -> None:
        write(bookings.see_picture, actor(who), str(trip.id), licence.id, 1)

    for _ in range(3):
        look(shop.vendor)
        stopped_clock.move(minutes=30)
    looks = read(papers.of_actor, actor(shop.customer)).looks
    assert [(each.who, each.role, each.kind) for each in looks] == [(shop.vendor.name, "vendor", "licence")] * 2
    # Those at one that was replaced since stay.
    newer = send(shop.customer)
    write(evidence.see_identity, actor(add_user("Operator")), newer.id, 1)
    looks = read(papers.of_actor, actor(shop.customer)).looks
    assert [each.role for each in looks] == ["operator", "vendor", "vendor"]
    assert looks[0].who == settings().product_name


@pytest.mark.usefixtures("licence")
def test_looks_at_what_was_there_before_it_was_noted_who_sends_are_seen_too(shop: Shop) -> None:
    trip = confirmed(shop)
    assert pictures(shop, trip.id) == 2
    assert len(read(papers.of_actor, actor(shop.customer)).looks) == 1


def test_two_pictures_at_once_are_one_look(shop: Shop) -> None:
    licence, trip = send(shop.customer), confirmed(shop)
    look = [lambda: write(bookings.see_picture, actor(shop.vendor), str(trip.id), licence.id, 1)] * 4
    assert at_once(*look) == [""] * 4
    assert len(read(papers.of_actor, actor(shop.customer)).looks) == 1
