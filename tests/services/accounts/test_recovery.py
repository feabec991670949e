"""Somebody who has lost e-mail and phone gets others in 72 hours, unless the account's owner stops it."""

import json
from typing import Any

import pytest
from sqlalchemy import select
from sqlmodel import col

from rental_app.domain import clock
from rental_app.domain.errors import (
    ConflictError,
    ForbiddenError,
    InvalidInputError,
    NotAuthenticatedError,
    RentalError,
)
from rental_app.infrastructure.db import read, write
from rental_app.models import AuditEntry, Outbox, User
from rental_app.schemas.operating import Blocking, LockedFields, ReadOnlyRequest, RecoveryRequest, StopRequest
from rental_app.schemas.sign_in import Credentials, LinkUse
from rental_app.services import maintenance
from rental_app.services.accounts import login, recovery, sessions
from rental_app.services.accounts.proofs import Purpose
from rental_app.services.operating import people, read_only
from tests.conftest import Clock
from tests.support.accounts import latest_token, user_of
from tests.support.operating import last_entry
from tests.support.races import at_once
from tests.support.shop import PASSWORD, VISITOR, Shop, actor, add_user, token_of

EMAIL, PHONE = "new.address@example.com", "9876500011"
CHECKED = "Called the number of the employer"


@pytest.fixture
def operator(shop: Shop) -> User:
    return add_user("Operator")


def begin(operator: User, person: User, **more: Any) -> str:
    wish = RecoveryRequest.model_validate({"email": EMAIL, "phoneNumber": PHONE, "checked": CHECKED} | more)
    return write(people.begin_recovery, actor(operator), person.id or 0, wish)


def stop(token: str) -> str:
    return write(recovery.stop, VISITOR, LinkUse(token=token))


def told(kind: str) -> set[str]:
    own = select(col(Outbox.to)).where(col(Outbox.kind) == kind)
    return set(read(lambda session: session.scalars(own).all()))


def contacts(person: User) -> tuple[str, str]:
    now = user_of(person.id)
    return now.email, now.phone_number


def sweep_after(stopped_clock: Clock, hours: float) -> None:
    stopped_clock.move(hours=hours)
    write(maintenance.sweep, clock.now())


def test_it_is_told_everywhere_and_takes_effect_after_72_hours(
    stopped_clock: Clock, shop: Shop, operator: User
) -> None:
    was, token = contacts(shop.customer), token_of(shop.customer)
    assert begin(operator, shop.customer) == people.BEGUN
    assert told("recovery_begun") == {was[0], EMAIL, was[1], PHONE}
    assert (last_entry().act, last_entry().about, last_entry().user_id) == ("recovery.begun", CHECKED, operator.id)
    assert EMAIL not in last_entry().model_dump_json()
    sweep_after(stopped_clock, 71.9)
    assert contacts(shop.customer) == was
    sweep_after(stopped_clock, 0.2)
    assert contacts(shop.customer) == (EMAIL, PHONE)
    assert told("recovery_done") == {was[0], EMAIL}
    assert told("account_changed") == {was[1], PHONE}
    assert last_entry().act == "recovery.done"
    with pytest.raises(NotAuthenticatedError):
        read(sessions.authenticate, VISITOR, token)
    assert login.sign_in(Credentials(email=EMAIL, password=PASSWORD), VISITOR)
    with pytest.raises(NotAuthenticatedError):
        login.sign_in(Credentials(email=was[0], password=PASSWORD), VISITOR)


def test_its_owner_stops_it_by_the_link_even_in_a_read_only_shop(
    stopped_clock: Clock, shop: Shop, operator: User
) -> None:
    was = contacts(shop.customer)
    begin(operator, shop.customer)
    token = latest_token(Purpose.RECOVER)
    stopped_clock.move(hours=70)
    write(read_only.switch, actor(operator), ReadOnlyRequest(on=True))
    assert stop(token) == recovery.STOPPED
    assert told("recovery_stopped") == {was[0], EMAIL}
    assert (last_entry().act, last_entry().user_id) == ("recovery.stopped", shop.customer.id)
    with pytest.raises(RentalError, match="no longer works"):
        stop(token)
    write(read_only.switch, actor(operator), ReadOnlyRequest(on=False))
    sweep_after(stopped_clock, 5)
    assert contacts(shop.customer) == was


def test_its_owner_sees_it_and_stops_it_without_a_link(stopped_clock: Clock, shop: Shop, operator: User) -> None:
    was, own = contacts(shop.customer), actor(shop.customer)
    assert read(recovery.of_account, own) is None
    begin(operator, shop.customer)
    waits = read(recovery.of_account, own)
    assert waits
    assert (waits.fields, waits.changes_at) == (["email", "phone"], clock.now() + recovery.WAIT)
    assert read(recovery.of_account, actor(shop.vendor)) is None
    with pytest.raises(ConflictError, match="No other email"):
        write(recovery.stop_own, actor(shop.vendor))
    write(read_only.switch, actor(operator), ReadOnlyRequest(on=True))
    assert write(recovery.stop_own, own) == recovery.STOPPED
    write(read_only.switch, actor(operator), ReadOnlyRequest(on=False))
    assert told("recovery_stopped") == {was[0], EMAIL}
    stopped = select(AuditEntry).where(col(AuditEntry.act) == "recovery.stopped")
    [entry] = read(lambda session: session.scalars(stopped).all())
    assert (entry.user_id, entry.subject_id) == (shop.customer.id, shop.customer.id)
    assert read(recovery.of_account, own) is None
    with pytest.raises(ConflictError, match="No other email"):
        write(recovery.stop_own, own)
    sweep_after(stopped_clock, 73)
    assert contacts(shop.customer) == was


@pytest.mark.databases
def test_one_of_two_who_stop_it_at_once_is_told_that_nothing_waits(
    stopped_clock: Clock, shop: Shop, operator: User
) -> None:
    begin(operator, shop.customer)
    link = latest_token(Purpose.RECOVER)
    refusals = at_once(lambda: stop(link), lambda: write(recovery.stop_own, actor(shop.customer)))
    assert sorted(refusals) in (["", "link_invalid"], ["", "no_recovery"])
    assert len(told("recovery_stopped")) == 2


def test_time_in_which_the_shop_was_read_only_does_not_count(stopped_clock: Clock, shop: Shop, operator: User) -> None:
    was = contacts(shop.customer)
    begin(operator, shop.customer)
    write(read_only.switch, actor(operator), ReadOnlyRequest(on=True))
    stopped_clock.move(hours=72)
    write(read_only.switch, actor(operator), ReadOnlyRequest(on=False))
    sweep_after(stopped_clock, 1)
    assert contacts(shop.customer) == was
    sweep_after(stopped_clock, 72)
    assert contacts(shop.customer) == (EMAIL, PHONE)


def test_an_operator_stops_it(stopped_clock: Clock, shop: Shop, operator: User) -> None:
    was = contacts(shop.vendor)
    begin(operator, shop.vendor, phoneNumber=None)
    keep = StopRequest()
    assert write(people.end_recovery, actor(operator), shop.vendor.id or 0, keep) == people.STAYS
    with pytest.raises(ConflictError, match="No other email"):
        write(people.end_recovery, actor(operator), shop.vendor.id or 0, keep)
    sweep_after(stopped_clock, 73)
    assert contacts(shop.vendor) == was


def test_what_may_not_be_begun(shop: Shop, operator: User) -> None:
    with pytest.raises(InvalidInputError, match="how you know"):
        begin(operator, shop.customer, checked=" ​")
    with pytest.raises(InvalidInputError, match="another mobile number"):
        begin(operator, shop.customer, email=shop.customer.email, phoneNumber=shop.customer.phone_number)
    with pytest.raises(ConflictError, match="already exists"):
        begin(operator, shop.customer, email=shop.vendor.email)
    with pytest.raises(ConflictError, match="made and unmade"):
        begin(operator, add_user("Operator"))
    with pytest.raises(ForbiddenError):
        begin(shop.vendor, shop.customer)
    begin(operator, shop.customer)
    with pytest.raises(ConflictError, match="stop that first"):
        begin(operator, shop.customer)
    write(people.block, actor(operator), shop.vendor.id or 0, Blocking(reason="Three complaints"))
    with pytest.raises(ConflictError, match="unblock it first"):
        begin(operator, shop.vendor)


def test_what_has_changed_meanwhile_stops_it(stopped_clock: Clock, shop: Shop, operator: User) -> None:
    begin(operator, shop.customer)
    change = LockedFields.model_validate({"reason": "Found the phone", "phoneNumber": "9876500099"})
    write(people.change, actor(operator), shop.customer.id or 0, change)
    sweep_after(stopped_clock, 73)
    assert contacts(shop.customer) == (shop.customer.email, "9876500099")
    assert last_entry().act == "recovery.stopped"


def test_an_address_taken_meanwhile_stops_it_whole(stopped_clock: Clock, shop: Shop, operator: User) -> None:
    was = contacts(shop.customer)
    begin(operator, shop.customer)
    add_user(email=EMAIL)
    sweep_after(stopped_clock, 73)
    assert contacts(shop.customer) == was
    assert json.loads(last_entry().before).keys() == {"email", "phone_number"}


def test_a_code_sent_to_the_lost_number_opens_the_account_no_more(stopped_clock: Clock, shop: Shop) -> None:
    person = add_user(phone_number="9000020297", verified_phone="9000020297")
    begin(add_user("Operator"), person, email=None)
    sweep_after(stopped_clock, 73)
    now = user_of(person.id)
    assert (now.phone_number, now.verified_phone, now.email) == (PHONE, None, person.email)
