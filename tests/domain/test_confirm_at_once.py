"""Which bookings need no answer."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from rental_app.domain import clock
from rental_app.domain.clock import Window
from rental_app.domain.confirm_at_once import AtOnceConditions, Customer, obstacle
from tests.support.rows import each

NOW = clock.now()
REGULAR = Customer(verified_phone=True)


def ahead(hours: float) -> Window:
    begin = NOW + timedelta(hours=hours)
    return Window(begin, begin + timedelta(days=1))


@each(
    ("conditions", "customer", "hours", "what"),
    [
        (AtOnceConditions(), REGULAR, 2, None),
        (AtOnceConditions(), REGULAR, 1.99, "hours"),
        (AtOnceConditions(hours_ahead=0), REGULAR, 0, None),
        (AtOnceConditions(), Customer(True, 1), 5, None),
        (AtOnceConditions(), Customer(True, 2), 5, "open"),
        (AtOnceConditions(), Customer(), 5, "phone"),
        (AtOnceConditions(verified_phone=False), Customer(), 5, None),
        # What confirming a number would not mend is not said to need one.
        (AtOnceConditions(), Customer(), 1, "hours"),
    ],
)
def test_the_first_obstacle(conditions: AtOnceConditions, customer: Customer, hours: float, what: str | None) -> None:
    assert obstacle(conditions, customer, ahead(hours), NOW) == what


@given(st.integers(0, 168), st.integers(1, 20), st.integers(0, 400), st.integers(0, 30))
def test_more_time_and_fewer_bookings_never_hinder(notice: int, most: int, hours: int, bookings: int) -> None:
    conditions = AtOnceConditions(hours_ahead=notice, most_open=most)
    if obstacle(conditions, Customer(True, bookings), ahead(hours), NOW) is None:
        assert obstacle(conditions, Customer(True, max(0, bookings - 1)), ahead(hours + 1), NOW) is None
