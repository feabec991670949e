"""Operators are made and unmade at the machine; they rent nothing and work for nobody."""

from urllib.parse import parse_qs, urlsplit

import pytest

from rental_app.domain.errors import (
    ConflictError,
    ForbiddenError,
    NotAuthenticatedError,
    NotFoundError,
)
from rental_app.infrastructure.db import read, write
from rental_app.models import User
from rental_app.schemas.sign_in import Credentials, PasswordReset
from rental_app.services.accounts import login, members, operators, passwords, sessions
from rental_app.services.accounts.actor import at_the_machine
from tests.support.accounts import user_of
from tests.support.booking_steps import book
from tests.support.shop import PASSWORD, VISITOR, Shop, actor, add_user, token_of, wanted
from tests.support.staff import invited, join
from tests.support.trips import refusal

NEW = "a quite different secret"


def make(email: str) -> str:
    """Make an operator; return the token of the link."""
    link = write(operators.make, at_the_machine(), email)
    assert urlsplit(link).path == "/reset-password"
    return parse_qs(urlsplit(link).query)["token"][0]


def log_in(email: str, password: str) -> User:
    token = login.sign_in(Credentials(email=email, password=password), VISITOR)
    return user_of(read(sessions.authenticate, VISITOR, token).id)


def test_a_new_operator_sets_a_password_by_the_link(database: str) -> None:
    token = make("meera@example.org")
    passwords.reset(PasswordReset(token=token, password=NEW), VISITOR)
    assert log_in("meera@example.org", NEW).role == "Operator"


def test_an_account_that_there_was_is_logged_out_and_asked_for_a_new_password(shop: Shop) -> None:
    elsewhere = token_of(shop.customer)
    token = make(shop.customer.email)
    with pytest.raises(NotAuthenticatedError):
        read(sessions.authenticate, VISITOR, elsewhere)
    with pytest.raises(NotAuthenticatedError):
        log_in(shop.customer.email, PASSWORD)
    passwords.reset(PasswordReset(token=token, password=NEW), VISITOR)
    assert log_in(shop.customer.email, NEW).role == "Operator"
    current = token_of(shop.customer)
    write(operators.unmake, at_the_machine(), shop.customer.email)
    assert user_of(shop.customer.id).role == "Customer"
    with pytest.raises(NotAuthenticatedError):
        read(sessions.authenticate, VISITOR, current)


def test_vendors_and_who_works_for_one_are_no_operators(shop: Shop) -> None:
    member = add_user("Customer")
    join(shop.vendor, member)
    for email in (shop.vendor.email, member.email):
        with pytest.raises(ConflictError):
            make(email)
    with pytest.raises(NotFoundError):
        write(operators.unmake, at_the_machine(), shop.vendor.email)


def test_operators_rent_nothing_and_work_for_nobody(shop: Shop) -> None:
    make(shop.customer.email)
    operator = user_of(shop.customer.id)
    refusal("operators_cannot_book", book, operator, wanted(shop.vehicle))
    # Who the operators are is told to nobody but themselves.
    refusal("has_business", write, members.accept, actor(operator), invited(shop.vendor, operator.email))


def test_nobody_else_makes_one(shop: Shop) -> None:
    for user in (shop.customer, shop.vendor):
        for service in (operators.make, operators.unmake):
            with pytest.raises(ForbiddenError):
                write(service, actor(user), user.email)
