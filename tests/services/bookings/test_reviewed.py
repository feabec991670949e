"""What is known before a request is sent, and what is kept of the terms its customer accepted."""

from rental_app.domain import clock
from rental_app.domain.clock import Window
from rental_app.infrastructure.db import read, write
from rental_app.models import Booking
from rental_app.services.bookings import create, reviewed
from rental_app.services.throttle import Caller
from tests.support.booking_steps import book, decide
from tests.support.shop import VISITOR, Shop, actor, add_user, moment, wanted

WINDOW = Window(moment(4), moment(5))


def test_the_terms_accepted_are_kept_with_the_booking(shop: Shop) -> None:
    before = clock.now()
    view = write(create.create, actor(shop.customer), wanted(shop.vehicle, 4), terms="2026-11-26")
    kept = read(lambda session: session.get_one(Booking, view.id))
    assert kept.terms_version == "2026-11-26"
    assert kept.terms_accepted_at
    assert before <= kept.terms_accepted_at <= clock.now()


def test_a_request_that_was_shown_no_terms_keeps_none(shop: Shop) -> None:
    kept = read(lambda session: session.get_one(Booking, book(shop.customer, wanted(shop.vehicle, 4)).id))
    assert (kept.terms_version, kept.terms_accepted_at) == (None, None)


def test_only_its_customer_hears_of_the_booking_there_is_for_the_window(shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle, 4))

    def of(caller: Caller, window: Window | None = WINDOW) -> str:
        return read(reviewed.reviewed, caller, shop.vehicle.id, window).requested

    assert of(actor(shop.customer)) == asked.reference
    assert of(actor(shop.customer), Window(moment(5), moment(6))) == ""
    assert of(actor(shop.customer), None) == ""
    assert of(actor(add_user())) == of(VISITOR) == ""
    decide(shop.vendor, asked.id, "cancelled")
    assert of(actor(shop.customer)) == ""


def test_a_vendor_is_known_to_own_the_vehicle(shop: Shop) -> None:
    own, other = (
        read(reviewed.reviewed, actor(user), shop.vehicle.id, WINDOW).is_own for user in (shop.vendor, shop.customer)
    )
    assert (own, other) == (True, False)


def test_an_answer_time_is_told_once_there_are_enough_answers(shop: Shop) -> None:
    customer = add_user()
    for day in (4, 6, 8):
        assert read(reviewed.reviewed, VISITOR, shop.vehicle.id, WINDOW).answers_in is None
        decide(shop.vendor, book(customer, wanted(shop.vehicle, day)).id, "confirmed")
    assert read(reviewed.reviewed, VISITOR, shop.vehicle.id, WINDOW).answers_in is not None
