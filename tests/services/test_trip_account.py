"""Lines of the account that were wrong: taken back, restored, and what follows from them."""

from rental_app.db import write
from rental_app.services.trips import absences
from tests.conftest import Clock
from tests.helpers import DAILY_PAISE, Shop, actor
from tests.services.test_trips import refusal
from tests.services.trips import at_pickup, cancel, confirmed, lines, owed, pay, reverse, terms

PRICE = 2 * DAILY_PAISE


def test_a_line_taken_back_by_mistake_is_restored(shop: Shop, kind: str) -> None:
    trip = confirmed(shop)
    ref, rent = trip.reference, trip.ledger[0].id
    mistake = reverse(shop, ref, rent).ledger[-1].id
    refusal("more_than_owed", pay, shop, ref, PRICE)
    restored = reverse(shop, ref, mistake)
    assert lines(restored) == [("rental", PRICE), ("rental", -PRICE), ("rental", PRICE)]
    for gone in (rent, mistake):
        refusal("already_reversed", reverse, shop, ref, gone)
    assert owed(pay(shop, ref, PRICE))[0] == 0
    # As often as it has to be.
    assert owed(reverse(shop, ref, restored.ledger[-1].id))[0] == -PRICE


def test_restored_rent_is_replaced_once_when_the_customer_cancels(shop: Shop) -> None:
    trip = confirmed(shop)
    ref = trip.reference
    reverse(shop, ref, reverse(shop, ref, trip.ledger[0].id).ledger[-1].id)
    pay(shop, ref, 20_000)
    done = cancel(shop, ref, terms(shop, ref).kept)
    assert lines(done)[-2:] == [("rental", -PRICE), ("cancellation", 20_000)]
    assert owed(done)[0] == 0


def test_rent_replaced_by_what_is_kept_is_not_restored(shop: Shop, stopped_clock: Clock) -> None:
    cancelled = confirmed(shop, days=9)
    ended = cancel(shop, cancelled.reference, 0)
    refusal("already_decided", reverse, shop, cancelled.reference, ended.ledger[-1].id)
    missed = confirmed(shop)
    paid = pay(shop, missed.reference, 20_000).ledger[-1].id
    at_pickup(stopped_clock, missed, hours=2)
    gone = write(absences.mark, actor(shop.vendor), missed.reference)
    assert lines(gone)[-2:] == [("rental", -PRICE), ("cancellation", 20_000)]
    refusal("already_decided", reverse, shop, missed.reference, gone.ledger[-2].id)
    # Money and what is kept are corrected as usual.
    for entry in (gone.ledger[-1].id, paid):
        mistake = reverse(shop, missed.reference, entry).ledger[-1].id
        assert owed(reverse(shop, missed.reference, mistake)) == owed(gone)
