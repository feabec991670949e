"""Offers: when they are in force, what they take off, and how often; a trip over the end of a year."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date, time, timedelta
from threading import Barrier

import pytest
from sqlalchemy import delete
from sqlalchemy.exc import DatabaseError

from rental_app.domain import clock
from rental_app.domain.errors import RentalError
from rental_app.infrastructure.db import read, write
from rental_app.models import Booking, Offer, User, Vehicle
from rental_app.schemas.bookings import BookingRequest
from rental_app.services.pricing import promotions, quotes
from tests.conftest import Clock
from tests.support.booking_steps import alter, book, decide
from tests.support.rows import each
from tests.support.shop import (
    ALL_DAY,
    DAILY_PAISE,
    DAY,
    DEPOSIT_PAISE,
    VISITOR,
    Shop,
    actor,
    add_user,
    add_vehicle,
    offer,
    put,
    wanted,
    wire,
)
from tests.support.trips import cancel, hand_over, lines, owed, pay, refusal, take_back, terms


def codes(day: date) -> list[str]:
    return [view.code for view in read(promotions.in_force, VISITOR, day)]


def test_of_the_demo_offers_the_one_that_is_over_is_hidden(database: str) -> None:
    assert codes(clock.indian_today(clock.now())) == ["EARLYBIRDS", "WEEKLONG", "FIRSTRIDE"]


def test_both_ends_belong_to_an_offer(database: str) -> None:
    write(lambda session: session.execute(delete(Offer)))
    put(offer("LONGER", DAY - timedelta(days=1), DAY + timedelta(days=3)))
    put(offer("TODAY"))
    assert codes(DAY - timedelta(days=2)) == []
    assert codes(DAY - timedelta(days=1)) == ["LONGER"]
    assert codes(DAY) == ["TODAY", "LONGER"]
    assert codes(DAY + timedelta(days=3)) == ["LONGER"]
    assert codes(DAY + timedelta(days=4)) == []


def test_the_offer_that_takes_most_off_is_proposed_if_its_customer_may_use_it(shop: Shop) -> None:
    write(lambda session: session.execute(delete(Offer)))
    today = clock.indian_today(clock.now())
    put(offer("SMALL", today, today, minimum_days=1, off_paise=5_000))
    put(offer("LARGE", today, today, minimum_days=1, off_paise=9_000, uses_each=1))
    put(offer("WEEK", today, today, minimum_days=7, off_paise=90_000))

    def proposed(days: int = 2) -> str:
        found = read(promotions.best_offer, actor(shop.customer), days, 2 * DAILY_PAISE)
        return found.code if found else ""

    assert (proposed(), proposed(7)) == ("LARGE", "WEEK")
    book(shop.customer, wanted(shop.vehicle, 3).model_copy(update={"offer": "LARGE"}))
    assert proposed() == "SMALL"


def test_an_offer_that_is_used_up_is_not_shown_until_a_use_comes_back(shop: Shop) -> None:
    today = clock.indian_today(clock.now())
    put(offer("ONLYTWO", today, today, minimum_days=1, uses=2))
    made = [book(add_user(), wanted(shop.vehicle, days).model_copy(update={"offer": "ONLYTWO"})) for days in (3, 5)]
    assert "ONLYTWO" not in codes(today)
    decide(shop.vendor, made[0].id, "confirmed")
    assert "ONLYTWO" not in codes(today)
    decide(shop.vendor, made[1].id, "cancelled")
    assert "ONLYTWO" in codes(today)


@pytest.mark.databases
@each(
    "wrong",
    [
        offer("lower"),
        offer("X"),
        offer("BACKWARDS", ends_on=DAY - timedelta(days=1)),
        offer("NODAYS", minimum_days=0),
        offer("WEEKLONG"),
        offer("NOTHING", off_paise=0),
        offer("BOTH", percent=10),
        offer("LATER", uses=0),
        offer("OVERALL", percent=101, off_paise=0),
    ],
)
def test_the_database_refuses_offers_that_cannot_be(database: str, wrong: Offer) -> None:
    # A copy, since the run on the other database needs one, too.
    with pytest.raises(DatabaseError):
        put(Offer(**wrong.model_dump()))


def campaign(code: str = "TENTH", **fields: object) -> None:
    """Add an offer that is in force today."""
    put(offer(code, clock.indian_today(clock.now()), clock.indian_today(clock.now()), **{"minimum_days": 1} | fields))


def with_code(shop: Shop, code: str, days: int = 3, length: int = 1) -> BookingRequest:
    return BookingRequest.model_validate(wanted(shop.vehicle, days, length).model_dump() | {"offer": code})


def code_of_refusal(request: BookingRequest, user: User | None = None) -> str:
    """Return the code with which a quote, or a user's booking, is refused at the offer's field."""
    with pytest.raises(RentalError) as refused:
        book(user, request) if user else read(quotes.quote_for, VISITOR, request)
    assert set(refused.value.fields) == {"offer"}
    return refused.value.code


def test_a_code_in_small_letters_takes_its_part_off_the_plans(shop: Shop) -> None:
    campaign(percent=10, off_paise=0, cap_paise=7_500)
    quoted = read(quotes.quote_for, VISITOR, with_code(shop, " tenth "))
    made = book(shop.customer, with_code(shop, "tenth"))
    assert quoted.total == made.price == DAILY_PAISE - 5_000
    assert (made.offer, made.lines[1].kind, made.lines[1].amount) == ("TENTH", "discount", -5_000)
    assert read(quotes.quote_for, VISITOR, with_code(shop, "TENTH", 6, 3)).total == 3 * DAILY_PAISE - 7_500
    helmet = with_code(shop, "TENTH", 10).model_copy(update={"extras": ["helmet"]})
    assert read(quotes.quote_for, VISITOR, helmet).total == DAILY_PAISE - 5_000 + 20_000


def test_rupees_never_take_off_more_than_the_plans_cost(shop: Shop) -> None:
    campaign("MUCH", off_paise=10 * DAILY_PAISE)
    request = with_code(shop, "MUCH").model_copy(update={"extras": ["helmet"]})
    assert book(shop.customer, request).price == 20_000


def test_codes_that_give_nothing_are_refused_by_name(shop: Shop) -> None:
    today = clock.indian_today(clock.now())
    put(offer("YESTERDAY", today - timedelta(days=9), today - timedelta(days=1)))
    put(offer("TOMORROW", today + timedelta(days=1), today + timedelta(days=1)))
    campaign("LONG", minimum_days=3)
    assert code_of_refusal(with_code(shop, "NOSUCH")) == "offer_unknown"
    assert code_of_refusal(with_code(shop, "yesterday")) == "offer_not_in_force"
    assert code_of_refusal(with_code(shop, "TOMORROW")) == "offer_not_in_force"
    assert code_of_refusal(with_code(shop, "LONG", 3, 2)) == "offer_minimum_days"
    assert read(quotes.quote_for, VISITOR, with_code(shop, "LONG", 3, 3)).total == 3 * DAILY_PAISE - 100


def test_a_use_comes_back_when_its_booking_is_cancelled_or_lapses(shop: Shop) -> None:
    campaign("ONCE", uses=1)
    first = book(shop.customer, with_code(shop, "ONCE"))
    other = add_user()
    assert code_of_refusal(with_code(shop, "ONCE", 6)) == "offer_used_up"
    assert code_of_refusal(with_code(shop, "ONCE", 6), other) == "offer_used_up"
    decide(shop.vendor, first.id, "cancelled")
    again = book(other, with_code(shop, "ONCE", 6))
    assert again.price == DAILY_PAISE - 100
    assert code_of_refusal(with_code(shop, "ONCE", 9), shop.customer) == "offer_used_up"
    alter(Booking, again.id, answer_by=clock.now())
    assert book(shop.customer, with_code(shop, "ONCE", 9)).price == DAILY_PAISE - 100


def test_a_customer_uses_an_offer_as_often_as_it_says(shop: Shop) -> None:
    campaign("EACHONE", uses_each=1)
    book(shop.customer, with_code(shop, "EACHONE"))
    assert code_of_refusal(with_code(shop, "EACHONE", 6), shop.customer) == "offer_used_up"
    with pytest.raises(RentalError, match="You have used the offer EACHONE already"):
        read(quotes.quote_for, actor(shop.customer), with_code(shop, "EACHONE", 6))
    assert book(add_user(), with_code(shop, "EACHONE", 6)).offer == "EACHONE"


@pytest.mark.databases
def test_the_last_use_is_given_once(shop: Shop) -> None:
    campaign("LASTONE", uses=1)
    people = [(add_user(), add_vehicle(shop.vendor)) for _ in range(6)]
    start = Barrier(len(people))

    def attempt(person: tuple[User, Vehicle]) -> str:
        request = with_code(shop, "lastone").model_copy(update={"car": person[1].id})
        start.wait()
        try:
            return book(person[0], request).status
        except RentalError as error:
            return error.code

    with ThreadPoolExecutor(len(people)) as pool:
        answers = list(pool.map(attempt, people))
    assert sorted(answers) == ["offer_used_up"] * 5 + ["pending"]


@pytest.fixture
def last_day(shop: Shop, stopped_clock: Clock) -> date:
    """The last day of a year, five days ahead; the shop is open all day, with papers in order."""
    day = date(2026, 12, 31)
    stopped_clock.instant = clock.at(day - timedelta(days=5), time(12))
    later = day + timedelta(days=90)
    alter(Vehicle, shop.vehicle.id, insurance_expiry_date=later, pollution_expiry_date=later)
    alter(User, shop.vendor.id, **ALL_DAY)
    return day


def overnight(shop: Shop, day: date) -> BookingRequest:
    """Return a request from 11 PM until 11 PM of the next day."""
    pickup = clock.at(day, time(23))
    return BookingRequest(car=shop.vehicle.id, pickup=wire(pickup), return_at=wire(pickup + timedelta(days=1)))


def test_a_trip_into_the_next_month(shop: Shop, stopped_clock: Clock, last_day: date) -> None:
    asked = book(shop.customer, overnight(shop, last_day))
    decide(shop.vendor, asked.id, "confirmed")
    pay(shop, asked.id, DAILY_PAISE)
    pay(shop, asked.id, DEPOSIT_PAISE, "deposit")
    stopped_clock.instant = clock.at(last_day - timedelta(days=1), time(23))
    shown = terms(shop, asked.id)
    assert (shown.percent, shown.dearer_at) == (75, stopped_clock.instant)
    stopped_clock.move(seconds=1)
    refusal("terms_changed", cancel, shop, asked.id, shown.kept)
    assert terms(shop, asked.id).percent == 100
    stopped_clock.instant = asked.pickup
    hand_over(shop, asked.id)
    # Half past midnight, on the second day of the month.
    stopped_clock.instant = clock.at(last_day + timedelta(days=2), time(0, 30))
    back = take_back(shop, asked.id)
    assert lines(back)[-2:] == [("late", 2 * 5_000), ("deposit kept", 2 * 5_000)]
    assert owed(back) == (0, 10_000 - DEPOSIT_PAISE)
    evening = last_day + timedelta(days=2)
    assert (back.deposit_back.begin, back.deposit_back.end) == (
        clock.at(evening, time(20)),
        clock.at(evening, time(21)),
    )


def test_an_offer_ends_with_the_indian_day(shop: Shop, stopped_clock: Clock, last_day: date) -> None:
    put(offer("MONTHEND", last_day - timedelta(days=9), last_day, minimum_days=1))
    request = overnight(shop, last_day + timedelta(days=3)).model_copy(update={"offer": "MONTHEND"})
    stopped_clock.instant = clock.at(last_day, time(23, 59, 59))
    assert read(quotes.quote_for, VISITOR, request).total == DAILY_PAISE - 100
    stopped_clock.move(seconds=1)
    refusal("offer_not_in_force", read, quotes.quote_for, VISITOR, request)
