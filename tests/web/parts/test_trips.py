"""What a change of mind costs: each step with its end, and what always comes back; and on which day money was paid."""

from datetime import timedelta

import reflex as rx

from rental_app.domain import clock
from rental_app.domain.policies import FIRST
from rental_app.models import Booking, User
from rental_app.schemas.trips import TripView
from rental_app.web.parts.presenters import terms
from rental_app.web.parts.presenters.texts import Fact
from rental_app.web.parts.presenters.trip import trip_facts
from rental_app.web.parts.trips import cancelling
from tests.conftest import Clock
from tests.support.booking_steps import alter
from tests.support.rendered import rendered
from tests.support.shop import DAILY_PAISE, Shop
from tests.support.trips import cancel, confirmed, pay, reverse, seen


def test_each_step_says_what_is_kept_and_until_when() -> None:
    steps = terms.cancelling(clock.now() + timedelta(days=10), clock.now(), 50_000, FIRST)
    shown = rendered(cancelling(rx.Var("steps").to(list[Fact])), steps=steps)
    assert len(steps) > 1
    for step in steps:
        assert (shown.count(f">{step.label}<"), shown.count(f">{step.value}<")) == (1, 1), step
    assert "The deposit always comes back." in shown


def test_the_history_says_on_which_day_money_was_paid(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    alter(Booking, trip.id, created_at=stopped_clock.instant - timedelta(days=3))
    today = clock.indian_today(stopped_clock.instant)
    pay(shop, trip.id, DAILY_PAISE, on=today)
    view = pay(shop, trip.id, DAILY_PAISE, on=today - timedelta(days=1))
    noted, before = clock.friendly(stopped_clock.instant), clock.friendly_day(today - timedelta(days=1))
    whens = [one.when for one in trip_facts(view, stopped_clock.instant).history[-2:]]
    assert whens == [noted, f"{before}, noted {noted} by the vendor"]


def test_the_papers_to_keep_are_the_invoice_its_notes_and_the_agreement(shop: Shop, stopped_clock: Clock) -> None:
    alter(User, shop.vendor.id, gst_number="36ZZZFZ1001Z1ZT")
    trip = confirmed(shop)
    agreement = ("Rental agreement", f"/api/bookings/{trip.reference}/agreement.pdf")
    assert papers_of(seen(shop.customer, trip.id)) == [agreement]
    pay(shop, trip.id, 20_000)
    done = cancel(shop, trip.id, 20_000)
    line = next(one.id for one in done.ledger if one.kind == "cancellation")
    assert papers_of(reverse(shop, trip.id, line)) == [
        ("Tax invoice 26-27/0001", f"/api/bookings/{trip.reference}/invoice.pdf"),
        ("Credit note CN/26-27/0001", f"/api/bookings/{trip.reference}/notes/{done.ledger[-1].id + 1}.pdf"),
        agreement,
    ]


def papers_of(view: TripView) -> list[tuple[str, str]]:
    return [(one.label, one.url) for one in trip_facts(view, clock.now()).papers]
