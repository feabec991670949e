"""A forgotten password: the link, what it is good for, and what nobody learns from asking for one."""

from functools import partial
from typing import Any

import pytest
from limits import parse
from sqlalchemy import select
from sqlmodel import col

from rental_app.domain import clock
from rental_app.domain.errors import InvalidInputError, NotAuthenticatedError, RentalError, TooManyRequestsError
from rental_app.infrastructure import security
from rental_app.infrastructure.db import read, write
from rental_app.models import Outbox, Proof, User
from rental_app.schemas.sign_in import Credentials
from rental_app.services import maintenance
from rental_app.services.accounts import login, passwords, sessions
from tests.conftest import Clock
from tests.support.accounts import NEW, ask, change, link_for, reset
from tests.support.booking_steps import alter
from tests.support.letters import letters
from tests.support.mailbox import Post, send_all, waiting
from tests.support.races import at_once
from tests.support.rows import each
from tests.support.shop import PASSWORD, VISITOR, Shop, statements, token_of
from tests.support.trips import refusal


def refused(token: str) -> bool:
    """Return whether a link is refused as one that does not work any more."""
    with pytest.raises(RentalError) as error:
        reset(token)
    return (error.value.status, error.value.code) == (400, "link_invalid")


def sign_in(user: User, password: str) -> str:
    return login.sign_in(Credentials(email=user.email, password=password), VISITOR)


def test_a_link_sets_a_new_password_once_and_ends_every_session(shop: Shop, post: Post) -> None:
    elsewhere, other = token_of(shop.customer), token_of(shop.vendor)
    token = link_for(post, shop.customer)
    reset(token)
    with pytest.raises(NotAuthenticatedError):
        read(sessions.authenticate, VISITOR, elsewhere)
    assert read(sessions.authenticate, VISITOR, other).id == shop.vendor.id
    with pytest.raises(NotAuthenticatedError):
        sign_in(shop.customer, PASSWORD)
    assert sign_in(shop.customer, NEW)
    assert refused(token)
    assert sign_in(shop.customer, NEW)
    assert letters(post)["Your password was changed"][0] == shop.customer.email


def test_a_link_ends_after_half_an_hour_and_with_a_newer_one(shop: Shop, post: Post, stopped_clock: Clock) -> None:
    first, second = link_for(post, shop.customer), link_for(post, shop.customer)
    assert refused(first)
    stopped_clock.move(minutes=30)
    assert refused(second)
    third = link_for(post, shop.customer)
    stopped_clock.move(minutes=29)
    reset(third)


def test_a_link_is_good_for_its_own_account_and_purpose(shop: Shop, post: Post) -> None:
    token = link_for(post, shop.customer)
    other = link_for(post, shop.vendor)
    alter(User, shop.customer.id, email="elsewhere@example.com")
    # The address has gone to somebody else meanwhile.
    assert refused(token)
    reset(other)
    assert sign_in(shop.vendor, NEW)
    alter(Proof, read(lambda session: session.scalars(select(col(Proof.id))).first()), purpose="another")
    assert refused(token)


@each("written", [" {}\n", "{}\r\n", "https://shop.example/reset-password?token={}", "=?token={}&x=1"])
def test_a_link_is_read_as_mail_programs_hand_it_on(shop: Shop, post: Post, written: str) -> None:
    token = link_for(post, shop.customer)
    reset(written.format(f"{token[:20]}\n {token[20:]}"))
    assert sign_in(shop.customer, NEW)


@each("token", ["x", "\x00", "0" * 2000, "é", "' OR 1=1 --"])
def test_what_is_no_link_is_refused(shop: Shop, token: str) -> None:
    assert refused(token)


def test_a_weak_password_leaves_the_link_as_it_was(shop: Shop, post: Post) -> None:
    token = link_for(post, shop.customer)
    for weak in ("short", "password1", shop.customer.email, "x" * 73):
        refusal("weak_password", reset, token, weak)
    reset(token)


@pytest.mark.databases
def test_two_who_use_a_link_at_once_are_one(shop: Shop, post: Post) -> None:
    token = link_for(post, shop.customer)
    assert sorted(at_once(*[partial(reset, token, f"{NEW} {number}") for number in range(2)])) == ["", "link_invalid"]


def test_asking_tells_nobody_who_has_an_account(shop: Shop, post: Post) -> None:
    alter(User, shop.vendor.id, status="blocked")
    sent: list[list[str]] = []
    for email in (shop.customer.email, "nobody@example.com", shop.vendor.email, "no address at all"):
        with statements() as said:
            ask(email)
        sent.append([statement.split()[0] for statement in said])
    assert all(said == sent[0] for said in sent)
    send_all()
    assert [to for to, _ in post.take()] == [shop.customer.email]
    assert waiting() == []


def test_the_database_holds_no_secret_and_no_code_can_be_found_out_from_it(
    shop: Shop, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = link_for(post, shop.customer)
    kept = read(lambda session: [row.model_dump() for row in session.scalars(select(Proof))])
    letters_kept = read(lambda session: [row.model_dump() for row in session.scalars(select(Outbox))])
    assert token not in str(kept) + str(letters_kept)
    monkeypatch.setattr(security, "settings", lambda: type("Other", (), {"signing_key": "another key"}))
    assert refused(token)


def test_a_message_with_a_link_goes_first_and_is_dropped_once_the_link_is_of_no_use(
    shop: Shop, post: Post, stopped_clock: Clock
) -> None:
    now = clock.now()

    def fill(session: Any) -> None:
        for number in range(5):
            kind, key = "password_changed", f"earlier {number}"
            session.add(Outbox(key=key, kind=kind, user_id=shop.vendor.id, created_at=now, due_at=now))

    stopped_clock.move(minutes=1)
    write(fill)
    ask(shop.customer.email)
    send_all()
    assert next(to for to, _ in post.take()) == shop.customer.email
    ask(shop.customer.email)
    stopped_clock.move(minutes=31)
    send_all()
    assert post.take() == []
    assert waiting() == []


def test_asking_has_an_end_for_an_address_known_or_not(
    shop: Shop, rate_limits: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passwords, "LINKS", parse("2 per hour"))
    for email in (shop.customer.email, "nobody@example.com"):
        for _ in range(2):
            ask(email)
        with pytest.raises(TooManyRequestsError):
            ask(email)


def test_what_is_over_is_deleted_after_a_week(shop: Shop, post: Post, stopped_clock: Clock) -> None:
    link_for(post, shop.customer)
    own = select(Proof).where(col(Proof.user_id) == shop.customer.id)
    for days, left in ((1, 1), (7, 0)):
        stopped_clock.move(days=days)
        write(maintenance.sweep, clock.now())
        assert len(read(lambda session: session.scalars(own).all())) == left


def test_somebody_who_knows_their_password_changes_it_and_goes_on_alone(shop: Shop, post: Post) -> None:
    link, elsewhere = link_for(post, shop.customer), token_of(shop.customer)
    token = change(shop.customer, PASSWORD)
    assert read(sessions.authenticate, VISITOR, token).id == shop.customer.id
    with pytest.raises(NotAuthenticatedError):
        read(sessions.authenticate, VISITOR, elsewhere)
    assert sign_in(shop.customer, NEW)
    assert refused(link), "a link asked for before is of no use any more"
    assert letters(post)["Your password was changed"][0] == shop.customer.email


def test_a_change_takes_the_present_password_and_a_good_new_one(shop: Shop) -> None:
    elsewhere = token_of(shop.customer)
    for current, new, code, field in (
        ("wrong", NEW, "wrong_password", "current"),
        (PASSWORD, "password1", "weak_password", "password"),
        (PASSWORD, shop.customer.phone_number, "weak_password", "password"),
    ):
        with pytest.raises(InvalidInputError) as error:
            change(shop.customer, current, new)
        assert (error.value.code, [*error.value.fields]) == (code, [field])
    assert sign_in(shop.customer, PASSWORD)
    assert read(sessions.authenticate, VISITOR, elsewhere)


def test_a_stolen_session_does_not_guess_the_password(shop: Shop, rate_limits: None) -> None:
    for _ in range(10):
        with pytest.raises(InvalidInputError):
            change(shop.customer, "wrong")
    with pytest.raises(TooManyRequestsError):
        change(shop.customer, PASSWORD)


def test_a_composed_password_is_changed_as_it_was_typed(shop: Shop) -> None:
    change(shop.customer, PASSWORD, "caf\u00e9 au lait, vingt")
    assert change(shop.customer, "cafe\u0301 au lait, vingt", NEW)
