"""Passkeys: made, listed and removed, logged in with, and what is refused."""

from itertools import product
from typing import Any

import pyotp
import pytest
from sqlalchemy import select, update
from sqlmodel import col

from rental_app.domain.errors import ConflictError, InvalidInputError, NotFoundError, RentalError
from rental_app.infrastructure.db import read, write
from rental_app.infrastructure.settings import settings
from rental_app.models import AuditEntry, LoginSession, Passkey, Proof, User
from rental_app.schemas.sign_in import Credentials, PasskeyLogin
from rental_app.services.accounts import login, operators, passkeys, second_step, sessions
from rental_app.services.accounts.actor import at_the_machine
from rental_app.services.accounts.proofs import Purpose
from tests.conftest import Clock
from tests.support.accounts import link_for, reset, stepped
from tests.support.authenticator import PRESENT, Authenticator, device, wish, with_passkey
from tests.support.letters import letters
from tests.support.mailbox import Post
from tests.support.races import at_once
from tests.support.rows import each
from tests.support.shop import PASSWORD, VISITOR, Shop, actor, add_user
from tests.support.trips import refusal

ADDED, REMOVED = "A passkey was added to your account", "A passkey was removed from your account"
COPIED = "A login with your passkey was refused"


def log_in(signed: dict[str, Any]) -> str:
    """Log in with what was signed; return the token, or why it is refused."""
    try:
        return passkeys.log_in(PasskeyLogin.model_validate({"credential": signed}), VISITOR)
    except RentalError as error:
        return error.code


def asked() -> dict[str, Any]:
    return write(passkeys.begin_login, VISITOR)


def names(user: User) -> list[str]:
    return [view.name for view in read(passkeys.of_account, actor(user))]


def test_a_passkey_is_added_and_is_both_steps_of_a_login(shop: Shop, post: Post, stopped_clock: Clock) -> None:
    setup = write(second_step.set_up, actor(shop.customer))
    write(second_step.confirm, actor(shop.customer), pyotp.TOTP(setup.secret).at(stopped_clock.instant))
    phone = with_passkey(shop.customer, stepped(shop.customer))
    assert letters(post)[ADDED][0] == shop.customer.email
    stopped_clock.move(hours=1)
    who = read(sessions.authenticate, VISITOR, log_in(phone.sign(asked())))
    assert (who.id, who.by_code) == (shop.customer.id, False)
    assert read(lambda session: session.get_one(LoginSession, who.jti)).stepped_at == stopped_clock.instant
    view = read(passkeys.of_account, actor(shop.customer))[0]
    assert (view.name, view.last_used) == ("My phone", stopped_clock.instant)
    last = select(AuditEntry).order_by(col(AuditEntry.id).desc())
    entry = read(lambda session: session.scalars(last).first())
    assert (entry.act, entry.about, entry.user_id) == ("login.done", "passkey", shop.customer.id)


def test_options_name_the_site_and_ask_who_holds_the_device(shop: Shop) -> None:
    phone = with_passkey(shop.customer)
    options = write(passkeys.begin, actor(shop.customer))
    assert options["rp"]["id"] == asked()["rpId"] == settings().host
    assert options["authenticatorSelection"]["userVerification"] == asked()["userVerification"] == "required"
    assert [known["id"] for known in options["excludeCredentials"]] == [phone.make(options)["id"]]


def test_options_work_once_for_their_account_and_for_five_minutes(shop: Shop, stopped_clock: Clock) -> None:
    options = write(passkeys.begin, actor(shop.customer))
    other = wish(device().make(options))
    with pytest.raises(RentalError, match="start again"):
        write(passkeys.add, actor(shop.vendor), other)
    write(passkeys.add, actor(shop.customer), wish(device().make(options)))
    with pytest.raises(RentalError, match="start again"):
        write(passkeys.add, actor(shop.customer), wish(device().make(options)))
    late, sent = write(passkeys.begin, actor(shop.customer)), asked()
    phone = with_passkey(shop.vendor)
    stopped_clock.move(minutes=5)
    with pytest.raises(RentalError, match="start again"):
        write(passkeys.add, actor(shop.customer), wish(device().make(late)))
    assert log_in(phone.sign(sent)) == "challenge_ended"
    assert names(shop.customer) == ["My phone"]


@pytest.mark.databases
def test_what_was_signed_logs_in_once_even_twice_at_once(shop: Shop) -> None:
    phone = with_passkey(shop.customer)
    form = PasskeyLogin.model_validate({"credential": phone.sign(asked())})
    assert sorted(at_once(*[lambda: passkeys.log_in(form, VISITOR)] * 2)) == ["", "challenge_ended"]


def test_a_copy_is_refused_and_its_owner_told(shop: Shop, post: Post) -> None:
    phone = with_passkey(shop.customer, count=7)
    assert "." in log_in(phone.sign(asked()))
    # The copy was taken before: it has signed as often as the device had then.
    phone.count = 6
    assert log_in(phone.sign(asked())) == "passkey_copied"
    assert COPIED in letters(post)
    refused = select(col(AuditEntry.subject)).where(col(AuditEntry.act) == "passkey.refused")
    assert read(lambda session: session.scalars(refused).all()) == ["passkey"]
    phone.count = 8
    assert "." in log_in(phone.sign(asked()))


def test_a_made_up_count_tells_nobody_without_the_key(shop: Shop, post: Post) -> None:
    phone, thief = with_passkey(shop.customer, count=7), device(count=1)
    thief.id = phone.id
    sent = asked()
    assert log_in(thief.sign(sent)) == "wrong_passkey"
    assert COPIED not in letters(post)
    assert log_in(phone.sign(sent)) == "challenge_ended", "a wrong answer uses the challenge up"


def test_a_device_that_counts_nothing_goes_on(shop: Shop) -> None:
    phone = with_passkey(shop.customer)
    assert all("." in log_in(phone.sign(asked())) for _ in range(2))


def test_what_another_site_or_nobodys_finger_made_is_refused(shop: Shop) -> None:
    elsewhere, unheld = Authenticator("https://elsewhere.example"), device()
    unheld.flags = PRESENT
    for made in (elsewhere, unheld):
        with pytest.raises(InvalidInputError) as error:
            write(passkeys.add, actor(shop.customer), wish(made.make(write(passkeys.begin, actor(shop.customer)))))
        assert error.value.fields.keys() == {"credential"}
    phone = with_passkey(shop.customer)
    phone.flags = PRESENT
    assert log_in(phone.sign(asked())) == "wrong_passkey"
    phone.flags, phone.origin = device().flags, "https://elsewhere.example"
    assert log_in(phone.sign(asked())) == "wrong_passkey"
    assert log_in(device().sign(asked())) == "unknown_passkey"


@pytest.fixture
def phone(shop: Shop) -> Authenticator:
    return with_passkey(shop.customer)


PARTS = ("clientDataJSON", "authenticatorData", "signature")
NONSENSE = ("A", "AAAA", "bnVsbA", "W10", "e30", "eyJjaGFsbGVuZ2UiOltdfQ")


@each(("part", "text"), product(PARTS, NONSENSE))
def test_nonsense_is_refused(shop: Shop, phone: Authenticator, part: str, text: str) -> None:
    signed = phone.sign(asked())
    signed["response"][part] = text
    assert log_in(signed) in {"wrong_passkey", "challenge_ended"}
    made = device().make(write(passkeys.begin, actor(shop.customer)))
    made["response"]["clientDataJSON" if part == "clientDataJSON" else "attestationObject"] = text
    with pytest.raises(RentalError):
        write(passkeys.add, actor(shop.customer), wish(made))
    assert names(shop.customer) == ["My phone"]


def test_a_passkey_is_removed_by_its_owner_alone(shop: Shop, post: Post) -> None:
    phone = with_passkey(shop.customer)
    own = read(passkeys.of_account, actor(shop.customer))[0].id
    with pytest.raises(NotFoundError):
        write(passkeys.remove, actor(shop.vendor), own)
    write(passkeys.remove, actor(shop.customer), own)
    assert REMOVED in letters(post)
    assert names(shop.customer) == []
    assert log_in(phone.sign(asked())) == "unknown_passkey"
    with pytest.raises(NotFoundError):
        write(passkeys.remove, actor(shop.customer), own)


def test_a_session_by_code_removes_none(shop: Shop) -> None:
    with_passkey(shop.customer)
    by_code = write(sessions.open_session, shop.customer.id, by_code=True)
    who = read(sessions.authenticate, VISITOR, by_code)
    refusal("confirm_password", write, passkeys.remove, who, read(passkeys.of_account, who)[0].id)


def test_the_same_passkey_and_too_many_are_refused(shop: Shop) -> None:
    phone = with_passkey(shop.customer)
    refusal(
        "passkey_known",
        write,
        passkeys.add,
        actor(shop.vendor),
        wish(phone.make(write(passkeys.begin, actor(shop.vendor)))),
    )

    def fill(session: Any) -> None:
        row = {"user_id": shop.customer.id, "name": "x", "public_key": "x"}
        session.add_all(Passkey(**row, credential_id=f"x{number}") for number in range(passkeys.MOST - 1))

    write(fill)
    refusal("too_many_passkeys", write, passkeys.begin, actor(shop.customer))


def test_an_operators_only_second_step_stays(shop: Shop, stopped_clock: Clock) -> None:
    keeper = add_user("Operator")
    phone = with_passkey(keeper)
    own = read(passkeys.of_account, actor(keeper))[0].id
    with pytest.raises(ConflictError, match="authenticator app") as error:
        write(passkeys.remove, actor(keeper), own)
    assert error.value.code == "only_second_step"
    # The password alone is not asked for what comes next: the passkey is the second step.
    refusal("passkey_needed", login.sign_in, Credentials(email=keeper.email, password=PASSWORD), VISITOR)
    assert "." in log_in(phone.sign(asked()))
    app = pyotp.TOTP(write(second_step.set_up, actor(keeper)).secret)
    write(second_step.confirm, actor(keeper), app.at(stopped_clock.instant))
    write(passkeys.remove, stepped(keeper), own)
    stopped_clock.move(minutes=1)
    refusal("only_second_step", write, second_step.end, stepped(keeper), app.at(stopped_clock.instant))
    assert read(second_step.is_on, keeper.id), "nothing is half done"


def test_the_command_lets_in_who_has_lost_the_only_passkey(shop: Shop) -> None:
    keeper = add_user("Operator")
    phone = with_passkey(keeper)
    write(second_step.take_off, at_the_machine(), keeper.email)
    assert log_in(phone.sign(asked())) == "unknown_passkey"
    assert login.sign_in(Credentials(email=keeper.email, password=PASSWORD), VISITOR)


def test_a_passkey_of_whoever_knew_the_password_ends_with_it(shop: Shop, post: Post) -> None:
    phone = with_passkey(shop.customer)
    reset(link_for(post, shop.customer))
    assert log_in(phone.sign(asked())) == "unknown_passkey"
    other = with_passkey(shop.customer)
    write(operators.make, at_the_machine(), shop.customer.email)
    assert log_in(other.sign(asked())) == "unknown_passkey"


def test_a_blocked_account_has_no_passkey_that_opens_it(shop: Shop) -> None:
    phone = with_passkey(shop.customer)
    block = update(User).where(col(User.id) == shop.customer.id).values(status="blocked")
    write(lambda session: session.execute(block))
    assert log_in(phone.sign(asked())) == "unknown_passkey"


def test_challenges_are_kept_as_digests_alone(shop: Shop) -> None:
    sent, logging_in = asked()["challenge"], col(Proof.purpose) == Purpose.PASSKEY_LOGIN
    kept = read(lambda session: session.scalars(select(col(Proof.digest)).where(logging_in)).all())
    assert len(kept) == 1
    assert sent not in kept
