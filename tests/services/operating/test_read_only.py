"""While the shop is read-only nothing is written but what lets operators in; requests wait as much longer."""

from datetime import timedelta

import pytest

from rental_app.domain import clock
from rental_app.domain.errors import ForbiddenError, ReadOnlyError
from rental_app.infrastructure.db import read, write
from rental_app.models import Booking, Edition, Proposal, User
from rental_app.schemas.operating import ReadOnlyRequest
from rental_app.schemas.search import PageRequest
from rental_app.schemas.sign_in import Credentials
from rental_app.services import maintenance
from rental_app.services.accounts import login, sessions
from rental_app.services.accounts.actor import Actor
from rental_app.services.mail import outbox
from rental_app.services.operating import read_only
from rental_app.services.search import listings
from tests.conftest import Clock
from tests.support.booking_steps import book, decide
from tests.support.operating import last_entry
from tests.support.shop import PASSWORD, VISITOR, Shop, actor, add_user, put, token_of, wanted
from tests.support.trips import confirmed

NOTE = "Back at five"


def switch(operator: User, on: bool, message: str = NOTE) -> str:
    return write(read_only.switch, actor(operator), ReadOnlyRequest(on=on, message=message))


def deadline(booking_id: int) -> object:
    return read(lambda session: session.get_one(Booking, booking_id).answer_by)


def test_nothing_is_written_and_people_are_told_why(shop: Shop, operator: User) -> None:
    assert read(read_only.note, VISITOR) == ""
    assert switch(operator, True) == read_only.ON
    assert read(read_only.note, VISITOR) == NOTE
    assert (last_entry().act, last_entry().user_id) == ("read_only.on", operator.id)
    with pytest.raises(ReadOnlyError) as refusal:
        book(shop.customer, wanted(shop.vehicle))
    assert (refusal.value.message, refusal.value.code, refusal.value.status) == (NOTE, "read_only", 503)
    assert read(listings.listed, VISITOR, page=PageRequest(limit=1)).vehicles
    switch(operator, True, "")
    with pytest.raises(ReadOnlyError, match="look around"):
        book(shop.customer, wanted(shop.vehicle))
    assert switch(operator, False) == read_only.OFF
    assert read(read_only.note, VISITOR) == ""
    assert book(shop.customer, wanted(shop.vehicle))


def test_requests_that_waited_wait_as_much_longer(stopped_clock: Clock, shop: Shop, operator: User) -> None:
    made = book(shop.customer, wanted(shop.vehicle))
    before = made.answer_by
    switch(operator, True)
    stopped_clock.instant = before + timedelta(hours=1)
    switch(operator, True, "Later than we thought")
    with pytest.raises(ReadOnlyError, match="Later than"):
        write(maintenance.sweep, clock.now())
    on_for = stopped_clock.instant - made.created_at
    switch(operator, False)
    assert deadline(made.id) == before + on_for
    assert decide(shop.vendor, made.id, "confirmed") == "Booking confirmed"


def test_a_request_that_had_lapsed_before_stays_lapsed(stopped_clock: Clock, shop: Shop, operator: User) -> None:
    made = book(shop.customer, wanted(shop.vehicle))
    stopped_clock.instant = made.answer_by + timedelta(minutes=1)
    switch(operator, True)
    stopped_clock.instant += timedelta(hours=1)
    switch(operator, False)
    assert deadline(made.id) == made.answer_by


def test_operators_get_in_and_out_and_messages_go_on(shop: Shop) -> None:
    operator = add_user("Operator")
    switch(operator, True)
    token = login.sign_in(Credentials(email=operator.email, password=PASSWORD), VISITOR)
    inside = read(sessions.authenticate, VISITOR, token)
    write(sessions.write_uses)
    for letter in write(outbox.claim, clock.now()):
        write(outbox.failed, letter, "OSError: away")
        write(outbox.done, letter, [letter], clock.now())
    write(sessions.sign_out, inside)
    # The last session of the last operator is over: the next login still opens the switch.
    again = login.sign_in(Credentials(email=operator.email, password=PASSWORD), VISITOR)
    back: Actor = read(sessions.authenticate, VISITOR, again)
    assert write(read_only.switch, back, ReadOnlyRequest(on=False)) == read_only.OFF


def test_the_switch_is_operators_alone_and_changes_the_edition(shop: Shop, operator: User) -> None:
    for somebody in (shop.vendor, shop.customer):
        with pytest.raises(ForbiddenError):
            switch(somebody, True)
    before = read(lambda session: session.get_one(Edition, 1).name)
    switch(operator, True)
    assert read(lambda session: session.get_one(Edition, 1).name) != before
    switch(operator, False)
    assert token_of(shop.customer)


def test_proposals_that_waited_wait_as_much_longer(stopped_clock: Clock, shop: Shop, operator: User) -> None:
    trip = confirmed(shop)
    other, who = confirmed(shop, days=40), shop.vendor.id or 0

    def propose(booking_id: int, hours: int) -> Proposal:
        until = clock.now() + timedelta(hours=hours)
        return put(Proposal(booking_id=booking_id, kind="extension", terms={}, answer_by=until, who_id=who))

    lapsed, waiting = propose(trip.id, -1), propose(other.id, 2)
    switch(operator, True)
    stopped_clock.move(hours=5)
    switch(operator, False)

    def answer_by(row: Proposal) -> object:
        return read(lambda session: session.get_one(Proposal, row.id).answer_by)

    assert (answer_by(lapsed), answer_by(waiting)) == (lapsed.answer_by, waiting.answer_by + timedelta(hours=5))
