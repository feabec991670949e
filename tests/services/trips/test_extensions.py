"""A later return of a trip: previewed, priced by what the whole trip costs more, and guarded like a new booking."""

from datetime import timedelta

import pytest
from sqlalchemy import delete
from sqlmodel import col

from rental_app.domain import clock
from rental_app.infrastructure.db import write
from rental_app.models import Booking, Offer, User, Vehicle, VehiclePrice
from rental_app.schemas.trips import ExtendRequest, ReplacementRequest, TripView
from rental_app.services.trips import changes, moves
from tests.conftest import Clock
from tests.support.booking_steps import alter, ask, book, decide
from tests.support.guests import at_counter
from tests.support.shop import DAILY_PAISE, Shop, actor, add_user, add_vehicle, moment, put, wanted
from tests.support.trips import (
    at_pickup,
    at_return,
    cancel,
    confirmed,
    extend,
    give_up,
    grant,
    hand_over,
    lines,
    move_vehicle,
    owed,
    pay,
    preview,
    refusal,
    reverse,
    seen,
    take_back,
    terms,
)


def test_a_trip_is_extended_for_what_the_whole_costs_more(shop: Shop, trip: TripView) -> None:
    ref, later = trip.reference, trip.return_at + timedelta(days=2)
    pay(shop, ref, 2 * DAILY_PAISE)
    ask(shop.vehicle, 60_000)
    shown = preview(shop.customer, ref, later)
    assert (shown.extra, shown.total) == (4 * 60_000 - 2 * DAILY_PAISE, 4 * 60_000)
    refusal("price_changed", extend, shop, ref, later, shown.extra - 100)
    longer = extend(shop, ref, later, shown.extra)
    assert (longer.return_at, longer.price, longer.kms_included) == (later, shown.total, 400)
    assert lines(longer)[-1] == ("extension", shown.extra)
    assert owed(longer)[0] == shown.extra
    # A second click does not extend it again.
    assert extend(shop, ref, later, shown.extra) == longer
    ask(shop.vehicle, 10_000)
    free = extend(shop, ref, later + timedelta(days=1), 0)
    assert (free.price, owed(free)[0]) == (shown.total, shown.extra)
    pay(shop, ref, shown.extra)
    assert cancel(shop, ref, terms(shop, ref).kept).balance.rent < 0


def test_an_extension_does_not_charge_again_for_days_that_were_given_away(shop: Shop, trip: TripView) -> None:
    ref, later = trip.reference, trip.return_at + timedelta(days=1)
    reverse(shop, ref, extend(shop, ref, later).ledger[-1].id)
    shown = preview(shop.customer, ref, later + timedelta(days=1))
    assert (shown.extra, shown.total) == (DAILY_PAISE, 4 * DAILY_PAISE)
    longer = extend(shop, ref, shown.return_at, shown.extra)
    assert (longer.price, owed(longer)[0]) == (4 * DAILY_PAISE, 3 * DAILY_PAISE)
    assert [line.amount for line in longer.lines] == [2 * DAILY_PAISE, DAILY_PAISE, DAILY_PAISE]


def test_an_extension_takes_away_no_kilometres_that_were_agreed(shop: Shop, stopped_clock: Clock) -> None:
    ask(shop.vehicle, DAILY_PAISE, kms_limit=0)
    unlimited = confirmed(shop)
    ask(shop.vehicle, DAILY_PAISE, kms_limit=100)
    limited = confirmed(shop, days=10)
    ask(shop.vehicle, DAILY_PAISE, kms_limit=10)
    for trip, kms in ((unlimited, None), (limited, 200)):
        later = trip.return_at + timedelta(days=1)
        shown = preview(shop.customer, trip.reference, later)
        longer = extend(shop, trip.reference, later, shown.extra)
        assert (longer.price, shown.kms_included, longer.kms_included) == (3 * DAILY_PAISE, kms, kms)
    at_pickup(stopped_clock, unlimited)
    hand_over(shop, unlimited.reference)
    assert "kilometres" not in dict(lines(take_back(shop, unlimited.reference, 1700)))
    # The current price of the whole trip includes more kilometres.
    ask(shop.vehicle, DAILY_PAISE, kms_limit=150)
    assert extend(shop, limited.reference, limited.return_at + timedelta(days=2)).kms_included == 4 * 150


@pytest.mark.parametrize("is_price_kept", [True, False])
def test_where_the_vehicle_has_no_daily_price_now_a_day_costs_what_it_did(
    shop: Shop, trip: TripView, stopped_clock: Clock, is_price_kept: bool
) -> None:
    if not is_price_kept:
        alter(Booking, trip.id, full_day_paise=0)
    # A plan that was emptied may have lost its kilometres together with its price.
    ask(shop.vehicle, 0, status="Inactive", kms_limit=0)
    longer = extend(shop, trip.reference, trip.return_at + timedelta(days=1))
    assert (longer.price, longer.kms_included) == (3 * DAILY_PAISE, 300)
    # The vehicle's other plans count as usual.
    put(VehiclePrice(vehicle_id=shop.vehicle.id or 0, price_name="Week", price_paise=5 * DAILY_PAISE, kms_limit=650))
    longer = extend(shop, trip.reference, trip.return_at + timedelta(days=5))
    assert (longer.price, longer.kms_included) == (5 * DAILY_PAISE, 650)
    # Late charges are capped by that price as well, not by zero.
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.reference)
    at_return(stopped_clock, longer, hours=2)
    assert dict(lines(take_back(shop, trip.reference)))["late"] > 0


def test_an_extension_keeps_extras_and_offer_that_cannot_be_had_any_more(shop: Shop) -> None:
    alter(User, shop.vendor.id, delivery_supported=True)
    alter(Vehicle, shop.vehicle.id, drop_off_pick_extra_payment=True, drop_off_paise=15_000)
    today = clock.indian_today(clock.now())
    put(Offer(code="GONE", title="T", terms="", minimum_days=1, off_paise=10_000, starts_on=today, ends_on=today))
    wish = {"extras": ["helmet", "drop_off"], "address": "12 Lake Road", "offer": "GONE"}
    asked = book(shop.customer, wanted(shop.vehicle, length=2).model_copy(update=wish))
    decide(shop.vendor, asked.id, "confirmed")
    assert asked.price == 2 * DAILY_PAISE + 20_000 + 15_000 - 10_000
    alter(User, shop.vendor.id, delivery_supported=False)
    assert preview(shop.customer, asked.reference, moment(6)).extra == DAILY_PAISE
    alter(User, shop.vendor.id, delivery_supported=True)
    alter(Vehicle, shop.vehicle.id, drop_off_paise=90_000)
    assert preview(shop.customer, asked.reference, moment(6)).extra == DAILY_PAISE
    write(lambda session: session.execute(delete(Offer).where(col(Offer.code) == "GONE")))
    # The second helmet is paid per five days; five more have begun.
    longer = extend(shop, asked.reference, moment(9), 4 * DAILY_PAISE + 20_000)
    assert (longer.return_at, longer.extras) == (moment(9), ["helmet", "drop_off"])


@pytest.mark.parametrize("total", ["300", "900"])
def test_what_was_agreed_at_the_counter_stays_agreed_when_the_trip_gets_longer(
    shop: Shop, stopped_clock: Clock, total: str
) -> None:
    made = at_counter(shop.vendor, shop.vehicle, moment(1, 12), moment(2), total=total, reason="Regular customer")
    for later, extra in ((moment(2, 12), 0), (moment(3, 12), DAILY_PAISE), (moment(5, 12), 3 * DAILY_PAISE)):
        assert preview(shop.vendor, made.id, later).extra == extra
    longer = grant(shop, made.id, moment(2, 12))
    assert (longer.return_at, longer.price) == (moment(2, 12), int(total) * 100)
    # The price of the day that was agreed upon has changed since.
    ask(shop.vehicle, 2 * DAILY_PAISE)
    assert preview(shop.vendor, made.id, moment(3, 12)).extra == 2 * DAILY_PAISE


def test_a_dearer_vehicle_at_no_higher_price_stays_so_when_the_trip_gets_longer(shop: Shop, trip: TripView) -> None:
    dearer = add_vehicle(shop.vendor, daily=3 * DAILY_PAISE)
    move_vehicle(shop, trip.reference, dearer)
    assert seen(shop.customer, trip.reference).price == 2 * DAILY_PAISE
    assert preview(shop.customer, trip.reference, trip.return_at + timedelta(days=1)).extra == 3 * DAILY_PAISE
    given_up = confirmed(shop, days=10)
    give_up(shop.vendor, given_up.reference)
    wish = ReplacementRequest(vehicle=dearer.id)
    instead = write(moves.replace, actor(shop.customer), given_up.reference, wish)
    assert instead.price == 2 * DAILY_PAISE
    assert preview(shop.customer, instead.reference, instead.return_at + timedelta(days=1)).extra == 3 * DAILY_PAISE


def test_the_vendor_alone_gives_more_time_only_for_nothing_more(
    shop: Shop, trip: TripView, stopped_clock: Clock
) -> None:
    ref, later = trip.reference, trip.return_at + timedelta(days=1)
    at_return(stopped_clock, trip, hours=-24, seconds=1)
    error = refusal("too_late_to_extend", extend, shop, ref, later)
    assert shop.vendor.phone_number in error.message
    assert "₹50" in error.message
    assert preview(shop.vendor, ref, later).extra == DAILY_PAISE
    stopped_clock.move(seconds=-1)
    assert preview(shop.customer, ref, later).extra == DAILY_PAISE
    stopped_clock.instant = trip.pickup
    hand_over(shop, ref)
    at_return(stopped_clock, trip, hours=3)
    before = seen(shop.vendor, ref)
    asked = grant(shop, ref, later)
    assert (asked.return_at, asked.balance, asked.price) == (before.return_at, before.balance, before.price)
    assert asked.proposal
    assert (asked.proposal.kind, asked.proposal.extra) == ("extension", DAILY_PAISE)
    ask(shop.vehicle, DAILY_PAISE // 2)
    assert grant(shop, ref, later).return_at == later
    assert [kind for kind, _ in lines(take_back(shop, ref))] == ["rental"]
    refusal("wrong_stage", grant, shop, ref, later + timedelta(days=1))


def test_extensions_keep_to_every_rule(shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    # Even for the return it has already.
    for return_at in (asked.return_at, moment(6)):
        refusal("not_confirmed", extend, shop, asked.id, return_at)
    decide(shop.vendor, asked.id, "confirmed")
    ref = asked.reference
    refusal("not_later", extend, shop, ref, moment(4, 9))
    refusal("too_long", extend, shop, ref, moment(33, 11))
    closed = refusal("outside_hours", extend, shop, ref, moment(6, 21))
    assert closed.fields == {"returnDate": "Return must be between 9 AM and 8 PM"}
    weekday = f"{clock.indian(moment(7)):%A}"
    alter(User, shop.vendor.id, closing_days=[weekday])
    refusal("outside_hours", extend, shop, ref, moment(7))
    alter(Vehicle, shop.vehicle.id, pollution_expiry_date=clock.indian(moment(8)).date())
    assert preview(shop.customer, ref, moment(8)).extra == 4 * DAILY_PAISE
    refusal("papers_expire", extend, shop, ref, moment(9))
    book(add_user(), wanted(shop.vehicle, days=5))
    refusal("dates_taken", extend, shop, ref, moment(5, 11))
    refusal("dates_taken", extend, shop, ref, moment(8))
    assert extend(shop, ref, moment(5)).return_at == moment(5)
    refusal("dates_missing", write, changes.extend, actor(shop.customer), ref, ExtendRequest())
    refusal("bad_date", write, changes.extend, actor(shop.customer), ref, ExtendRequest(return_at="tomorrow"))


def test_a_later_return_that_is_not_paid_yet_makes_cancelling_no_dearer(shop: Shop) -> None:
    trip = confirmed(shop, days=20)
    pay(shop, trip.reference, trip.price)
    before = terms(shop, trip.reference)
    assert before.kept == trip.price // 4
    extend(shop, trip.reference, trip.return_at + timedelta(hours=1))
    later = extend(shop, trip.reference, trip.return_at + timedelta(days=1))
    assert later.price > trip.price
    assert terms(shop, trip.reference) == before
    # Once it is paid, it counts like the rest.
    pay(shop, trip.reference, later.price - trip.price)
    assert terms(shop, trip.reference).kept == later.price // 4
