"""A mobile number: confirmed by a code, taken over, good for logging in; and what a session by a code may not do."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select
from sqlmodel import col

from rental_app.domain.errors import (
    InvalidInputError,
    NotAuthenticatedError,
    RentalError,
    TooManyRequestsError,
)
from rental_app.infrastructure.db import read, write
from rental_app.models import LoginSession, Proof, SecondStep, User
from rental_app.schemas.accounts import ChangeWish, ProfileUpdate
from rental_app.schemas.sign_in import CodeLogin, Credentials, LinkUse, LoginCodeWish, Phone, PhoneCode
from rental_app.services.accounts import emails, login, phones, profile, requests, sessions
from rental_app.services.accounts.actor import Actor, require_confirmed_password
from rental_app.services.throttle import Caller
from tests.conftest import Clock
from tests.support.accounts import ask_change, link_for, reset, user_of
from tests.support.booking_steps import alter
from tests.support.gateway import Gateway
from tests.support.letters import letters, token_in
from tests.support.mailbox import Post, send_all
from tests.support.races import at_once
from tests.support.rows import each
from tests.support.shop import PASSWORD, VISITOR, Shop, actor, add_user, statements
from tests.support.trips import refusal

CONFIRMED, TAKEN = "Your mobile number is confirmed", "Your mobile number is now on another account"
OTHER = "9123456780"


def code_in(gateway: Gateway) -> str:
    """Send what is due; return the code in the text that came."""
    send_all()
    (text,) = gateway.take()
    code: str = text["values"]["code"]
    return code


def confirm(gateway: Gateway, user: User, phone: str = "") -> None:
    """Confirm a number of an account, its own unless told."""
    number = phone or user.phone_number
    write(phones.send_code, actor(user), Phone(phone=number))
    phones.verify(PhoneCode(phone=number, code=code_in(gateway)), actor(user))


def verify(user: User, code: str, phone: str = "") -> str:
    """Try a code; return why it is refused, or ''."""
    try:
        phones.verify(PhoneCode(phone=phone or user.phone_number, code=code), actor(user))
    except RentalError as error:
        return error.code
    return ""


def ask_login(phone: str, who: Caller = VISITOR) -> None:
    write(phones.ask_login_code, who, LoginCodeWish(phone=phone))


def log_in(phone: str, code: str, who: Caller = VISITOR) -> Actor:
    return read(sessions.authenticate, who, phones.log_in(CodeLogin(phone=phone, code=code), who))


def is_refused(phone: str, code: str, who: Caller = VISITOR) -> bool:
    with pytest.raises(NotAuthenticatedError) as error:
        log_in(phone, code, who)
    return (error.value.code, [*error.value.fields]) == ("wrong_code", ["code"])


def another(code: str) -> str:
    return f"{(int(code) + 1) % 10**6:06}"


def test_a_code_confirms_the_number_once(gateway: Gateway, post: Post, shop: Shop) -> None:
    assert not read(profile.profile, actor(shop.customer)).phone_verified
    write(phones.send_code, actor(shop.customer), Phone(phone=shop.customer.phone_number))
    code = code_in(gateway)
    assert verify(shop.customer, f"{code[:3]} {code[3:]}\n") == ""
    assert read(profile.profile, actor(shop.customer)).phone_verified
    assert letters(post)[CONFIRMED][0] == shop.customer.email
    assert verify(shop.customer, code) == "wrong_code", "a code is used once"


def test_the_sixth_try_is_refused_even_if_it_is_right(gateway: Gateway, shop: Shop) -> None:
    write(phones.send_code, actor(shop.customer), Phone(phone=shop.customer.phone_number))
    code = code_in(gateway)
    for _ in range(5):
        assert verify(shop.customer, another(code)) == "wrong_code"
    assert verify(shop.customer, code) == "wrong_code"
    confirm(gateway, shop.customer)


def test_a_code_is_of_its_own_number_account_and_purpose(gateway: Gateway, shop: Shop) -> None:
    write(phones.send_code, actor(shop.customer), Phone(phone=OTHER))
    code = code_in(gateway)
    assert verify(shop.customer, code) == "wrong_code"
    stranger = add_user("Customer")
    assert verify(stranger, code, OTHER) == "wrong_code"
    assert is_refused(OTHER, code)
    assert verify(shop.customer, code, OTHER) == ""
    assert user_of(shop.customer.id).phone_number == OTHER


def test_a_code_ends_after_ten_minutes_and_with_a_newer_one(gateway: Gateway, shop: Shop, stopped_clock: Clock) -> None:
    sent = []
    for _ in range(2):
        write(phones.send_code, actor(shop.customer), Phone(phone=shop.customer.phone_number))
        sent.append(code_in(gateway))
    if sent[0] != sent[1]:
        assert verify(shop.customer, sent[0]) == "wrong_code"
    stopped_clock.move(minutes=10)
    assert verify(shop.customer, sent[1]) == "wrong_code"


@pytest.mark.databases
def test_a_wrong_code_is_counted_by_all_who_guess_at_once(gateway: Gateway, shop: Shop) -> None:
    write(phones.send_code, actor(shop.customer), Phone(phone=shop.customer.phone_number))
    wrong = another(code_in(gateway))
    own = select(col(Proof.tries)).where(col(Proof.user_id) == shop.customer.id)
    at_once(*[lambda: verify(shop.customer, wrong)] * 8)
    assert read(lambda session: session.scalars(own).one()) == 5


@each("written", ["12345", "1234567", "abcdef", "", "12 34 5x", "\u0661\u0662\u0663\u0664\u0665"])
def test_what_is_no_code_is_refused_and_costs_no_try(written: str) -> None:
    with pytest.raises(ValueError, match="6 digits"):
        PhoneCode(phone=OTHER, code=written)


def at(address: str, user: User) -> Actor:
    """Return somebody who is logged in at another address."""
    return replace(actor(user), address=address)


def test_a_number_gets_five_codes_a_day_from_one_address_and_eight_from_all(
    gateway: Gateway, shop: Shop, rate_limits: None
) -> None:
    people = [shop.customer, add_user("Customer")]
    for number in range(5):
        write(phones.send_code, actor(people[number % 2]), Phone(phone=OTHER))
    with pytest.raises(TooManyRequestsError):
        write(phones.send_code, actor(add_user("Customer")), Phone(phone=OTHER))
    for number in range(3):
        write(phones.send_code, at(f"203.0.113.{number}", add_user("Customer")), Phone(phone=OTHER))
    with pytest.raises(TooManyRequestsError):
        write(phones.send_code, at("192.0.2.1", add_user("Customer")), Phone(phone=OTHER))
    ask_login(OTHER)


def test_one_account_at_many_addresses_gets_five_codes_a_day(gateway: Gateway, shop: Shop, rate_limits: None) -> None:
    for number in range(5):
        write(phones.send_code, at(f"203.0.113.{number}", shop.customer), Phone(phone=OTHER))
    with pytest.raises(TooManyRequestsError):
        write(phones.send_code, at("192.0.2.1", shop.customer), Phone(phone=OTHER))


STRANGER = Caller("203.0.113.5")


def test_what_a_stranger_asks_for_uses_up_no_text_of_the_numbers_owner(
    gateway: Gateway, shop: Shop, rate_limits: None
) -> None:
    confirm(gateway, shop.customer)
    phone = shop.customer.phone_number
    for _ in range(5):
        ask_login(phone, STRANGER)
    with pytest.raises(TooManyRequestsError):
        ask_login(phone, STRANGER)
    send_all()
    gateway.take()
    ask_login(phone)
    assert log_in(phone, code_in(gateway)).id == shop.customer.id
    confirm(gateway, shop.customer)


def test_a_share_of_the_days_texts_is_kept_for_devices_the_account_was_logged_in_from(
    gateway: Gateway, shop: Shop, rate_limits: None
) -> None:
    confirm(gateway, shop.customer)
    phone, known = shop.customer.phone_number, replace(VISITOR, device_key="a key of its own")
    login.sign_in(Credentials(email=shop.customer.email, password=PASSWORD), known)
    for number in range(8):
        ask_login(phone, Caller(f"203.0.113.{number}"))
    for stranger in (Caller("192.0.2.1"), replace(VISITOR, device_key="another")):
        with pytest.raises(TooManyRequestsError):
            ask_login(phone, stranger)
    for _ in range(5):
        ask_login(phone, known)
    with pytest.raises(TooManyRequestsError):
        ask_login(phone, known)
    # Nor do strangers use up what the account that has confirmed a number confirms it with again.
    for number in range(7):
        write(phones.send_code, at(f"203.0.113.{number}", add_user("Customer")), Phone(phone=phone))
    write(phones.send_code, actor(shop.customer), Phone(phone=phone))


def test_numbers_with_and_without_an_account_run_out_of_texts_alike(
    gateway: Gateway, shop: Shop, rate_limits: None
) -> None:
    confirm(gateway, shop.customer)
    outcomes = []
    for phone in (shop.customer.phone_number, OTHER):
        said = []
        for number in range(12):
            try:
                ask_login(phone, Caller(f"203.0.113.{number // 4}", device_key=f"key {number}"))
                said.append("")
            except RentalError as error:
                said.append(error.code)
        outcomes.append(said)
    assert outcomes[0] == outcomes[1]


@pytest.mark.databases
def test_a_strangers_guesses_and_codes_end_no_code_of_who_asked(
    gateway: Gateway, shop: Shop, rate_limits: None
) -> None:
    confirm(gateway, shop.customer)
    phone = shop.customer.phone_number
    ask_login(phone)
    code = code_in(gateway)
    for _ in range(5):
        assert is_refused(phone, another(code), STRANGER)
    with pytest.raises(TooManyRequestsError):
        log_in(phone, code, STRANGER)
    ask_login(phone, STRANGER)
    theirs = code_in(gateway)
    for _ in range(6):
        assert is_refused(phone, code if code != theirs else another(code), STRANGER)
    assert log_in(phone, code).id == shop.customer.id


def test_who_asked_has_five_tries_whatever_the_network(gateway: Gateway, shop: Shop, rate_limits: None) -> None:
    confirm(gateway, shop.customer)
    phone, at_home = shop.customer.phone_number, Caller("198.51.100.80", device_key="a key of its own")
    ask_login(phone, at_home)
    code = code_in(gateway)
    outside = replace(at_home, address="192.0.2.7")
    for number in range(5):
        assert is_refused(phone, another(code), replace(outside, address=f"192.0.2.{number}"))
    assert is_refused(phone, code, outside)
    ask_login(phone, at_home)
    assert log_in(phone, code_in(gateway), outside).id == shop.customer.id


def test_a_code_is_right_once_elsewhere_and_twenty_guesses_a_day_are_answered(
    gateway: Gateway, shop: Shop, rate_limits: None
) -> None:
    confirm(gateway, shop.customer)
    phone = shop.customer.phone_number
    ask_login(phone)
    code = code_in(gateway)
    assert log_in(phone, code, STRANGER).id == shop.customer.id, "a phone that has left the Wi-Fi"
    assert is_refused(phone, code)
    ask_login(phone)
    code = code_in(gateway)
    for number in range(18):
        assert is_refused(phone, another(code), Caller(f"203.0.113.{number // 4 + 10}"))
    with pytest.raises(TooManyRequestsError):
        log_in(phone, code, Caller("192.0.2.1"))
    assert log_in(phone, code).id == shop.customer.id


def test_vendors_confirm_the_number_they_have(gateway: Gateway, shop: Shop) -> None:
    confirm(gateway, shop.vendor)
    for attempt in (
        lambda: write(phones.send_code, actor(shop.vendor), Phone(phone=OTHER)),
        lambda: phones.verify(PhoneCode(phone=OTHER, code="123456"), actor(shop.vendor)),
    ):
        refusal("locked", attempt)


@pytest.mark.databases
def test_who_confirms_a_number_later_takes_it_and_the_earlier_owner_is_told(
    gateway: Gateway, post: Post, shop: Shop
) -> None:
    confirm(gateway, shop.customer, OTHER)
    heir = add_user("Customer")
    confirm(gateway, heir, OTHER)
    assert letters(post)[TAKEN][0] == shop.customer.email
    assert not read(profile.profile, actor(shop.customer)).phone_verified
    ask_login(OTHER)
    assert log_in(OTHER, code_in(gateway)).id == heir.id


def test_a_changed_number_counts_as_confirmed_no_more(gateway: Gateway, shop: Shop) -> None:
    confirm(gateway, shop.customer)
    old = shop.customer.phone_number
    alter(User, shop.customer.id, phone_number=OTHER)
    assert not read(profile.profile, actor(shop.customer)).phone_verified
    for number in (old, OTHER):
        ask_login(number)
    send_all()
    assert gateway.take() == []


def test_a_code_logs_in_and_cannot_be_used_again(gateway: Gateway, post: Post, shop: Shop) -> None:
    confirm(gateway, shop.customer)
    phone = shop.customer.phone_number
    ask_login(phone)
    code = code_in(gateway)
    assert is_refused(phone, another(code))
    who = log_in(phone, code)
    assert (who.id, who.by_code) == (shop.customer.id, True)
    assert is_refused(phone, code)


def test_asking_to_log_in_tells_nobody_whose_number_it_is(gateway: Gateway, shop: Shop, stopped_clock: Clock) -> None:
    blocked, stepped, operator, lapsed = (add_user("Customer") for _ in range(4))
    numbers = {}
    for index, user in enumerate((shop.customer, blocked, stepped, operator, lapsed)):
        numbers[user.id] = f"912345678{index}"
        confirm(gateway, user, numbers[user.id])
    alter(User, blocked.id, status="blocked")
    alter(User, operator.id, role="Operator")
    write(lambda session: session.add(SecondStep(user_id=stepped.id, nonce="x", confirmed_at=stopped_clock.instant)))
    alter(User, lapsed.id, phone_used_at=stopped_clock.instant - phones.TRUSTED_FOR)
    sent: list[list[str]] = []
    for phone in (*numbers.values(), OTHER):
        with statements() as said:
            ask_login(phone)
        sent.append([statement.split()[0] for statement in said])
    assert all(said == sent[0] for said in sent)
    send_all()
    assert [text["to"] for text in gateway.take()] == [f"+91{numbers[shop.customer.id]}"]


def test_a_code_lapses_180_days_after_the_number_was_used_last(
    gateway: Gateway, shop: Shop, stopped_clock: Clock
) -> None:
    confirm(gateway, shop.customer)
    phone = shop.customer.phone_number
    for _ in range(2):
        stopped_clock.move(days=179)
        ask_login(phone)
        assert phones.log_in(CodeLogin(phone=phone, code=code_in(gateway)), VISITOR)
    stopped_clock.move(days=180)
    ask_login(phone)
    send_all()
    assert gateway.take() == []


@pytest.mark.parametrize(
    "change", [{"status": "blocked"}, {"role": "Operator"}, {"is_deleted": True}, {"verified_phone": None}]
)
def test_a_code_under_way_opens_no_account_that_may_not_log_in_any_more(
    gateway: Gateway, shop: Shop, change: dict[str, Any]
) -> None:
    confirm(gateway, shop.customer)
    ask_login(shop.customer.phone_number)
    code = code_in(gateway)
    alter(User, shop.customer.id, **change)
    assert is_refused(shop.customer.phone_number, code)


def by_code(gateway: Gateway, user: User) -> tuple[Actor, str]:
    """Log in by a code; return who acts in that session, and its token."""
    confirm(gateway, user)
    ask_login(user.phone_number)
    token = phones.log_in(CodeLogin(phone=user.phone_number, code=code_in(gateway)), VISITOR)
    return read(sessions.authenticate, VISITOR, token), token


def upi_form(user: User, upi_id: str) -> ProfileUpdate:
    return ProfileUpdate.model_validate(
        {"address": user.address, "zipCode": user.zip_code, "city": user.city, "upi_id": upi_id}
    )


def test_a_session_by_a_code_changes_no_upi_id_until_the_password_is_given(gateway: Gateway, shop: Shop) -> None:
    who, token = by_code(gateway, shop.vendor)
    refusal("confirm_password", write, profile.update_profile, who, upi_form(shop.vendor, "thief@upi"))
    write(profile.update_profile, who, upi_form(shop.vendor, shop.vendor.upi_id))
    with pytest.raises(InvalidInputError):
        login.confirm_password("wrong", who)
    login.confirm_password(PASSWORD, who)
    write(sessions.note_password, who)
    trusted = read(sessions.authenticate, VISITOR, token)
    require_confirmed_password(trusted)
    write(profile.update_profile, trusted, upi_form(shop.vendor, "owner@upi"))


def test_whoever_logs_in_with_the_password_has_given_it(shop: Shop) -> None:
    token = login.sign_in(Credentials(email=shop.vendor.email, password=PASSWORD), VISITOR)
    require_confirmed_password(read(sessions.authenticate, VISITOR, token))
    assert read(lambda session: session.scalars(select(col(LoginSession.by_code))).all()).count(True) == 0


def test_what_undoes_a_takeover_takes_the_number_off(gateway: Gateway, post: Post, shop: Shop) -> None:
    confirm(gateway, shop.customer, OTHER)
    reset(link_for(post, shop.customer))
    assert user_of(shop.customer.id).verified_phone is None
    confirm(gateway, shop.customer, OTHER)
    alter(User, shop.customer.id, password_hash=shop.vendor.password_hash)
    ask_change(shop.customer)
    token = token_in(letters(post)["Your email is being changed"][1])
    ask_login(OTHER)
    code = code_in(gateway)
    write(emails.undo, VISITOR, LinkUse(token=token))
    assert is_refused(OTHER, code)


def test_a_request_for_a_change_is_told_by_text_where_the_number_is_confirmed(gateway: Gateway, shop: Shop) -> None:
    wish = ChangeWish(field="name", value="Lakshmi Rentals", password=PASSWORD)
    write(requests.ask, actor(shop.vendor), wish)
    send_all()
    assert gateway.take() == []
    confirm(gateway, shop.vendor)
    write(requests.ask, actor(shop.vendor), wish.model_copy(update={"field": "phone", "value": OTHER}))
    send_all()
    (text,) = gateway.take()
    assert text["to"] == f"+91{shop.vendor.phone_number}"
    assert "/reset-password" in text["text"]
    assert "mobile number" in text["text"]
