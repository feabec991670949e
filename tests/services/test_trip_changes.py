"""Other dates: for a request any, for a trip a later return, each shown before and guarded as a new booking."""

from datetime import datetime, timedelta

import pytest

from rental_app.db import read, write
from rental_app.errors import ForbiddenError
from rental_app.models import User, Vehicle
from rental_app.rules import clock
from rental_app.schemas.trips import ChangeRequest, ExtendRequest, Extension, ExtensionRequest, TripView
from rental_app.services.trips import changing
from tests.conftest import Clock
from tests.helpers import DAILY_PAISE, Shop, actor, add_user, add_vehicle, moment, wanted, wire
from tests.services.steps import alter, ask, book, decide
from tests.services.test_trip_races import at_once
from tests.services.test_trips import refusal
from tests.services.trips import at_return, cancel, confirmed, hand_over, lines, owed, pay, seen, take_back, terms


def move(shop: Shop, ref: object, pickup: datetime, return_at: datetime, total: int | None = None) -> TripView:
    request = ChangeRequest(pickup=wire(pickup), return_at=wire(return_at), expected_total=total and total / 100)
    return write(changing.change, actor(shop.customer), str(ref), request)


def preview(user: User, ref: object, return_at: datetime) -> Extension:
    return read(changing.preview, actor(user), str(ref), ExtensionRequest(return_at=wire(return_at)))


def extend(shop: Shop, ref: object, return_at: datetime, extra: int | None = None) -> TripView:
    request = ExtendRequest(return_at=wire(return_at), expected_extra=None if extra is None else extra / 100)
    return write(changing.extend, actor(shop.customer), str(ref), request)


def grant(shop: Shop, ref: object, return_at: datetime) -> TripView:
    return write(changing.grant, actor(shop.vendor), str(ref), ExtendRequest(return_at=wire(return_at)))


def test_a_request_moves_to_other_dates_at_the_price_shown(shop: Shop, stopped_clock: Clock) -> None:
    asked = book(shop.customer, wanted(shop.vehicle, days=3))
    stopped_clock.move(hours=1)
    # One day over the old dates and two after them.
    moved = move(shop, asked.reference, moment(3, 12), moment(6, 12), 3 * DAILY_PAISE)
    assert (moved.pickup, moved.return_at, moved.price) == (moment(3, 12), moment(6, 12), 3 * DAILY_PAISE)
    assert moved.answer_by == asked.answer_by + timedelta(hours=1)
    assert [one.what for one in moved.timeline] == ["requested", "changed"]
    # The old hours are free, the new ones are not.
    assert book(add_user(), wanted(shop.vehicle, days=2, hour=12)).pickup == moment(2, 12)
    refusal("dates_taken", book, add_user(), wanted(shop.vehicle, days=5))
    ask(shop.vehicle, 60_000)
    refusal("price_changed", move, shop, asked.id, moment(8), moment(9), DAILY_PAISE)
    refusal("outside_hours", move, shop, asked.id, moment(8, 5), moment(9, 10))
    refusal("too_short", move, shop, asked.id, moment(8, 10), moment(8, 20))
    refusal("dates_taken", move, shop, asked.id, moment(2), moment(6))
    decide(shop.vendor, asked.id, "confirmed")
    refusal("already_decided", move, shop, asked.id, moment(8), moment(9))


def test_other_dates_are_priced_before_the_request_moves(shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle, days=3))
    book(add_user(), wanted(shop.vehicle, days=6))

    def priced(first: int, last: int, user: User = shop.customer) -> int:
        request = ChangeRequest(pickup=wire(moment(first)), return_at=wire(moment(last)))
        return read(changing.new_price, actor(user), asked.reference, request).total

    # Its own old dates are not in its way, those of others are.
    assert priced(3, 6) == 3 * DAILY_PAISE
    refusal("dates_taken", priced, 5, 7)
    refusal("unknown_booking", priced, 8, 9, add_user())
    assert seen(shop.customer, asked.id).pickup == asked.pickup
    decide(shop.vendor, asked.id, "confirmed")
    refusal("already_decided", priced, 8, 9)


def test_a_lapsed_or_foreign_request_does_not_move(shop: Shop, stopped_clock: Clock) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    with pytest.raises(ForbiddenError):
        write(changing.change, actor(shop.vendor), asked.reference, ChangeRequest(pickup="", return_at=""))
    refusal("dates_missing", write, changing.change, actor(shop.customer), asked.reference, ChangeRequest())
    stopped_clock.instant = asked.answer_by
    refusal("already_decided", move, shop, asked.id, moment(8), moment(9))


def test_a_trip_is_extended_for_what_the_whole_costs_more(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
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
    # Pressed twice, it is later once.
    assert extend(shop, ref, later, shown.extra) == longer
    ask(shop.vehicle, 10_000)
    free = extend(shop, ref, later + timedelta(days=1), 0)
    assert (free.price, owed(free)[0]) == (shown.total, shown.extra)
    pay(shop, ref, shown.extra)
    assert cancel(shop, ref, terms(shop, ref).kept).balance.rent < 0


def test_the_vendor_extends_when_it_is_too_late_for_the_customer(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
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
    assert grant(shop, ref, later).return_at == later
    assert [kind for kind, _ in lines(take_back(shop, ref))] == ["rental", "extension"]
    refusal("wrong_stage", grant, shop, ref, later + timedelta(days=1))


def test_extensions_keep_to_every_rule(shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    refusal("not_confirmed", extend, shop, asked.id, moment(6))
    decide(shop.vendor, asked.id, "confirmed")
    ref = asked.reference
    refusal("not_later", extend, shop, ref, moment(4, 9))
    refusal("too_long", extend, shop, ref, moment(33, 11))
    refusal("outside_hours", extend, shop, ref, moment(6, 21))
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
    refusal("dates_missing", write, changing.extend, actor(shop.customer), ref, ExtendRequest())
    refusal("bad_date", write, changing.extend, actor(shop.customer), ref, ExtendRequest(return_at="tomorrow"))
    # A vehicle that is switched off keeps its trips.
    alter(Vehicle, shop.vehicle.id, is_active=False, pollution_expiry_date=clock.indian(moment(80)).date())


def test_an_extension_and_a_new_booking_have_one_winner(shop: Shop) -> None:
    for _ in range(3):
        shop.vehicle = add_vehicle(shop.vendor)
        trip = confirmed(shop, days=3, length=1)
        codes = at_once(
            lambda ref=trip.reference: extend(shop, ref, moment(5)),  # type: ignore[misc]
            lambda: book(add_user(), wanted(shop.vehicle, days=4)),
        )
        assert sorted(codes) == ["", "dates_taken"]
        cancel(shop, trip.reference, 0)


def test_two_tabs_extend_once_and_two_requests_never_meet(shop: Shop) -> None:
    trip = confirmed(shop, days=3, length=1)
    codes = at_once(*[lambda: extend(shop, trip.reference, moment(5), DAILY_PAISE)] * 4)
    assert codes == [""] * 4
    assert lines(seen(shop.customer, trip.id)).count(("extension", DAILY_PAISE)) == 1
    mine, theirs = book(shop.customer, wanted(shop.vehicle, days=8)), book(add_user(), wanted(shop.vehicle, days=10))
    codes = at_once(
        lambda: move(shop, mine.id, moment(12), moment(14)),
        lambda: book(add_user(), wanted(shop.vehicle, days=13)),
        lambda: decide(shop.vendor, theirs.id, "confirmed"),
    )
    assert codes[2] == ""
    assert sorted(codes[:2]) == ["", "dates_taken"]


def test_a_change_and_the_vendors_answer_agree_on_the_dates(shop: Shop) -> None:
    for day in (3, 9, 15):
        asked = book(shop.customer, wanted(shop.vehicle, days=day))
        codes = at_once(
            lambda ref=asked.id, at=day: move(shop, ref, moment(at + 1), moment(at + 2)),  # type: ignore[misc]
            lambda number=asked.id: decide(shop.vendor, number, "confirmed"),  # type: ignore[misc]
        )
        assert codes[1] == ""
        trip = seen(shop.customer, asked.id)
        assert (codes[0] == "") == (trip.pickup == moment(day + 1))
        assert sum(paise for _, paise in lines(trip)) == trip.price
        cancel(shop, trip.reference, 0)
