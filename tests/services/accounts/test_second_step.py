"""The second step of a login: set up, asked for, never skipped, and what stands in for a lost app."""

from functools import partial
from typing import Any, NamedTuple

import pyotp
import pytest
from sqlalchemy import select

from rental_app.domain.errors import (
    ConflictError,
    InvalidInputError,
    NotAuthenticatedError,
    NotFoundError,
    RentalError,
    TooManyRequestsError,
)
from rental_app.infrastructure.background import wait_for_rest
from rental_app.infrastructure.db import read, write
from rental_app.models import AuditEntry, LoginSession, Proof, RecoveryCode, SecondStep, User
from rental_app.schemas.sign_in import Credentials, PasswordChange, StepAnswer
from rental_app.services.accounts import login, passwords, profile, second_step, sessions
from rental_app.services.accounts.actor import at_the_machine
from tests.conftest import Clock
from tests.support.accounts import NEW, link_for, reset, stepped
from tests.support.letters import letters
from tests.support.mailbox import Post
from tests.support.races import at_once
from tests.support.shop import PASSWORD, VISITOR, Shop, actor, add_user
from tests.support.trips import refusal

ON, OFF, USED = (
    "Your sign-in now needs a second step",
    "Your sign-in no longer needs a second step",
    "A recovery code was used",
)


class App(NamedTuple):
    """An authenticator app by the test's clock, and the recovery codes of its account."""

    totp: pyotp.TOTP
    clock: Clock
    codes: list[str]

    def code(self, seconds: int = 0) -> str:
        """Return what the app shows, with its clock this many seconds off."""
        return self.totp.at(int(self.clock.instant.timestamp()) + seconds)

    def next_code(self) -> str:
        """Wait for another code."""
        self.clock.move(seconds=30)
        return self.code()


def turn_on(user: User, clock: Clock) -> App:
    setup = write(second_step.set_up, actor(user))
    assert pyotp.parse_uri(setup.uri).secret == setup.secret
    app = App(pyotp.TOTP(setup.secret), clock, [])
    app.codes.extend(write(second_step.confirm, actor(user), app.code()))
    return app


def challenge_of(user: User, password: str = PASSWORD) -> str:
    error = refusal("second_step", login.sign_in, Credentials(email=user.email, password=password), VISITOR)
    return str(error.details["challenge"])


def give(challenge: str, code: str) -> str:
    """Answer a challenge; return the token, or why it is refused."""
    try:
        return login.give_second_step(StepAnswer(challenge=challenge, code=code), VISITOR)
    except RentalError as error:
        return error.code


def stepped_at(token: str) -> Any:
    jti = read(sessions.authenticate, VISITOR, token).jti
    return read(lambda session: session.get_one(LoginSession, jti)).stepped_at


def test_an_app_is_confirmed_and_then_asked_for_at_every_login(shop: Shop, post: Post, stopped_clock: Clock) -> None:
    app = turn_on(shop.customer, stopped_clock)
    assert len(set(app.codes)) == 10
    assert letters(post)[ON][0] == shop.customer.email
    assert read(profile.profile, actor(shop.customer)).second_step
    token = give(challenge_of(shop.customer), app.next_code())
    assert read(sessions.authenticate, VISITOR, token).id == shop.customer.id
    assert stepped_at(token) == stopped_clock.instant


def test_a_key_that_is_not_confirmed_asks_for_nothing(shop: Shop, stopped_clock: Clock) -> None:
    setup = write(second_step.set_up, actor(shop.customer))
    wrong = pyotp.TOTP(setup.secret).at(int(stopped_clock.instant.timestamp()) + 3000)
    refusal("wrong_code", write, second_step.confirm, actor(shop.customer), wrong)
    assert login.sign_in(Credentials(email=shop.customer.email, password=PASSWORD), VISITOR)
    # Another key takes the place of the first.
    turn_on(shop.customer, stopped_clock)


def test_a_key_is_said_again_to_whoever_has_it_until_it_is_confirmed(shop: Shop, stopped_clock: Clock) -> None:
    setup = write(second_step.set_up, actor(shop.customer))
    again = [read(second_step.begun, actor(user), key) for user, key in (
        (shop.customer, setup.secret), (shop.customer, ""), (shop.customer, "x"), (shop.vendor, setup.secret),
    )]  # fmt: skip
    assert again == [setup, None, None, None]
    write(second_step.confirm, actor(shop.customer), App(pyotp.TOTP(setup.secret), stopped_clock, []).code())
    assert read(second_step.begun, actor(shop.customer), setup.secret) is None


def test_what_is_set_up_twice_or_not_at_all_is_refused(shop: Shop, stopped_clock: Clock) -> None:
    for service in (second_step.confirm, second_step.end):
        with pytest.raises(ConflictError):
            write(service, actor(shop.vendor), "123456")
    app = turn_on(shop.customer, stopped_clock)
    with pytest.raises(ConflictError):
        write(second_step.set_up, actor(shop.customer))
    with pytest.raises(ConflictError):
        write(second_step.confirm, actor(shop.customer), app.next_code())


@pytest.mark.databases
def test_a_code_is_used_once_even_by_two_at_once(shop: Shop, stopped_clock: Clock) -> None:
    app = turn_on(shop.customer, stopped_clock)
    challenges = [challenge_of(shop.customer) for _ in range(3)]
    code = app.next_code()
    answers = [StepAnswer(challenge=challenge, code=code) for challenge in challenges[:2]]
    outcomes = at_once(*[partial(login.give_second_step, answer, VISITOR) for answer in answers])
    assert sorted(outcomes) == ["", "wrong_code"]
    assert give(challenges[2], code) == "wrong_code"
    assert give(challenges[2], app.code(-30)) == "wrong_code", "nor is an earlier one"


@pytest.mark.parametrize(("seconds", "is_right"), [(30, True), (-30, True), (90, False), (-90, False)])
def test_a_clock_may_be_half_a_minute_off(shop: Shop, stopped_clock: Clock, seconds: int, is_right: bool) -> None:
    app = turn_on(shop.customer, stopped_clock)
    stopped_clock.move(minutes=2)
    challenge = challenge_of(shop.customer)
    if is_right:
        assert give(challenge, app.code(seconds)) != "wrong_code"
        return
    with pytest.raises(NotAuthenticatedError, match="clock") as error:
        login.give_second_step(StepAnswer(challenge=challenge, code=app.code(seconds)), VISITOR)
    assert [*error.value.fields] == ["code"]


def test_a_challenge_ends_after_five_tries_five_minutes_and_its_use(shop: Shop, stopped_clock: Clock) -> None:
    app = turn_on(shop.customer, stopped_clock)
    guessed = challenge_of(shop.customer)
    for _ in range(5):
        assert give(guessed, "000000") == "wrong_code"
    assert give(guessed, app.next_code()) == "challenge_ended"
    late = challenge_of(shop.customer)
    stopped_clock.move(minutes=5)
    assert give(late, app.code()) == "challenge_ended"
    used = challenge_of(shop.customer)
    give(used, app.code())
    assert give(used, app.next_code()) == "challenge_ended"
    assert give("no challenge", "123456") == "challenge_ended"
    wait_for_rest()
    failed = read(lambda session: session.scalars(select(AuditEntry).where(AuditEntry.act == "login.failed")).all())
    assert len(failed) == 1


def test_whoever_has_the_password_does_not_guess_on_with_new_challenges(
    shop: Shop, rate_limits: None, stopped_clock: Clock
) -> None:
    turn_on(shop.customer, stopped_clock)
    for _ in range(4):
        challenge = challenge_of(shop.customer)
        for _ in range(5):
            give(challenge, "000000")
    with pytest.raises(TooManyRequestsError):
        login.give_second_step(StepAnswer(challenge=challenge_of(shop.customer), code="000000"), VISITOR)


def test_a_challenge_is_of_its_own_account(shop: Shop, stopped_clock: Clock) -> None:
    app, other = turn_on(shop.customer, stopped_clock), turn_on(shop.vendor, stopped_clock)
    stopped_clock.move(seconds=30)
    assert give(challenge_of(shop.customer), other.code()) == "wrong_code"
    assert give(challenge_of(shop.customer), other.codes[0]) == "wrong_code"
    assert give(challenge_of(shop.vendor), other.codes[0]) != "wrong_code"
    assert give(challenge_of(shop.customer), app.code()) != "wrong_code"


def test_a_recovery_code_stands_in_for_the_app_once(shop: Shop, post: Post, stopped_clock: Clock) -> None:
    app = turn_on(shop.customer, stopped_clock)
    code = f" {app.codes[3].lower().replace('-', ' ')}\n"
    token = give(challenge_of(shop.customer), code)
    assert stepped_at(token)
    to, message = letters(post)[USED]
    assert to == shop.customer.email
    assert "You have 9 left" in " ".join(message.get_body(("plain",)).get_content().split())
    assert give(challenge_of(shop.customer), code) == "wrong_code"


def test_a_new_password_skips_no_second_step_and_ends_the_login_that_was_begun(
    shop: Shop, post: Post, stopped_clock: Clock
) -> None:
    app = turn_on(shop.customer, stopped_clock)
    begun = challenge_of(shop.customer)
    reset(link_for(post, shop.customer))
    assert give(begun, app.next_code()) == "challenge_ended"
    token = give(challenge_of(shop.customer, NEW), app.next_code())
    who = read(sessions.authenticate, VISITOR, token)
    # The session that takes its place has given it, too.
    assert stepped_at(passwords.change(PasswordChange(current=NEW, password=PASSWORD), who)) == stepped_at_of(who.jti)


def stepped_at_of(jti: str) -> Any:
    return read(lambda session: session.get_one(LoginSession, jti)).stepped_at


def test_it_is_turned_off_by_a_code(shop: Shop, post: Post, stopped_clock: Clock) -> None:
    app = turn_on(shop.customer, stopped_clock)
    with pytest.raises(InvalidInputError):
        write(second_step.end, stepped(shop.customer), "000000")
    write(second_step.end, stepped(shop.customer), app.next_code())
    assert letters(post)[OFF][0] == shop.customer.email
    assert login.sign_in(Credentials(email=shop.customer.email, password=PASSWORD), VISITOR)
    assert read(lambda session: session.scalars(select(RecoveryCode)).all()) == []


def test_who_has_lost_all_is_let_in_at_the_machine(shop: Shop, post: Post, stopped_clock: Clock) -> None:
    turn_on(shop.customer, stopped_clock)
    write(second_step.take_off, at_the_machine(), shop.customer.email)
    assert OFF in letters(post)
    assert login.sign_in(Credentials(email=shop.customer.email, password=PASSWORD), VISITOR)
    with pytest.raises(NotFoundError):
        write(second_step.take_off, at_the_machine(), "nobody@example.com")


def test_the_database_opens_nothing(shop: Shop, stopped_clock: Clock) -> None:
    app = turn_on(shop.customer, stopped_clock)
    challenge = challenge_of(shop.customer)

    def kept(session: Any) -> str:
        tables = (SecondStep, RecoveryCode, Proof)
        return str([row.model_dump() for table in tables for row in session.scalars(select(table))])

    stored = read(kept)
    assert not [text for text in (app.totp.secret, challenge, *app.codes) if text in stored]
    assert not [code for code in app.codes if code.replace("-", "") in stored]


@pytest.mark.databases
def test_two_who_begin_at_once_have_one_key(shop: Shop) -> None:
    user = add_user("Customer")
    assert at_once(*[lambda: write(second_step.set_up, actor(user))] * 2) == ["", ""]
    assert len(read(lambda session: session.scalars(select(SecondStep)).all())) == 1
