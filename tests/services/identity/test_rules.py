"""What a customer's documents mean for requests, later returns, other vehicles and handovers."""

from datetime import timedelta

import pytest
from sqlmodel import Session, col, select

from rental_app.domain import clock, identity
from rental_app.domain.identity import KINDS, IdentityState
from rental_app.infrastructure.db import read, write
from rental_app.models import AssetModel, IdentityPaper, TripReading
from rental_app.schemas.readings import PAPERS, HandoverData
from rental_app.services.identity import stored
from rental_app.services.trips import readings
from tests.conftest import Clock, forget
from tests.support.booking_steps import book
from tests.support.guests import at_counter
from tests.support.identity import add_paper
from tests.support.shop import Shop, a_model, actor, add_user, add_vehicle, moment, wanted
from tests.support.trips import (
    at_pickup,
    confirmed,
    extend,
    grant,
    move,
    move_vehicle,
    photos,
    refusal,
    seen,
)

pytestmark = pytest.mark.databases


@pytest.fixture
def required(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENTAL_PAPERS", "required")
    forget()


@pytest.fixture
def off(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENTAL_PAPERS", "off")
    forget()


@pytest.mark.usefixtures("required")
def test_where_all_are_required_a_request_needs_all_four_sent_or_accepted(shop: Shop) -> None:
    error = refusal("papers_needed", book, shop.customer, wanted(shop.vehicle))
    assert set(error.fields) == set(KINDS)
    states = (IdentityState.SENT, IdentityState.ACCEPTED, IdentityState.SENT)
    for kind, state in zip(KINDS, states, strict=False):
        add_paper(shop.customer, kind, state)
    refused = add_paper(shop.customer, "residence", IdentityState.REFUSED)
    error = refusal("papers_needed", book, shop.customer, wanted(shop.vehicle))
    assert set(error.fields) == {"residence"}
    assert "residence proof" in error.message
    write(lambda session: session.delete(session.get_one(IdentityPaper, refused.id)))
    add_paper(shop.customer, "residence", IdentityState.SENT)
    book(shop.customer, wanted(shop.vehicle))
    # Whoever comes to the counter shows them there.
    at_counter(shop.vendor, shop.vehicle, moment(8), moment(9))


@pytest.mark.usefixtures("required")
def test_who_cannot_send_any_is_told_so(shop: Shop) -> None:
    other = add_user("Vendor", location_id=shop.place.id)
    assert "customer's account" in refusal("papers_needed", book, other, wanted(shop.vehicle)).message


def test_an_accepted_licence_for_other_vehicles_stops_a_request(shop: Shop) -> None:
    add_paper(shop.customer, classes=["LMV"])
    error = refusal("licence_class", book, shop.customer, wanted(shop.vehicle))
    assert "LMV" in error.message
    assert "MCWOG" in error.message
    geared = add_vehicle(shop.vendor, model_id=a_model("Motorcycle")[2])
    gearless = add_user()
    add_paper(gearless, classes=["MCWOG"])
    refusal("licence_class", book, gearless, wanted(geared))
    book(gearless, wanted(shop.vehicle))


def test_one_that_nobody_has_accepted_stops_nothing(shop: Shop) -> None:
    for number, state in enumerate((IdentityState.SENT, IdentityState.REFUSED, IdentityState.EXPIRED)):
        person = add_user()
        add_paper(person, state=state, classes=["LMV"])
        book(person, wanted(shop.vehicle, days=3 + 2 * number))


def test_a_licence_that_ends_before_the_return_stops_requests_and_later_returns(shop: Shop) -> None:
    last = clock.indian_today(moment(4))
    add_paper(shop.customer, valid_until=last)
    assert "comes back on" in refusal("licence_expires", book, shop.customer, wanted(shop.vehicle, 4)).message
    trip = confirmed(shop, days=3, length=1)
    refusal("licence_expires", extend, shop, trip.id, moment(5))
    assert "The customer's licence" in refusal("licence_expires", grant, shop, trip.id, moment(5)).message
    waiting = book(shop.customer, wanted(shop.vehicle, days=1, length=1, hour=9))
    refusal("licence_expires", move, shop, waiting.reference, moment(5), moment(6))
    assert seen(shop.customer, trip.id).return_at == trip.return_at


def test_another_vehicle_is_not_given_to_whom_the_licence_does_not_cover_it(shop: Shop) -> None:
    add_paper(shop.customer, classes=["MCWOG"])
    geared = add_vehicle(shop.vendor, model_id=a_model("Motorcycle")[2])
    trip = confirmed(shop)
    assert "The customer's licence" in refusal("licence_class", move_vehicle, shop, trip.id, geared).message
    same = add_vehicle(shop.vendor)
    assert move_vehicle(shop, trip.id, same).car.id == same.id


def handed_over(shop: Shop, ref: object, *papers: str) -> TripReading:
    data = HandoverData(odometer=1300, fuel_eighths=8, papers_seen=list(papers), helmets=1, unpaid_reason="Pays later")
    view = write(readings.hand_over, actor(shop.vendor), str(ref), data, photos())
    return read(readings_of, view.id)


def readings_of(session: Session, booking_id: int) -> TripReading:
    return session.scalars(select(TripReading).where(col(TripReading.booking_id) == booking_id)).one()


def test_what_we_have_checked_needs_no_look_at_the_handover(shop: Shop, stopped_clock: Clock) -> None:
    add_paper(shop.customer, "licence")
    add_paper(shop.customer, "work", IdentityState.SENT)
    trip = confirmed(shop)
    at_pickup(stopped_clock, trip)
    error = refusal("papers_missing", handed_over, shop, trip.id, "government_id")
    assert "work proof, residence proof" in error.message
    reading = handed_over(shop, trip.id, "government_id", "work_proof", "residence_proof")
    assert (reading.papers_seen, reading.papers_checked) == (
        ["government_id", "work_proof", "residence_proof"],
        ["licence"],
    )
    view = seen(shop.customer, trip.id).handover
    assert view
    assert view.papers_checked == ["licence"]


def test_all_four_checked_need_none(shop: Shop, stopped_clock: Clock) -> None:
    for kind in KINDS:
        add_paper(shop.customer, kind)
    trip = confirmed(shop)
    at_pickup(stopped_clock, trip)
    assert handed_over(shop, trip.id).papers_checked == list(PAPERS)


@pytest.mark.parametrize("wrong", [{"classes": ["LMV"]}, {"valid_until": None}])
def test_a_licence_that_does_not_hold_is_the_vendors_to_look_at(
    shop: Shop, stopped_clock: Clock, wrong: dict[str, object]
) -> None:
    trip = confirmed(shop)
    for kind in KINDS:
        add_paper(shop.customer, kind)
    day = clock.indian_today(trip.return_at) - timedelta(days=1)
    changed = {name: value or day for name, value in wrong.items()}
    write(lambda session: _change(session, shop, changed))
    at_pickup(stopped_clock, trip)
    error = refusal("papers_missing", handed_over, shop, trip.id)
    assert "The customer's licence" in error.message
    reading = handed_over(shop, trip.id, "licence")
    assert (reading.papers_seen, "licence" in (reading.papers_checked or [])) == (["licence"], False)


def _change(session: Session, shop: Shop, changed: dict[str, object]) -> None:
    licence = stored.of_person(session, shop.customer.id)["licence"]
    for name, value in changed.items():
        setattr(licence, name, value)
    session.flush()


@pytest.mark.usefixtures("off")
def test_where_none_are_taken_nothing_of_it_counts(shop: Shop, stopped_clock: Clock) -> None:
    add_paper(shop.customer, classes=["LMV"])
    trip = confirmed(shop)
    at_pickup(stopped_clock, trip)
    refusal("papers_missing", handed_over, shop, trip.id, "government_id", "work_proof", "residence_proof")


def test_models_of_the_catalogue_take_the_class_that_the_road_asks_for(database: str) -> None:
    models = read(lambda session: list(session.scalars(select(AssetModel))))
    needed = {model.name: identity.class_needed(model.shape, model.transmission_type) for model in models}
    assert (needed["Activa 6G"], needed["450X"], needed["Classic 350"], needed["RV400"]) == (
        "MCWOG",
        "MCWOG",
        "MCWG",
        "MCWOG",
    )
    assert (needed["Swift"], needed["Nexon EV"], needed["Thar"]) == ("LMV", "LMV", "LMV")
