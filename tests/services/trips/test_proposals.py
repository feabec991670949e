"""What a vendor proposes, what the customer answers, and moving a booking to another vehicle."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select
from sqlmodel import col

from rental_app.infrastructure.db import read, transaction, write
from rental_app.models import AssetModel, Block, Vehicle
from rental_app.schemas.trips import ProposalView, TripView
from rental_app.services.bookings import proposals
from rental_app.services.bookings.access import hold
from rental_app.services.calendar import blocks
from tests.conftest import Clock
from tests.support.booking_steps import alter, ask, book
from tests.support.shop import DAILY_PAISE, DEPOSIT_PAISE, Shop, actor, add_user, add_vehicle, wanted
from tests.support.trips import (
    answer,
    at_pickup,
    cancel,
    confirmed,
    extend,
    give_up,
    grant,
    hand_over,
    kinds_to,
    lines,
    move_vehicle,
    owed,
    pay,
    refusal,
    reverse,
    seen,
    terms,
)

PRICE = 2 * DAILY_PAISE


def proposed(trip: TripView) -> ProposalView:
    """The proposal that waits."""
    assert trip.proposal
    return trip.proposal


def other_model(shop: Shop, **more: Any) -> Vehicle:
    """A vehicle of another model than the shop's own."""
    another = select(col(AssetModel.id)).where(col(AssetModel.id) != 1).limit(1)
    return add_vehicle(shop.vendor, model_id=read(lambda session: session.scalars(another).one()), **more)


def test_a_later_return_that_costs_more_holds_its_time_until_the_customer_answers(shop: Shop, trip: TripView) -> None:
    later = trip.return_at + timedelta(days=1)
    asked = grant(shop, trip.id, later)
    waiting = proposed(asked)
    assert (waiting.total, waiting.extra, asked.balance, asked.return_at) == (
        PRICE + DAILY_PAISE, DAILY_PAISE, trip.balance, trip.return_at,
    )  # fmt: skip
    assert kinds_to(shop.customer)[-1] == "proposed"
    refusal("dates_taken", book, add_user(), wanted(shop.vehicle, days=5))
    refusal("proposal_open", grant, shop, trip.id, later + timedelta(days=1))
    refusal("terms_changed", answer, shop, trip.id, waiting.id, total=waiting.total - 100)
    refusal("unknown_proposal", answer, shop, trip.id, waiting.id + 1)
    done = answer(shop, trip.id, waiting.id, total=waiting.total)
    assert (done.return_at, done.price) == (later, PRICE + DAILY_PAISE)
    assert owed(done) == (PRICE + DAILY_PAISE, DEPOSIT_PAISE)
    assert (done.proposal, lines(done)[-1]) == (None, ("extension", DAILY_PAISE))
    refusal("proposal_over", answer, shop, trip.id, waiting.id)
    assert "proposal_agreed" in kinds_to(shop.vendor)


def test_without_a_yes_everything_stays(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop, days=5)
    waiting = proposed(grant(shop, trip.id, trip.return_at + timedelta(days=1)))
    # Nobody takes away what holds it.
    newest = select(col(Block.id)).order_by(col(Block.id).desc())
    block = read(lambda session: session.scalars(newest).first())
    refusal("unknown_block", write, blocks.remove, actor(shop.vendor), block or 0)
    refused = answer(shop, trip.id, waiting.id, yes=False)
    assert (refused.return_at, refused.balance, refused.proposal) == (trip.return_at, trip.balance, None)
    assert kinds_to(shop.vendor)[-1] == "proposal_refused"
    waiting = proposed(grant(shop, trip.id, trip.return_at + timedelta(days=1)))
    stopped_clock.move(hours=24)
    refusal("proposal_over", answer, shop, trip.id, waiting.id)
    write(proposals.lapse, stopped_clock.instant)
    assert kinds_to(shop.vendor)[-1] == "proposal_lapsed"
    # The demo's own proposal may lapse as well.
    held = select(col(Block.id)).where(col(Block.vehicle_id) == shop.vehicle.id)
    assert read(lambda session: session.scalars(held).all()) == []
    assert seen(shop.customer, trip.id).proposal is None


def test_a_customer_who_extends_or_cancels_ends_what_is_proposed(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop, days=5)
    later = trip.return_at + timedelta(days=1)
    waiting = proposed(grant(shop, trip.id, later))
    assert extend(shop, trip.id, later).return_at == later
    refusal("proposal_over", answer, shop, trip.id, waiting.id)
    waiting = proposed(grant(shop, trip.id, later + timedelta(days=1)))
    cancel(shop, trip.id, terms(shop, trip.id).kept)
    refusal("proposal_over", answer, shop, trip.id, waiting.id)
    assert book(shop.customer, wanted(shop.vehicle, days=5, length=4)).status == "pending"


def test_a_vehicle_of_the_same_model_takes_its_place_at_once(shop: Shop, trip: TripView) -> None:
    pay(shop, trip.id, PRICE)
    dearer = add_vehicle(shop.vendor, 2 * DAILY_PAISE, deposit_paise=2 * DEPOSIT_PAISE, late_penalty_paise=9_000)
    done = move_vehicle(shop, trip.id, dearer)
    assert (done.car.id, done.price, done.deposit, done.late_penalty) == (dearer.id, PRICE, DEPOSIT_PAISE, 5_000)
    assert (owed(done), kinds_to(shop.customer)[-1]) == ((0, DEPOSIT_PAISE), "vehicle_changed")
    assert "The gearbox" in done.timeline[-1].note
    assert book(add_user(), wanted(shop.vehicle, days=3, length=2)).status == "pending"
    refusal("dates_taken", book, add_user(), wanted(dearer, days=3, length=2))
    cheaper = add_vehicle(shop.vendor, DAILY_PAISE // 2, deposit_paise=0)
    less = move_vehicle(shop, trip.id, cheaper)
    assert (less.price, lines(less)[-1], owed(less)) == (PRICE // 2, ("discount", -PRICE // 2), (-PRICE // 2, 0))
    assert less.price == sum(line.amount for line in less.lines)


def test_another_model_is_held_until_the_customer_agrees(shop: Shop, trip: TripView) -> None:
    target = other_model(shop)
    asked = move_vehicle(shop, trip.id, target)
    waiting = proposed(asked)
    assert (asked.car.id, waiting.kind, waiting.total) == (shop.vehicle.id, "move", PRICE)
    refusal("dates_taken", book, add_user(), wanted(target, days=3, length=2))
    refusal("proposal_open", move_vehicle, shop, trip.id, other_model(shop))
    done = answer(shop, trip.id, waiting.id, total=PRICE)
    assert (done.car.id, done.price, owed(done)) == (target.id, PRICE, (PRICE, DEPOSIT_PAISE))
    refusal("dates_taken", book, add_user(), wanted(target, days=3, length=2))


def test_a_move_that_is_no_longer_what_was_proposed(shop: Shop, trip: TripView, stopped_clock: Clock) -> None:
    target = other_model(shop)
    waiting = proposed(move_vehicle(shop, trip.id, target))
    ask(target, DAILY_PAISE // 2)
    refusal("terms_changed", answer, shop, trip.id, waiting.id)
    ask(target, DAILY_PAISE)
    at_pickup(stopped_clock, trip)
    refusal("proposal_over", answer, shop, trip.id, waiting.id)
    hand_over(shop, trip.id)
    refusal("wrong_stage", move_vehicle, shop, trip.id, add_vehicle(shop.vendor))


def test_where_a_booking_cannot_be_moved(shop: Shop, trip: TripView) -> None:
    theirs = add_vehicle(add_user("Vendor", location_id=shop.place.id))
    refusal("same_vehicle", move_vehicle, shop, trip.id, shop.vehicle)
    refusal("unknown_vehicle", move_vehicle, shop, trip.id, theirs)
    taken = add_vehicle(shop.vendor)
    book(add_user(), wanted(taken, days=4))
    refusal("dates_taken", move_vehicle, shop, trip.id, taken)
    expired = add_vehicle(shop.vendor)
    alter(Vehicle, expired.id, insurance_expiry_date=trip.pickup.date())
    refusal("papers_expire", move_vehicle, shop, trip.id, expired)
    give_up(shop.vendor, trip.id)
    refusal("not_confirmed", move_vehicle, shop, trip.id, add_vehicle(shop.vendor))


def test_what_was_waived_is_not_taken_off_again(shop: Shop, trip: TripView) -> None:
    cheaper = add_vehicle(shop.vendor, DAILY_PAISE // 2)
    waived = reverse(shop, trip.id, trip.ledger[0].id)
    moved = move_vehicle(shop, trip.id, cheaper)
    assert (moved.price, owed(moved)[0], lines(moved)) == (PRICE // 2, 0, lines(waived))
    # All of it would be more than the price of now, even a moment after it was taken back.
    asked = proposed(reverse(shop, trip.id, waived.ledger[-1].id))
    assert (asked.kind, asked.extra) == ("discount", PRICE)


def test_a_charge_is_taken_back_with_the_discount_on_it(shop: Shop, trip: TripView) -> None:
    move_vehicle(shop, trip.id, add_vehicle(shop.vendor, DAILY_PAISE // 2))
    waived = reverse(shop, trip.id, trip.ledger[0].id)
    assert (owed(waived)[0], lines(waived)[-2:]) == (0, [("rental", -PRICE), ("discount", PRICE // 2)])
    # Nothing is left that it could come off.
    refusal("more_than_charged", reverse, shop, trip.id, waived.ledger[-1].id)


@pytest.mark.databases
@pytest.mark.parametrize("kind", ["postgresql"])
def test_a_move_waits_for_nobody_whose_proposal_lapsed(stopped_clock: Clock, shop: Shop) -> None:
    """A booking that somebody works on, while another one is moved to the vehicle that is held for it."""
    target, other = other_model(shop), add_vehicle(shop.vendor)
    trip, held, elsewhere = confirmed(shop, days=5), confirmed(shop, days=9), confirmed(shop, days=20)
    move_vehicle(shop, held.id, target)
    grant(shop, elsewhere.id, elsewhere.return_at + timedelta(days=1))
    stopped_clock.move(hours=25)
    with ThreadPoolExecutor(1) as threads, transaction(writing=True) as session:
        for ref in (held.id, elsewhere.id):
            hold(session, actor(shop.vendor), str(ref), "vendor")
        for vehicle in (target, other):
            # Of the shop's own vehicle, whose row is locked with the bookings, nothing is asked.
            waiting = threads.submit(write, proposals.lapse, stopped_clock.instant, None, vehicle.id)
            waiting.result(timeout=10)
        threads.submit(write, proposals.lapse, stopped_clock.instant).result(timeout=10)
    assert kinds_to(shop.vendor).count("proposal_lapsed") == 0
    assert move_vehicle(shop, trip.id, other).car.id == other.id
    assert kinds_to(shop.vendor).count("proposal_lapsed") == 0
    move_vehicle(shop, trip.id, target)
    assert kinds_to(shop.vendor).count("proposal_lapsed") == 1
    write(proposals.lapse, stopped_clock.instant)
    assert kinds_to(shop.vendor).count("proposal_lapsed") == 2
