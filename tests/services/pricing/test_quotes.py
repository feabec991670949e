"""A rental's price with its extras, its vendor's rules and a nearby return; what is booked costs what was shown."""

from typing import Any

import pytest

from rental_app.domain import clock
from rental_app.domain.clock import WEEKDAYS
from rental_app.domain.errors import ConflictError, InvalidInputError, NotFoundError
from rental_app.domain.money import PAISE_PER_RUPEE
from rental_app.domain.policies import FIRST
from rental_app.infrastructure.db import read, write
from rental_app.models import Booking, Offer, User, Vehicle, VehiclePrice
from rental_app.schemas.bookings import BookingRequest
from rental_app.schemas.calendars import CalendarRequest
from rental_app.schemas.prices import PriceRuleIn
from rental_app.schemas.quotes import QuoteView
from rental_app.schemas.search import PageSearch
from rental_app.schemas.validation import validated
from rental_app.schemas.wire import MAX_RUPEES
from rental_app.services.bookings import free_dates
from rental_app.services.bookings.free_dates import DatesUnavailableError
from rental_app.services.fleet import price_rules
from rental_app.services.pricing import quotes
from rental_app.services.pricing.quotes import PriceChangedError
from rental_app.services.search import search
from rental_app.web.parts.presenters.links import wall_text
from rental_app.web.screens.vehicles import presenter
from tests.conftest import Clock
from tests.support.booking_steps import alter, ask, book, decide
from tests.support.shop import (
    DAILY_PAISE,
    DEPOSIT_PAISE,
    VISITOR,
    Shop,
    a_model,
    actor,
    add_user,
    add_vehicle,
    count,
    moment,
    open_shop,
    put,
    search_for,
    wanted,
    wire,
)


def quote(shop: Shop, days: int = 3, length: int = 1, **wishes: Any) -> QuoteView:
    request = wanted(shop.vehicle, days, length)
    return read(quotes.quote_for, VISITOR, BookingRequest.model_validate(request.model_dump() | wishes))


def until(shop: Shop, days: int, hour: int) -> BookingRequest:
    """Return a request from day three, 10 AM, to another hour."""
    return BookingRequest(car=shop.vehicle.id, pickup=wire(moment(3)), return_at=wire(moment(days, hour)))


def sell(shop: Shop, **plans: int) -> None:
    for name, price in plans.items():
        put(VehiclePrice(vehicle_id=shop.vehicle.id, price_name=name.replace("_", " "), price_paise=price))


def test_card_quote_and_booking_cost_the_same(shop: Shop) -> None:
    sell(shop, Half_Day=30_000, Week=250_000)
    write(price_rules.add, actor(shop.vendor), PriceRuleIn(weekday=f"{moment(9):%A}", percent=20))
    window = {"pickup": wall_text(moment(3)), "return_at": wall_text(moment(11))}
    shown = read(presenter.results, VISITOR, PageSearch(location=shop.place.name, **window))
    quoted, made = quote(shop, 3, 8), book(shop.customer, wanted(shop.vehicle, 3, 8))
    assert (shown.cards[0].total, shown.cards[0].duration) == ("₹3,000", "8 days")
    assert quoted.total == made.price == 300_000
    assert quoted.saving == 8 * DAILY_PAISE + 10_000 - 300_000
    assert [line.model_dump() for line in quoted.lines] == [line.model_dump() for line in made.lines]


def test_plans_switched_off_or_without_a_price_do_not_count(shop: Shop) -> None:
    put(VehiclePrice(vehicle_id=shop.vehicle.id, price_name="Week", price_paise=1, status="Inactive"))
    put(VehiclePrice(vehicle_id=shop.vehicle.id, price_name="Month", price_paise=0))
    assert quote(shop, 3, 8).total == 8 * DAILY_PAISE


def test_a_return_nearby_that_costs_less_is_named(shop: Shop) -> None:
    late = read(quotes.quote_for, VISITOR, until(shop, 4, 15))
    assert late.cheaper
    assert (late.cheaper.return_at, late.cheaper.total) == (moment(4), DAILY_PAISE)
    assert quote(shop).cheaper is None
    # Half a day less would end at 10 PM, but the vendor closes at 8.
    sell(shop, Half_Day=30_000)
    evening = read(quotes.quote_for, VISITOR, until(shop, 5, 9))
    assert evening.cheaper
    assert (evening.cheaper.return_at, evening.cheaper.total) == (moment(4, 20), DAILY_PAISE + 30_000)


def test_no_return_is_named_that_the_offer_refuses(shop: Shop) -> None:
    today = clock.indian_today(clock.now())
    put(Offer(code="SEVEN", title="T", terms="", minimum_days=7, off_paise=100, starts_on=today, ends_on=today))
    for length, named in ((6, None), (7, moment(10))):
        request = until(shop, 3 + length, 11).model_copy(update={"offer": "SEVEN"})
        cheaper = read(quotes.quote_for, VISITOR, request).cheaper
        assert (cheaper and cheaper.return_at) == named


def test_the_second_helmet_is_paid_for_every_started_five_days(shop: Shop) -> None:
    assert [line.amount for line in quote(shop, 3, 5, extras=["helmet"]).lines] == [5 * DAILY_PAISE, 20_000]
    week = quote(shop, 3, 6, extras=["helmet"])
    assert (week.lines[1].label, week.lines[1].quantity, week.lines[1].amount) == ("Second helmet", 2, 40_000)
    made = book(shop.customer, wanted(shop.vehicle).model_copy(update={"extras": ["helmet"]}))
    assert (made.price, made.extras, made.lines[1].kind) == (DAILY_PAISE + 20_000, ["helmet"], "extra")


def test_delivery_costs_what_the_vehicle_asks_where_its_vendor_delivers(shop: Shop) -> None:
    with pytest.raises(InvalidInputError) as refused:
        quote(shop, extras=["drop_off"])
    assert (refused.value.code, set(refused.value.fields)) == ("extra_not_offered", {"extras"})
    alter(User, shop.vendor.id, delivery_supported=True)
    alter(Vehicle, shop.vehicle.id, drop_off_paise=15_000, pick_up_paise=10_000)
    both = ["pick_up", "drop_off"]
    assert quote(shop, extras=both).total == DAILY_PAISE
    alter(Vehicle, shop.vehicle.id, drop_off_pick_extra_payment=True)
    assert [line.amount for line in quote(shop, extras=both).lines[1:]] == [15_000, 10_000]
    request = wanted(shop.vehicle).model_copy(update={"extras": both, "address": ""})
    with pytest.raises(InvalidInputError) as nowhere:
        book(shop.customer, request)
    assert (nowhere.value.code, set(nowhere.value.fields)) == ("address_missing", {"address"})
    made = book(shop.customer, request.model_copy(update={"address": "12 Lake Road"}))
    assert (made.price, made.address) == (DAILY_PAISE + 25_000, "12 Lake Road")


def test_a_car_has_no_second_helmet(shop: Shop) -> None:
    car = add_vehicle(shop.vendor, model_id=a_model("Car")[2])
    with pytest.raises(InvalidInputError, match="Not available with this vehicle: Second helmet"):
        read(quotes.quote_for, VISITOR, wanted(car).model_copy(update={"extras": ["helmet"]}))


def test_rules_are_the_vendors_own_and_act_at_once(shop: Shop) -> None:
    weekday, before = f"{clock.indian(moment(3)):%A}", book(add_user(), wanted(shop.vehicle, 10))
    other = open_shop("Elsewhere")
    everywhere = write(price_rules.add, actor(shop.vendor), PriceRuleIn(weekday=weekday, percent=50))
    assert quote(shop).total == 75_000
    assert quote(other).total == DAILY_PAISE
    dates = {"first_day": clock.indian(moment(3)).date(), "last_day": clock.indian(moment(3)).date()}
    write(price_rules.add, actor(shop.vendor), PriceRuleIn(percent=10, **dates))
    assert quote(shop).total == 55_000
    write(price_rules.add, actor(shop.vendor), PriceRuleIn(percent=-20, vehicle=shop.vehicle.id, **dates))
    assert quote(shop).total == 40_000
    assert [rule.percent for rule in read(price_rules.of_vendor, actor(shop.vendor))] == [-20, 10, 50]
    assert before.price == DAILY_PAISE
    with pytest.raises(NotFoundError):
        write(price_rules.remove, actor(other.vendor), everywhere.id)
    with pytest.raises(NotFoundError):
        write(price_rules.add, actor(other.vendor), PriceRuleIn(percent=-20, vehicle=shop.vehicle.id, **dates))


def test_no_rule_makes_a_day_dearer_than_any_day_may_be(shop: Shop) -> None:
    """A month of the dearest days, with all extras, can still be found, quoted, and booked at the price shown."""
    most = MAX_RUPEES * PAISE_PER_RUPEE
    ask(shop.vehicle, most // 2)
    alter(User, shop.vendor.id, delivery_supported=True)
    alter(Vehicle, shop.vehicle.id, drop_off_paise=most, pick_up_paise=most, drop_off_pick_extra_payment=True)
    for weekday in WEEKDAYS:
        write(price_rules.add, actor(shop.vendor), PriceRuleIn(weekday=weekday, percent=200))
    asked = search_for(shop.place, 3, 30)
    (total,) = read(search.available, VISITOR, asked).totals.values()
    quoted = quote(shop, 3, 30)
    assert (total, [line.rate for line in quoted.lines]) == (quoted.total, [most])
    wishes = {"extras": ["helmet", "drop_off", "pick_up"], "address": "12 Lake Road"}
    shown = quote(shop, 3, 30, **wishes).total
    request = wanted(shop.vehicle, 3, 30).model_dump(by_alias=True) | wishes
    made = book(shop.customer, validated(BookingRequest, request | {"expectedTotal": shown / PAISE_PER_RUPEE}))
    assert made.price == shown == quoted.total + 2 * most + 6 * FIRST.second_helmet


@pytest.mark.parametrize("asked", ["quote", "booking"])
def test_dates_that_are_taken_are_answered_with_the_nearest_free_ones(shop: Shop, asked: str) -> None:
    held = book(add_user(), wanted(shop.vehicle, 5, 2))
    with pytest.raises(DatesUnavailableError) as refused:
        quote(shop, 6, 2) if asked == "quote" else book(shop.customer, wanted(shop.vehicle, 6, 2))
    nearest = [(free.pickup, free.return_at) for free in refused.value.nearest]
    assert refused.value.code == "dates_taken"
    assert nearest == [(moment(7), moment(9)), (moment(8), moment(10)), (moment(3), moment(5))]
    decide(shop.vendor, held.id, "cancelled")
    assert quote(shop, 6, 2).total == 2 * DAILY_PAISE


def test_nothing_is_offered_for_which_the_papers_run_out(shop: Shop) -> None:
    alter(Vehicle, shop.vehicle.id, pollution_expiry_date=clock.indian(moment(8)).date())
    book(add_user(), wanted(shop.vehicle, 3, 3))
    with pytest.raises(DatesUnavailableError) as refused:
        quote(shop, 4, 2)
    assert max(free.return_at for free in refused.value.nearest) == moment(8)


def test_a_calendar_shows_what_holds_the_vehicle_and_nothing_of_whom(shop: Shop, stopped_clock: Clock) -> None:
    alter(User, shop.vendor.id, closing_days=["Sunday", "Monday"])
    open_days = [
        day for day in range(3, 20) if WEEKDAYS[clock.indian(moment(day)).weekday()] not in ("Sunday", "Monday")
    ]
    held = book(shop.customer, wanted(shop.vehicle, open_days[0], open_days[1] - open_days[0]))
    gone = book(add_user(), wanted(shop.vehicle, open_days[4], open_days[5] - open_days[4]))
    decide(shop.vendor, gone.id, "cancelled")
    shown = read(free_dates.calendar, VISITOR, shop.vehicle.id, CalendarRequest())
    assert [(each.pickup, each.return_at) for each in shown.busy] == [(held.pickup, held.return_at)]
    assert shown.closed == ["Monday", "Sunday"]
    before = CalendarRequest(last_day=clock.indian(moment(1)).date())
    assert read(free_dates.calendar, VISITOR, shop.vehicle.id, before).busy == []
    stopped_clock.move(hours=9)
    assert read(free_dates.calendar, VISITOR, shop.vehicle.id, CalendarRequest()).busy == []
    alter(Booking, held.id, status="cancelled", cancelled_by="system")
    with pytest.raises(NotFoundError):
        read(free_dates.calendar, VISITOR, 0, CalendarRequest())


def test_a_customers_own_refusals_come_before_the_price(shop: Shop) -> None:
    with pytest.raises(ConflictError) as refused:
        book(shop.customer, wanted(add_vehicle(shop.vendor, None)))
    assert refused.value.code == "not_bookable"


def at_price(shop: Shop, total: int | None, deposit: int | None = None) -> BookingRequest:
    """Return a request for the shop's vehicle at the price that was shown (paise)."""
    return wanted(shop.vehicle).model_copy(update={"expected_total": total, "expected_deposit": deposit})


def refusal(shop: Shop, request: BookingRequest) -> tuple[str, QuoteView]:
    """Return the message and the new quote of a request whose price has changed; nothing is booked."""
    before = count("booking")
    with pytest.raises(PriceChangedError) as refused:
        book(shop.customer, request)
    assert count("booking") == before
    assert (refused.value.code, refused.value.details) == ("price_changed", {"quote": refused.value.quote})
    return refused.value.message, refused.value.quote


def test_a_price_changed_since_is_refused_with_the_new_one(shop: Shop) -> None:
    ask(shop.vehicle, 5_000_000)
    message, quote = refusal(shop, at_price(shop, DAILY_PAISE, DEPOSIT_PAISE))
    assert message == "The price has changed from ₹500 to ₹50,000"
    assert quote == read(quotes.quote_for, VISITOR, wanted(shop.vehicle))
    assert book(shop.customer, at_price(shop, quote.total, quote.deposit)).price == 5_000_000


def test_a_deposit_changed_since_is_refused_too(shop: Shop) -> None:
    alter(Vehicle, shop.vehicle.id, deposit_paise=900_000)
    assert refusal(shop, at_price(shop, DAILY_PAISE, DEPOSIT_PAISE))[0] == (
        "The deposit has changed from ₹2,000 to ₹9,000"
    )
    ask(shop.vehicle, 10_000)
    assert refusal(shop, at_price(shop, DAILY_PAISE, DEPOSIT_PAISE))[0] == (
        "The price has changed from ₹500 to ₹100 and the deposit has changed from ₹2,000 to ₹9,000"
    )
    assert book(shop.customer, at_price(shop, 10_000)).deposit == 900_000


def test_the_price_shown_is_booked_and_without_one_any(shop: Shop) -> None:
    assert book(shop.customer, at_price(shop, DAILY_PAISE, DEPOSIT_PAISE)).price == DAILY_PAISE
    ask(shop.vehicle, 1)
    assert book(shop.customer, wanted(shop.vehicle, days=6)).price == 1
