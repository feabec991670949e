"""The numbers of the shop: first values, the console's, what a booking keeps of them, and who is too late."""

from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from hypothesis import given
from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.content.numbers import NAMES, in_force, written
from rental_app.content.numbers import read as read_numbers
from rental_app.domain.errors import InvalidInputError, RentalError
from rental_app.domain.policies import FIRST, Policies
from rental_app.infrastructure.db import read, write
from rental_app.models import Booking, User
from rental_app.schemas.trips import ObjectRequest, TripView
from rental_app.services import policies, words
from rental_app.services.accounts import sign_up
from rental_app.services.pricing import quotes
from rental_app.services.pricing.quotes import PriceChangedError
from rental_app.services.trips import answers, cancellations
from tests.conftest import Clock, forget
from tests.support.accounts import PERSON
from tests.support.booking_steps import alter, book, booked, decide
from tests.support.operating import last_entry, letters
from tests.support.policies import in_force as any_numbers
from tests.support.races import at_once
from tests.support.rows import each
from tests.support.shop import DAILY_PAISE, VISITOR, Shop, actor, add_vehicle, wanted
from tests.support.trips import (
    at_pickup,
    at_return,
    cancel,
    charge,
    confirmed,
    extend,
    going_on,
    hand_over,
    lines,
    pay,
    refusal,
    take_back,
    terms,
)

HARSH = {
    "early_percent": 50,
    "middle_percent": 90,
    "no_show_hours": 5,
    "grace_minutes": 60,
    "most_full_days": 1,
    "extend_hours": 48,
    "object_hours": 1,
    "speeding_fine": 250_00,
    "charge_days": 1,
    "second_helmet": 99_50,
    "refunds_from": 18,
    "refunds_to": 19,
}


def put(operator: User, seen: int = 0, **changed: int) -> Policies:
    """Put the first numbers in force, but for those given."""
    value = written(replace(policies.first(), **changed))
    return read_numbers(write(words.put, actor(operator), "numbers", value, seen, "").value)


def sent(**changed: object) -> dict[str, object]:
    return written(policies.first()) | changed


def wrong(value: object) -> dict[str, str]:
    with pytest.raises(InvalidInputError) as refused:
        read_numbers(value)
    return refused.value.fields


@pytest.mark.databases
def test_the_consoles_numbers_are_in_force_at_once_and_can_be_undone(operator: User) -> None:
    assert read(policies.current) == policies.first()
    put(operator, grace_minutes=30, max_vehicles=7, commission_bps=12_50)
    assert read(policies.current) == replace(policies.first(), grace_minutes=30, max_vehicles=7, commission_bps=12_50)
    kept = read(words.versions, actor(operator), "numbers")
    assert [(one.version, one.value["commission"]) for one in kept] == [(1, 12.5), (0, 0)]
    write(words.put, actor(operator), "numbers", kept[1].value, 1, "")
    assert read(policies.current) == policies.first()
    assert last_entry().act == "words.changed"


def test_settings_give_the_first_values_and_the_console_wins(operator: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENTAL_MAX_UNANSWERED", "5")
    forget()
    assert read(policies.current).max_unanswered == 5
    assert read(words.newest, "numbers").value["maxUnanswered"] == 5
    put(operator, max_unanswered=4)
    monkeypatch.setenv("RENTAL_MAX_UNANSWERED", "9")
    forget()
    assert read(policies.current).max_unanswered == 4


@given(any_numbers())
def test_numbers_that_are_sent_as_they_were_read_are_the_same(numbers: Policies) -> None:
    assert read_numbers(written(numbers)) == numbers
    assert read_numbers({name: str(value) for name, value in written(numbers).items()}) == numbers
    assert in_force(written(numbers), FIRST) == numbers


@each(
    ("name", "value", "message"),
    [
        ("speedingFine", -1, "Enter an amount between ₹0 and ₹10,000"),
        ("speedingFine", 99.999, "Enter at most two decimals"),
        ("speedingFine", "99.999", "Enter at most two decimals"),
        ("speedingFine", 10_000.01, "Enter an amount between ₹0 and ₹10,000"),
        ("speedingFine", "a lot", "Enter an amount in rupees"),
        ("speedingFine", float("nan"), "Enter an amount in rupees"),
        ("speedingFine", float("inf"), "Enter an amount in rupees"),
        ("speedingFine", True, "Enter an amount in rupees"),
        ("speedingFine", [100], "Enter an amount in rupees"),
        ("speedingFine", None, "Enter a number"),
        ("speedingFine", "", "Enter a number"),
        ("commission", 12.345, "Enter at most two decimals"),
        ("commission", "12.345", "Enter at most two decimals"),
        ("commission", -0.01, "Enter a percentage between 0 and 100"),
        ("commission", 100.01, "Enter a percentage between 0 and 100"),
        ("commission", "1e2", "Enter a percentage"),
        ("latePercent", 101, "Enter a whole number between 0 and 100"),
        ("earlyPercent", 25.5, "Enter a whole number"),
        ("earlyPercent", "٢٥", "Enter a whole number"),
        ("graceMinutes", 10**40, "Enter a whole number"),
        ("graceMinutes", 10**11, "Enter a whole number between 0 and 240"),
        ("maxVehicles", 0, "Enter a whole number between 1 and 1,00,000"),
        ("earlyHours", 24, "Early is longer before the pickup than late"),
        ("middlePercent", 24, "Cancelling in between keeps no less than cancelling early"),
        ("latePercent", 74, "Cancelling late keeps no less than cancelling in between"),
        ("refundsTo", 20, "They end later than they begin"),
        ("shortestHours", 1, "There is no number of this name"),
    ],
)
def test_a_wrong_number_is_refused_by_its_name(name: str, value: object, message: str) -> None:
    assert wrong(sent(**{name: value})) == {f"value.{name}": message}


def test_all_wrong_and_missing_numbers_are_named_together() -> None:
    assert wrong("cheap") == wrong([72]) == wrong(None) == {"value": "Send an object with all numbers"}
    assert wrong({}) == {f"value.{name}": "Enter a number" for name in NAMES}
    left_out = sent(graceMinutes=-1)
    del left_out["helmetDays"]
    assert wrong(left_out) == {
        "value.graceMinutes": "Enter a whole number between 0 and 240",
        "value.helmetDays": "Enter a number",
    }


def test_a_fee_of_nothing_is_free() -> None:
    numbers = read_numbers(sent(speedingFine=0, secondHelmet="0", commission=0, earlyPercent="0"))
    assert (numbers.speeding_fine, numbers.second_helmet, numbers.early_percent) == (0, 0, 0)


@pytest.mark.databases
def test_a_booking_keeps_the_numbers_it_was_made_under(shop: Shop, operator: User, stopped_clock: Clock) -> None:
    before = confirmed(shop, days=20)
    pay(shop, before.id, before.price)
    put(operator, **HARSH)
    assert terms(shop, before.id).percent == 25
    after = confirmed(shop, days=30)
    pay(shop, after.id, after.price)
    assert terms(shop, after.id).percent == 50
    put(operator, seen=1)
    assert terms(shop, after.id).percent == 50
    assert cancel(shop, after.id, after.price // 2).status == "cancelled"


def _late_and_fast(shop: Shop, clock: Clock, trip: TripView, odometer: int) -> dict[str, int]:
    at_pickup(clock, trip)
    hand_over(shop, trip.id, odometer)
    at_return(clock, trip, minutes=40)
    return dict(lines(take_back(shop, trip.id, odometer, speedings=2)))


@pytest.mark.databases
def test_a_late_return_is_charged_by_the_numbers_of_the_booking(
    shop: Shop, operator: User, stopped_clock: Clock
) -> None:
    before = confirmed(shop)
    put(operator, **HARSH)
    charged = _late_and_fast(shop, stopped_clock, before, 1300)
    assert (charged["late"], charged["speeding"]) == (50_00, 200_00)
    after = confirmed(shop)
    charged = _late_and_fast(shop, stopped_clock, after, 1500)
    assert "late" not in charged
    assert charged["speeding"] == 500_00
    stopped_clock.instant += timedelta(days=2)
    assert "challan" in dict(lines(charge(shop, before.id)))
    assert "1 day after" in refusal("too_late_to_charge", charge, shop, after.id).message


def test_a_no_show_an_extension_and_an_objection_go_by_the_bookings_numbers(
    shop: Shop, operator: User, stopped_clock: Clock
) -> None:
    put(operator, **HARSH)
    trip = confirmed(shop)
    at_return(stopped_clock, trip, hours=-40)
    late = refusal("too_late_to_extend", extend, shop, trip.id, trip.return_at + timedelta(days=1))
    assert "until 48 hours before" in late.message
    at_pickup(stopped_clock, trip, hours=3)
    refusal("too_early", lambda: write(cancellations.mark_no_show, actor(shop.vendor), str(trip.id)))
    hand_over(shop, trip.id)
    stopped_clock.instant += timedelta(hours=2)
    asked = ObjectRequest(note="It has a scratch")
    late = refusal("too_late_to_object", lambda: write(answers.object_to, actor(shop.customer), str(trip.id), asked))
    assert "within 1 hour" in late.message
    at_return(stopped_clock, trip)
    back = take_back(shop, trip.id)
    assert back.deposit_back
    assert back.deposit_back.end - back.deposit_back.begin == timedelta(hours=1)


def test_a_booking_of_an_earlier_version_goes_by_the_first_numbers(
    shop: Shop, operator: User, stopped_clock: Clock
) -> None:
    put(operator, **HARSH)
    trip = confirmed(shop, days=20)
    alter(Booking, trip.id, policies=None)
    pay(shop, trip.id, trip.price)
    assert terms(shop, trip.id).percent == 25


def test_a_booking_shown_before_the_numbers_changed_is_refused(shop: Shop, operator: User) -> None:
    request = wanted(shop.vehicle, days=20)
    shown = read(quotes.quote_for, VISITOR, request)
    asked = request.model_copy(update={"expected_numbers": shown.numbers})
    put(operator, early_percent=50)
    late = refusal("price_changed", book, shop.customer, asked)
    assert late.message == "The terms of cancelling, late returns or fees have changed"
    assert isinstance(late, PriceChangedError)
    book(shop.customer, asked.model_copy(update={"expected_numbers": late.quote.numbers}))
    assert booked(shop).policies == read(policies.current).booked


def test_a_change_of_what_no_booking_keeps_refuses_none(shop: Shop, operator: User) -> None:
    shown = FIRST.code
    put(operator, max_vehicles=5, range_km=200)
    book(shop.customer, wanted(shop.vehicle).model_copy(update={"expected_numbers": shown}))


def test_a_dearer_helmet_changes_the_total_that_was_shown(shop: Shop, operator: User) -> None:
    request = wanted(shop.vehicle, length=2).model_copy(update={"extras": ["helmet"]})
    shown = request.model_copy(update={"expected_total": 2 * DAILY_PAISE + FIRST.second_helmet})
    put(operator, second_helmet=300_00)
    refusal("price_changed", book, shop.customer, shown)
    made = book(shop.customer, shown.model_copy(update={"expected_total": 2 * DAILY_PAISE + 300_00}))
    put(operator, seen=1, second_helmet=1_00)
    decide(shop.vendor, made.id, "confirmed")
    longer = extend(shop, made.id, made.return_at + timedelta(days=4))
    assert longer.price == 6 * DAILY_PAISE + 2 * 300_00, "a second trip of five days, at the fee it was booked for"


@pytest.mark.databases
def test_a_booking_made_while_numbers_change_is_of_one_version(shop: Shop, operator: User) -> None:
    request = wanted(shop.vehicle, length=2).model_copy(update={"extras": ["helmet"]})
    change = partial(put, operator, second_helmet=300_00, early_percent=50)
    assert at_once(partial(book, shop.customer, request), change) == ["", ""]
    made = booked(shop)
    assert made.policies is not None
    fees = {made.policies["second_helmet"], made.price_paise - 2 * DAILY_PAISE}
    assert fees in ({200_00}, {300_00})
    assert made.policies["early_percent"] == {200_00: 25, 300_00: 50}[fees.pop()]


def test_a_continued_trip_keeps_the_numbers_of_the_earlier_one(
    shop: Shop, operator: User, stopped_clock: Clock
) -> None:
    trip = confirmed(shop)
    put(operator, **HARSH)
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.id)
    stopped_clock.instant += timedelta(hours=1)
    take_back(shop, trip.id, reason="breakdown")
    other = add_vehicle(shop.vendor)
    made = going_on(shop.vendor, trip.reference, other, stopped_clock.instant, trip.return_at)
    stored = read(lambda session: session.get_one(Booking, made.id)).policies
    assert stored == FIRST.booked


def test_of_two_who_change_numbers_one_is_too_late(operator: User) -> None:
    put(operator, grace_minutes=20)
    with pytest.raises(RentalError) as late:
        put(operator, grace_minutes=30)
    assert late.value.code == "changed_meanwhile"
    assert late.value.details["version"] == 1


def _commission_of(session: Session, email: str) -> int:
    return session.scalars(select(col(User.commission_bps)).where(col(User.email) == email)).one()


def test_new_vendors_have_the_commission_in_force_and_others_keep_theirs(shop: Shop, operator: User) -> None:
    put(operator, commission_bps=7_50)
    seller = PERSON.model_copy(update={"email": "seller@example.com", "is_vendor": True})
    for form, expected in ((seller, 7_50), (PERSON, 0)):
        sign_up.register(form, VISITOR)
        assert read(_commission_of, form.email) == expected
    assert read(lambda session: session.get_one(User, shop.vendor.id)).commission_bps == 0


def test_a_message_about_a_booking_says_the_bookings_own_numbers(
    shop: Shop, operator: User, stopped_clock: Clock
) -> None:
    trip = confirmed(shop)
    put(operator, **HARSH)
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.id)
    at_return(stopped_clock, trip)
    take_back(shop, trip.id)
    charge(shop, trip.id)
    told = " ".join(" ".join(letters(shop.customer)).split())
    assert "object to it there within 24 hours" in told
    assert "7 PM" not in told
