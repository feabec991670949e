"""What a booking's texts say of money: what is held by whom until when, and what is owed."""

from datetime import UTC, datetime, timedelta
from typing import Any

from rental_app.services.bookings.open_balance import OpenBalance
from tests.conftest import Clock
from tests.support.rows import each

RETURN = datetime(2026, 11, 29, 4, 30, tzinfo=UTC)


def opened(clock: Clock, **wanted: Any) -> OpenBalance:
    """Return an account, read an hour before the return, of which nothing is open but what is given."""
    clock.instant = RETURN - timedelta(hours=1)
    given: dict[str, Any] = {
        "rent": 0,
        "deposit": 0,
        "held": 0,
        "vendor": "Sai Kiran",
        "return_at": RETURN,
        "came_back": None,
    }
    return OpenBalance(**given | {"ended": False, "for_customer": True} | wanted)


def test_a_deposit_is_held_by_somebody_until_some_time(stopped_clock: Clock) -> None:
    held = opened(stopped_clock, held=150_000)
    assert held.deposit_text == "₹1,500 held by Sai Kiran, back Sun 29 Nov, 8 to 9 PM"
    late = opened(stopped_clock, held=150_000, came_back=RETURN + timedelta(hours=12))
    assert late.deposit_text == "₹1,500 held by Sai Kiran, back Mon 30 Nov, 8 to 9 PM"
    stopped_clock.instant = RETURN + timedelta(days=2)
    assert "back Tue 1 Dec" in held.deposit_text, "the vehicle is still out"
    assert "was due back Mon 30 Nov" in late.deposit_text
    assert opened(stopped_clock, held=150_000, ended=True).deposit_text == "₹1,500 held by Sai Kiran, owed back"


@each(
    ("rent", "deposit", "held", "for_customer", "said"),
    [
        (0, 0, 0, True, ("Nothing owed", "Nothing held")),
        (100_000, 200_000, 0, True, ("₹1,000 still to pay", "₹2,000 still to pay")),
        (100_000, 0, 0, False, ("₹1,000 owed by the customer", "Nothing held")),
        (-10_000, 0, 0, True, ("₹100 owed to you", "Nothing held")),
        (-10_000, 0, 0, False, ("₹100 owed to the customer", "Nothing held")),
    ],
)
def test_rent_is_owed_by_one_or_the_other(
    stopped_clock: Clock, rent: int, deposit: int, held: int, for_customer: bool, said: tuple[str, str]
) -> None:
    found = opened(stopped_clock, rent=rent, deposit=deposit, held=held, for_customer=for_customer)
    assert (found.rent_text, found.deposit_text) == said


def test_part_of_a_deposit_is_held_and_the_rest_still_to_be_paid(stopped_clock: Clock) -> None:
    text = opened(stopped_clock, held=50_000, deposit=150_000).deposit_text
    assert text == "₹500 held by Sai Kiran, back Sun 29 Nov, 8 to 9 PM; ₹1,500 still to pay"
