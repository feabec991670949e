"""Where an account is logged in, when each device was last used, and new devices, which are told."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlmodel import Session, select

from rental_app.domain import clock
from rental_app.domain.errors import NotAuthenticatedError, NotFoundError
from rental_app.infrastructure.db import read, write
from rental_app.models import KnownDevice, LoginSession, User
from rental_app.schemas.sign_in import Credentials, SessionView
from rental_app.services import maintenance
from rental_app.services.accounts import login, sessions, sign_up
from rental_app.services.accounts.actor import Actor
from rental_app.services.throttle import Caller
from tests.conftest import Clock
from tests.support.accounts import LONGEST, PERSON
from tests.support.letters import letters
from tests.support.mailbox import Post, send_all
from tests.support.races import at_once
from tests.support.shop import PASSWORD, VISITOR, Shop, actor, statements

PHONE = Caller("198.51.100.7", user_agent="Mozilla/5.0 (Linux; Android 10) Chrome/143", device_key="phone")
LAPTOP = Caller("203.0.113.9", user_agent="Mozilla/5.0 (Windows NT 10.0) Firefox/145", device_key="laptop")
NEWS = "Login from a new device"


def sign_in(user: User, caller: Caller) -> str:
    return login.sign_in(Credentials(email=user.email, password=PASSWORD), caller)


def acting(token: str) -> Actor:
    return read(sessions.authenticate, VISITOR, token)


def listed(token: str) -> list[SessionView]:
    return read(sessions.open_sessions, acting(token))


def test_an_account_sees_where_it_is_logged_in_and_ends_one(shop: Shop) -> None:
    phone, laptop = sign_in(shop.customer, PHONE), sign_in(shop.customer, LAPTOP)
    seen = listed(phone)
    assert [(one.device, one.current) for one in seen] == [("Chrome on Android", True), ("Firefox on Windows", False)]
    assert len({one.id for one in seen}) == 2
    assert not {one.id for one in seen} & {
        row.jti for row in read(lambda session: session.scalars(select(LoginSession)).all())
    }
    write(sessions.end, acting(phone), seen[1].id)
    with pytest.raises(NotAuthenticatedError):
        acting(laptop)
    assert [one.device for one in listed(phone)] == ["Chrome on Android"]


def test_somebody_elses_device_does_not_exist(shop: Shop) -> None:
    mine, theirs = sign_in(shop.customer, PHONE), sign_in(shop.vendor, LAPTOP)
    ended = sign_in(shop.customer, LAPTOP)
    (other,) = (one.id for one in listed(mine) if not one.current)
    write(sessions.sign_out, acting(ended))
    for name in (listed(theirs)[0].id, other, "", "x"):
        with pytest.raises(NotFoundError):
            write(sessions.end, acting(mine), name)
    assert acting(theirs)


def test_an_expired_session_is_not_listed(shop: Shop, stopped_clock: Clock) -> None:
    sign_in(shop.customer, PHONE)
    stopped_clock.move(days=6, hours=23, minutes=59)
    assert len(read(sessions.open_sessions, actor(shop.customer))) == 1
    stopped_clock.move(minutes=1)
    assert read(sessions.open_sessions, actor(shop.customer)) == []


def test_the_last_use_is_written_hourly_and_not_by_what_only_reads(shop: Shop, stopped_clock: Clock) -> None:
    token, began = sign_in(shop.customer, PHONE), stopped_clock.instant
    sessions._seen.clear()
    written = []
    for minutes in (0, 10, 30, 30, 40):
        stopped_clock.move(minutes=minutes)
        with statements() as said:
            acting(token)
        assert len(said) == 1
        write(maintenance.sweep, clock.now())
        (seen,) = (
            row.last_seen_at
            for row in read(lambda session: session.scalars(select(LoginSession)).all())
            if row.device and row.user_id == shop.customer.id
        )
        written.append((seen - began) / timedelta(minutes=1))
    assert written == [0, 0, 0, 70, 70]


def test_a_new_device_is_told_and_a_known_one_is_not(shop: Shop, post: Post) -> None:
    sign_in(shop.customer, PHONE)
    assert letters(post) == {}, "the first that is remembered is not new"
    sign_in(shop.customer, replace(PHONE, address="203.0.113.200"))
    assert letters(post) == {}, "a known device is not new in another network"
    sign_in(shop.customer, LAPTOP)
    to, message = letters(post)[NEWS]
    assert to == shop.customer.email
    assert "Firefox on Windows" in message.get_body(("plain",)).get_content()
    sign_in(shop.customer, LAPTOP)
    assert letters(post) == {}
    sign_in(shop.vendor, LAPTOP)
    sign_in(shop.vendor, PHONE)
    assert NEWS in letters(post), "a device is known to each account by itself"


@pytest.mark.databases
def test_a_new_device_that_logs_in_twice_at_once_is_let_in_and_told_once(shop: Shop, post: Post) -> None:
    sign_in(shop.customer, LAPTOP)
    assert at_once(*[lambda: sign_in(shop.customer, PHONE)] * 6) == [""] * 6
    send_all()
    assert [message["Subject"] for _, message in post.take()] == [NEWS]


def test_a_program_without_a_key_is_known_by_its_network(shop: Shop, post: Post) -> None:
    program = Caller("192.0.2.1", user_agent="curl/8.5.0")
    sign_in(shop.customer, program)
    assert letters(post)[NEWS][0] == shop.customer.email
    sign_in(shop.customer, program)
    assert letters(post) == {}
    sign_in(shop.customer, replace(program, address="192.0.2.2"))
    assert NEWS in letters(post)


def test_the_device_of_a_sign_up_is_known(database: str, post: Post) -> None:
    sign_up.register(PERSON, PHONE)
    login.sign_in(Credentials(email=PERSON.email, password=LONGEST), PHONE)
    assert NEWS not in letters(post)


def test_the_key_of_a_device_is_not_kept_and_forgotten_after_a_while(shop: Shop, stopped_clock: Clock) -> None:
    sign_in(shop.customer, PHONE)

    def known(session: Session) -> list[str]:
        return [row.digest for row in session.scalars(select(KnownDevice))]

    assert [len(digest) for digest in read(known)] == [64]
    stopped_clock.move(days=401)
    write(maintenance.sweep, clock.now())
    assert read(known) == []
