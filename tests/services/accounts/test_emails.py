"""An account's email: confirmed, changed, taken back; what waits for it, and what nobody learns from it."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from rental_app.domain.errors import (
    ConflictError,
    NotAuthenticatedError,
    RentalError,
)
from rental_app.infrastructure.db import read, write
from rental_app.models import User, Vehicle
from rental_app.schemas.sign_in import LinkUse, OwnLinkUse, PasswordChange
from rental_app.services.accounts import emails, passwords, sessions, sign_up
from rental_app.services.fleet import vehicles
from tests.conftest import Clock, forget
from tests.support.accounts import NEW, OTHER, PERSON, ask_change, link_for, reset, unconfirmed, user_of
from tests.support.booking_steps import alter, book, every_file
from tests.support.letters import letters, token_in
from tests.support.mailbox import Post, send_all
from tests.support.rest_helpers import listing
from tests.support.shop import PASSWORD, VISITOR, Shop, actor, statements, token_of, wanted
from tests.support.trips import refusal

VERIFY, CONFIRM, CHANGING = "Confirm your email", "Confirm your new email", "Your email is being changed"
TAKEN = "You already have an account"


def verify(token: str, user: User) -> str:
    return emails.verify(OwnLinkUse(token=token), actor(user))


def confirm(token: str, user: User) -> str:
    return emails.confirm(OwnLinkUse(token=token), actor(user))


def undo(token: str) -> str:
    return write(emails.undo, VISITOR, LinkUse(token=token))


def is_refused(use: Callable[..., str], *args: Any) -> bool:
    with pytest.raises(RentalError) as error:
        use(*args)
    return error.value.code == "link_invalid"


def test_a_sign_up_is_confirmed_by_the_link_it_is_sent(database: str, post: Post) -> None:
    token = sign_up.register(PERSON, VISITOR)
    user = user_of(read(sessions.authenticate, VISITOR, token).id)
    assert user.email_verified_at is None
    to, message = letters(post)[VERIFY]
    assert to == PERSON.email
    assert "24 hours" in message.get_body(("plain",)).get_content()
    verify(token_in(message), user)
    assert user_of(user.id).email_verified_at is not None
    assert is_refused(verify, token_in(message), user)
    assert write(emails.send_again, actor(user)) == emails.ALREADY
    assert letters(post) == {}


def test_the_link_is_sent_again_and_ends_the_one_before(shop: Shop, post: Post, stopped_clock: Clock) -> None:
    sent = []
    unconfirmed(shop.customer)
    for _ in range(2):
        write(emails.send_again, actor(shop.customer))
        sent.append(token_in(letters(post)[VERIFY][1]))
    assert is_refused(verify, sent[0], shop.customer)
    stopped_clock.move(hours=24)
    assert is_refused(verify, sent[1], shop.customer)


def test_a_link_for_a_new_password_confirms_the_address_too(shop: Shop, post: Post) -> None:
    reset(link_for(post, unconfirmed(shop.customer)))
    assert user_of(shop.customer.id).email_verified_at


@pytest.mark.parametrize("needed", ["off", "listing", "booking"])
def test_what_waits_for_the_address_to_be_confirmed(
    shop: Shop, post: Post, monkeypatch: pytest.MonkeyPatch, needed: str
) -> None:
    monkeypatch.setenv("RENTAL_VERIFIED_EMAIL", needed)
    forget()
    unconfirmed(shop.vendor)
    unconfirmed(shop.customer)
    listed = write(vehicles.submit, actor(shop.vendor), listing(), every_file())
    assert read(lambda session: session.get_one(Vehicle, listed)).is_approved == (needed == "off")
    assert read(emails.waits_for_email, actor(shop.vendor)) == (needed != "off")
    if needed == "booking":
        refusal("email_unverified", book, shop.customer, wanted(shop.vehicle))
    else:
        book(shop.customer, wanted(shop.vehicle))
        return
    send_all()
    post.take()
    for user in (shop.vendor, shop.customer):
        write(emails.send_again, actor(user))
        verify(token_in(letters(post)[VERIFY][1]), user)
    assert read(lambda session: session.get_one(Vehicle, listed)).is_approved
    assert book(shop.customer, wanted(shop.vehicle))


def test_an_address_changes_when_the_new_one_is_proved(shop: Shop, post: Post) -> None:
    session = token_of(shop.customer)
    ask_change(shop.customer)
    sent = letters(post)
    assert (sent[CONFIRM][0], sent[CHANGING][0]) == (OTHER, shop.customer.email)
    assert user_of(shop.customer.id).email == shop.customer.email
    confirm(token_in(sent[CONFIRM][1]), shop.customer)
    changed = user_of(shop.customer.id)
    assert (changed.email, bool(changed.email_verified_at)) == (OTHER, True)
    assert is_refused(confirm, token_in(sent[CONFIRM][1]), shop.customer)
    assert read(sessions.authenticate, VISITOR, session)


@pytest.mark.parametrize("confirmed", [True, False])
def test_the_old_address_takes_it_back_for_a_week(
    shop: Shop, post: Post, stopped_clock: Clock, confirmed: bool
) -> None:
    thief = token_of(shop.customer)
    ask_change(shop.customer)
    first = letters(post)
    if confirmed:
        confirm(token_in(first[CONFIRM][1]), shop.customer)
        # A second change does not get rid of the first owner.
        ask_change(user_of(shop.customer.id), "third@example.com")
        confirm(token_in(letters(post)[CONFIRM][1]), shop.customer)
    stopped_clock.move(days=6, hours=23)
    undo(token_in(first[CHANGING][1]))
    assert user_of(shop.customer.id).email == shop.customer.email
    assert is_refused(confirm, token_in(first[CONFIRM][1]), shop.customer)
    with pytest.raises(NotAuthenticatedError):
        read(sessions.authenticate, VISITOR, thief)


def test_after_a_week_nothing_is_taken_back(shop: Shop, post: Post, stopped_clock: Clock) -> None:
    ask_change(shop.customer)
    token = token_in(letters(post)[CHANGING][1])
    stopped_clock.move(days=7)
    assert is_refused(undo, token)


def test_an_address_takes_the_password_of_somebody_who_may_change_it(shop: Shop, post: Post) -> None:
    refusal("wrong_password", ask_change, shop.customer, password="guessed")
    refusal("locked", ask_change, shop.vendor)
    assert letters(post) == {}


def test_a_taken_address_gets_the_same_answer_and_its_owner_is_told(shop: Shop, post: Post) -> None:
    costs = []
    for email in (OTHER, shop.vendor.email):
        with statements() as said:
            ask_change(shop.customer, email)
        costs.append([statement.split()[0] for statement in said])
    assert costs[0] == costs[1]
    sent = letters(post)
    assert sent[TAKEN][0] == shop.vendor.email
    assert sent[CONFIRM][0] == OTHER


def test_an_address_that_is_taken_meanwhile_stays_its_owners(shop: Shop, post: Post) -> None:
    ask_change(shop.customer)
    token = token_in(letters(post)[CONFIRM][1])
    alter(User, shop.vendor.id, email=OTHER)
    assert is_refused(confirm, token, shop.customer)
    assert user_of(shop.customer.id).email == shop.customer.email


def test_the_owner_of_an_address_is_told_once_a_day_that_somebody_signs_up_with_it(shop: Shop, post: Post) -> None:
    form = PERSON.model_copy(update={"email": shop.customer.email})
    for _ in range(3):
        with pytest.raises(ConflictError):
            sign_up.register(form, VISITOR)
    send_all()
    assert [to for to, _ in post.take()] == [shop.customer.email]


@pytest.mark.parametrize("purpose", ["verify", "confirm", "undo"])
def test_a_link_is_good_for_one_thing(shop: Shop, post: Post, purpose: str) -> None:
    ask_change(shop.customer)
    write(emails.send_again, actor(unconfirmed(shop.customer)))
    sent = {name: token_in(letter[1]) for name, letter in letters(post).items()}
    services = {
        "verify": (partial(verify, user=shop.customer), VERIFY),
        "confirm": (partial(confirm, user=shop.customer), CONFIRM),
        "undo": (undo, CHANGING),
    }
    service, own = services[purpose]
    assert all(is_refused(service, token) for name, token in sent.items() if name != own)
    service(sent[own])


@pytest.mark.parametrize("how", ["by_link", "by_the_old_one"])
def test_a_new_password_ends_the_change_that_whoever_had_the_old_one_asked_for(
    shop: Shop, post: Post, how: str
) -> None:
    ask_change(shop.customer, "thief@example.com")
    came = letters(post)
    if how == "by_link":
        reset(link_for(post, shop.customer))
    else:
        passwords.change(PasswordChange(current=PASSWORD, password=NEW), actor(shop.customer))
    assert is_refused(confirm, token_in(came[CONFIRM][1]), shop.customer)
    # The owner's own way back stays, should the address have been changed already.
    undo(token_in(came[CHANGING][1]))
    assert user_of(shop.customer.id).email == shop.customer.email
