"""What vendors ask to have changed: one open of a kind, decided once, by the operator, and told."""

import pytest

from rental_app import people
from rental_app.domain.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from rental_app.infrastructure.db import read, write
from rental_app.models import User
from rental_app.schemas.accounts import ChangeView, ChangeWish
from rental_app.schemas.validation import validated
from rental_app.services.accounts import requests
from rental_app.services.accounts.actor import at_the_machine
from tests.support.accounts import NEW, change, user_of
from tests.support.letters import letters
from tests.support.mailbox import Post, send_all
from tests.support.rows import each
from tests.support.shop import PASSWORD, Shop, actor, add_user
from tests.support.trips import refusal

BANK = "State Bank of India, 30012345678, SBIN0001234"
GRANTED, REFUSED, ASKED = "Your account has changed", "Your account stays as it is", "You asked for a change"


def ask(vendor: User, field: str, value: str) -> ChangeView:
    wish = validated(ChangeWish, {"field": field, "value": value, "why": "As agreed", "password": PASSWORD})
    return write(requests.ask, actor(vendor), wish)


def decide(request: ChangeView, *, grant: bool = True, reason: str = "") -> ChangeView:
    return write(requests.decide, at_the_machine(), request.id, grant=grant, reason=reason)


@pytest.mark.parametrize(
    ("field", "value", "kept"),
    [
        ("name", "Lakshmi Rentals", {"name": "Lakshmi Rentals"}),
        ("phone", "+91 98765 43210", {"phone_number": "9876543210"}),
        (
            "bank",
            "State Bank of India ,3001 2345 678, sbin0001234",
            {"bank_name": "State Bank of India", "bank_account_no": "30012345678", "bank_ifsc": "SBIN0001234"},
        ),
    ],
)
def test_what_is_granted_is_the_accounts(shop: Shop, post: Post, field: str, value: str, kept: dict[str, str]) -> None:
    asked = ask(shop.vendor, field, value)
    assert letters(post)[ASKED][0] == shop.vendor.email
    assert user_of(shop.vendor.id).name == shop.vendor.name
    assert decide(asked).state == "granted"
    changed = user_of(shop.vendor.id)
    assert {name: getattr(changed, name) for name in kept} == kept
    assert letters(post)[GRANTED][0] == shop.vendor.email


def test_another_email_is_told_at_both_addresses_and_has_to_be_confirmed(shop: Shop, post: Post) -> None:
    decide(ask(shop.vendor, "email", "Other@Example.com"))
    changed = user_of(shop.vendor.id)
    assert (changed.email, changed.email_verified_at) == ("other@example.com", None)
    send_all()
    told = [(to, str(message["Subject"])) for to, message in post.take()]
    assert {to for to, subject in told if subject == GRANTED} == {shop.vendor.email, "other@example.com"}
    assert ("other@example.com", "Confirm your email") in told


def test_a_taken_email_is_not_granted(shop: Shop) -> None:
    asked = ask(shop.vendor, "email", shop.customer.email)
    refusal("email_taken", decide, asked)
    assert read(requests.of_vendor, actor(shop.vendor))[0].state == "open"


def test_one_of_a_kind_is_open_until_it_is_decided_or_withdrawn(shop: Shop) -> None:
    first = ask(shop.vendor, "name", "One")
    ask(shop.vendor, "bank", BANK)
    refusal("request_open", ask, shop.vendor, "name", "Two")
    write(requests.withdraw, actor(shop.vendor), first.id)
    with pytest.raises(NotFoundError):
        write(requests.withdraw, actor(shop.vendor), first.id)
    second = ask(shop.vendor, "name", "Two")
    decide(second, grant=False, reason="Another name is on the papers")
    states = [(one.value, one.state, one.reason) for one in read(requests.of_vendor, actor(shop.vendor))]
    assert states[0] == ("Two", "refused", "Another name is on the papers")
    assert [state for _, state, _ in states] == ["refused", "open", "withdrawn"]
    assert user_of(shop.vendor.id).name == shop.vendor.name


def test_a_request_is_decided_once(shop: Shop, post: Post) -> None:
    asked = ask(shop.vendor, "name", "One")
    decide(asked, grant=False)
    refusal("already_decided", decide, asked)
    with pytest.raises(NotFoundError):
        write(requests.decide, at_the_machine(), 10**9, grant=True, reason="")
    assert user_of(shop.vendor.id).name == shop.vendor.name
    assert REFUSED in letters(post)


def test_nobody_decides_but_the_operator_and_nobody_asks_for_others(shop: Shop) -> None:
    asked = ask(shop.vendor, "name", "One")
    for somebody in (shop.vendor, shop.customer):
        with pytest.raises(ForbiddenError):
            write(requests.decide, actor(somebody), asked.id, grant=True, reason="")
        with pytest.raises(ForbiddenError):
            read(requests.open_requests, actor(somebody))
    with pytest.raises(ForbiddenError):
        ask(shop.customer, "name", "One")
    with pytest.raises(NotFoundError):
        write(requests.withdraw, actor(add_user("Vendor")), asked.id)


def test_a_new_password_takes_back_what_is_asked_for(shop: Shop) -> None:
    asked = ask(shop.vendor, "bank", BANK)
    change(shop.vendor, PASSWORD, NEW)
    with pytest.raises(ConflictError):
        decide(asked)


@each(
    ("field", "value"),
    [
        ("name", "123"),
        ("name", ""),
        ("email", "nobody"),
        ("phone", "12"),
        ("bank", "State Bank of India, 30012345678"),
        ("bank", "State Bank of India, 12, SBIN0001234"),
        ("bank", ", 30012345678, SBIN0001234"),
        ("wallet", "1000"),
    ],
)
def test_what_an_account_could_not_have_is_refused(shop: Shop, field: str, value: str) -> None:
    with pytest.raises(InvalidInputError):
        ask(shop.vendor, field, value)


def test_no_request_passes_for_another_one_in_the_list(shop: Shop) -> None:
    why = "Typed wrongly\n\n7: Honest Cars (honest@example.com)\n    another name: Honest\u202e Wheels"
    wish = ChangeWish(field="bank", value=BANK.replace(", ", ",\n", 1), why=why, password=PASSWORD)
    asked = write(requests.ask, actor(shop.vendor), wish)
    told = next(one for one in read(requests.open_requests, at_the_machine()) if one.request.id == asked.id)
    listed = people.on_a_few_lines(told)
    assert len(listed.splitlines()) == 3
    assert "\u202e" not in listed
