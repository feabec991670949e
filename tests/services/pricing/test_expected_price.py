"""A booking costs what its customer was shown, or is refused."""

import pytest

from rental_app.infrastructure.db import read
from rental_app.models import Vehicle
from rental_app.schemas.bookings import BookingRequest
from rental_app.schemas.quotes import QuoteView
from rental_app.services.pricing import quotes
from rental_app.services.pricing.expected_price import PriceChangedError
from tests.support.booking_steps import alter, ask, book
from tests.support.shop import DAILY_PAISE, DEPOSIT_PAISE, VISITOR, Shop, count, wanted


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
