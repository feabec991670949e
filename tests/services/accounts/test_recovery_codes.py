"""Recovery codes: shown until their owner has kept them, and made anew."""

from typing import Any

import pyotp
import pytest
from sqlalchemy import select
from sqlmodel import col

from rental_app.domain import clock
from rental_app.domain.errors import InvalidInputError
from rental_app.infrastructure.db import read, write
from rental_app.models import AuditEntry, SecondStep, User
from rental_app.services import maintenance
from rental_app.services.accounts import profile, second_step
from rental_app.services.accounts.actor import at_the_machine
from tests.conftest import Clock
from tests.support.accounts import stepped
from tests.support.letters import letters
from tests.support.mailbox import Post
from tests.support.races import at_once
from tests.support.shop import Shop, actor
from tests.support.trips import refusal

RENEWED = "You have new recovery codes"


def turn_on(user: User) -> tuple[pyotp.TOTP, list[str]]:
    app = pyotp.TOTP(write(second_step.set_up, actor(user)).secret)
    return app, write(second_step.confirm, actor(user), app.at(clock.now()))


def left(user: User) -> int:
    return read(profile.profile, actor(user)).recovery_codes_left


def stored(user: User) -> SecondStep:
    return read(lambda session: session.get_one(SecondStep, user.id))


def test_codes_are_shown_again_until_they_are_kept(shop: Shop, stopped_clock: Clock) -> None:
    _, codes = turn_on(shop.customer)
    assert len(set(codes)) == 10
    for _ in range(2):
        assert read(second_step.unkept_codes, stepped(shop.customer)) == codes
    assert read(second_step.unkept_codes, stepped(shop.vendor)) == []
    assert read(second_step.unkept_codes, actor(shop.customer)) == [], "the second step was not given there"
    write(second_step.keep_codes, actor(shop.customer))
    write(second_step.keep_codes, actor(shop.customer))
    assert read(second_step.unkept_codes, stepped(shop.customer)) == []
    assert stored(shop.customer).codes_nonce == ""
    acts = select(col(AuditEntry.id)).where(col(AuditEntry.act) == "recovery_codes.kept")
    assert len(read(lambda session: session.scalars(acts).all())) == 1
    assert write(second_step.takes, shop.customer.id, codes[9])


def test_a_used_code_is_neither_shown_nor_left(shop: Shop, stopped_clock: Clock) -> None:
    assert left(shop.customer) == 0
    _, codes = turn_on(shop.customer)
    assert left(shop.customer) == 10
    assert write(second_step.takes, shop.customer.id, codes[4])
    assert left(shop.customer) == 9
    assert read(second_step.unkept_codes, stepped(shop.customer)) == codes[:4] + codes[5:]


def test_after_a_week_codes_are_shown_no_more_and_still_work(shop: Shop, stopped_clock: Clock) -> None:
    _, codes = turn_on(shop.customer)
    write(maintenance.sweep, clock.now())
    stopped_clock.move(days=6, hours=23)
    assert read(second_step.unkept_codes, stepped(shop.customer)) == codes
    stopped_clock.move(hours=1)
    assert read(second_step.unkept_codes, stepped(shop.customer)) == []
    write(maintenance.sweep, clock.now())
    assert stored(shop.customer).codes_nonce == ""
    assert write(second_step.takes, shop.customer.id, codes[0])


@pytest.mark.parametrize("by", ["app", "code"])
def test_new_codes_make_the_earlier_ones_void(shop: Shop, post: Post, stopped_clock: Clock, by: str) -> None:
    app, codes = turn_on(shop.customer)
    write(second_step.keep_codes, actor(shop.customer))
    stopped_clock.move(seconds=30)
    with pytest.raises(InvalidInputError):
        write(second_step.renew_codes, actor(shop.customer), "000000")
    new = write(second_step.renew_codes, actor(shop.customer), app.at(clock.now()) if by == "app" else codes[0])
    assert letters(post)[RENEWED][0] == shop.customer.email
    assert not set(new) & set(codes)
    assert (left(shop.customer), read(second_step.unkept_codes, stepped(shop.customer))) == (10, new)
    stopped_clock.move(seconds=1)
    assert not any(write(second_step.takes, shop.customer.id, code) for code in codes)
    assert write(second_step.takes, shop.customer.id, new[0])


def test_without_a_second_step_there_are_none(shop: Shop, stopped_clock: Clock) -> None:
    write(second_step.set_up, actor(shop.customer))
    refusal("second_step_off", write, second_step.renew_codes, actor(shop.customer), "123456")
    turn_on(shop.vendor)
    write(second_step.take_off, at_the_machine(), shop.vendor.email)
    assert (left(shop.vendor), read(second_step.unkept_codes, stepped(shop.vendor))) == (0, [])


def test_a_second_step_from_before_shows_none(shop: Shop, stopped_clock: Clock) -> None:
    """The version before stores no nonce with the codes it makes."""
    _, codes = turn_on(shop.customer)

    def forget(session: Any) -> None:
        session.get_one(SecondStep, shop.customer.id).sqlmodel_update({"codes_nonce": "", "codes_made_at": None})

    write(forget)
    assert read(second_step.unkept_codes, stepped(shop.customer)) == []
    assert write(second_step.takes, shop.customer.id, codes[0])


@pytest.mark.databases
def test_of_two_who_make_new_codes_at_once_by_one_code_one_does(shop: Shop, stopped_clock: Clock) -> None:
    app, _ = turn_on(shop.customer)
    stopped_clock.move(seconds=30)
    code = app.at(clock.now())
    renew = [lambda: write(second_step.renew_codes, actor(shop.customer), code)] * 2
    assert sorted(at_once(*renew)) == ["", "wrong_code"]
    assert left(shop.customer) == 10
