"""Strong passwords and valid tokens."""

import base64
import json
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import jwt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rental_app.domain import clock
from rental_app.domain.errors import InvalidInputError, NotAuthenticatedError
from rental_app.infrastructure import security
from rental_app.infrastructure.settings import settings
from rental_app.seed.people import DEMO_PASSWORD
from tests.support.rows import each
from tests.support.shop import PASSWORD
from tests.support.within import within

EMAIL = "someone@example.com"
KEY = "0f3b1c07a9e5d42168b0d7c94e2a65f1"


@pytest.fixture(autouse=True)
def own_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Settings of this module's own, with a known signing key."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RENTAL_SECRET_KEY", KEY)
    settings.cache_clear()
    yield
    settings.cache_clear()


ABOUT = ("Lakshmi Narayana", "9876543210", "12 Long Road", "", "Hyderabad", "500032")


@pytest.mark.parametrize(
    "password",
    [
        DEMO_PASSWORD,
        PASSWORD,
        "correct horse",
        "mango tree by the lake",
        "zzzzzzzzzzzzzzzzzzzzzzzz mango tree by the lake",
        "हैदराबाद की गाड़ी",
        "4@8({[<369&#!1/|0$5+7%2" * 3,
    ],
)
def test_good_passwords_are_taken(password: str) -> None:
    with within(2):
        security.check_new_password(password, EMAIL, ABOUT)


@pytest.mark.parametrize(
    ("password", "reason"),
    [
        ("", "at least 8"),
        ("seven 7", "at least 8"),
        ("x" * 73, "at most 72 bytes"),
        ("ä" * 36 + "x", "at most 72 bytes"),
        (EMAIL, "easy to guess"),
        ("password", "easy to guess"),
        ("Password1!", "similar to a commonly used password.* Add another word or two"),
        ("P@ssw0rd123", "easy to guess"),
        ("abcd12345", "similar to a commonly used password"),
        ("qwerty12", "very common"),
        ("zzzzzzzz", "Repeats"),
        ("Password1!" * 7, "Repeats"),
        (" " * 8, "Repeats"),
        ("hyderabad1", "easy to guess"),
        ("pahiya12", "easy to guess"),
        ("Pahiya@2026", "easy to guess"),
        ("Narayana1", "easy to guess"),
        ("9876543210", "easy to guess"),
        ("someone123", "easy to guess"),
    ],
)
def test_bad_passwords_are_refused_with_the_reason(password: str, reason: str) -> None:
    with pytest.raises(InvalidInputError, match=reason) as refused:
        security.check_new_password(password, EMAIL, ABOUT)
    assert refused.value.code == "weak_password"
    assert list(refused.value.fields) == ["password"]


MANY_SIGNS = "a1.b2-c3_d4+e5.f6-g7+h8-i9.j0@example.com"
ADDRESS = "12-34/5, Plot 67, Road #8 (opp. 9th) & Lane_10"


@each("password", [MANY_SIGNS, MANY_SIGNS.upper(), f" {MANY_SIGNS} ", f"x{MANY_SIGNS}2026", ADDRESS.lower()])
def test_no_detail_is_a_password_whatever_it_consists_of(password: str) -> None:
    with pytest.raises(InvalidInputError, match="own details"):
        security.check_new_password(password, MANY_SIGNS, (*ABOUT, ADDRESS))


def test_one_persons_words_do_not_count_for_the_next() -> None:
    security.check_new_password("Venkateshwarlu99", EMAIL, ABOUT)
    with pytest.raises(InvalidInputError):
        security.check_new_password("Venkateshwarlu99", EMAIL, (*ABOUT, "Venkateshwarlu Rao"))
    security.check_new_password("Venkateshwarlu99", EMAIL, ABOUT)


@given(st.text(max_size=90))
def test_only_8_to_72_bytes_are_ever_taken(password: str) -> None:
    try:
        security.check_new_password(password, EMAIL, ABOUT)
    except InvalidInputError:
        return
    assert 8 <= len(password.encode()) <= 72


@pytest.mark.usefixtures("decided_cost")
def test_a_hash_matches_its_password_only_at_the_decided_cost() -> None:
    made = security.hash_password("correct horse")
    assert made.startswith("$2b$12$")
    assert security.password_matches("correct horse", made)
    assert not security.password_matches("Correct horse", made)


def test_nothing_is_cut_off_at_72_bytes_and_nobody_matches_nothing() -> None:
    made = security.hash_password("x" * 72)
    assert security.password_matches("x" * 72, made)
    assert not security.password_matches("x" * 73, made)
    assert not security.password_matches("no account has this password", None)


def _claims(**changed: Any) -> dict[str, Any]:
    now = clock.now()
    claims = {"sub": "7", "jti": "a1", "iat": now, "exp": now + timedelta(hours=1)}
    audience = {"aud": security.AUDIENCE, "iss": security.AUDIENCE}
    return {name: value for name, value in (claims | audience | changed).items() if value is not None}


def _signed(key: str = KEY, algorithm: str = "HS256", **changed: Any) -> str:
    return jwt.encode(_claims(**changed), key, algorithm=algorithm)


def _without(name: str) -> str:
    return jwt.encode(_claims(**{name: None}), KEY, algorithm="HS256")


def _tampered() -> str:
    head, body, signature = _signed().split(".")
    claims = json.loads(base64.urlsafe_b64decode(body + "=="))
    forged = base64.urlsafe_b64encode(json.dumps(claims | {"jti": "b2"}).encode()).decode().rstrip("=")
    return f"{head}.{forged}.{signature}"


def test_a_token_proves_its_session() -> None:
    token, jti = security.issue_token(7, clock.now())
    assert security.read_token(token) == jti
    assert security.read_token(_signed()) == "a1"


def test_a_token_is_its_own_session_and_lasts_seven_days() -> None:
    now = clock.now()
    assert security.issue_token(7, now)[1] != security.issue_token(7, now)[1]
    security.read_token(security.issue_token(7, now - timedelta(days=7) + timedelta(minutes=1))[0])
    with pytest.raises(NotAuthenticatedError) as refused:
        security.read_token(security.issue_token(7, now - timedelta(days=7, seconds=1))[0])
    assert refused.value.code == "token_expired"


def test_a_token_that_has_been_read_before_expires_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    issued = clock.now()
    token, jti = security.issue_token(7, issued)
    for seconds, proves in ((-1, True), (1, False)):
        then = issued.replace(microsecond=0) + security.TOKEN_LIFE + timedelta(seconds=seconds)
        monkeypatch.setattr(clock, "now", lambda then=then: then)
        with nullcontext() if proves else pytest.raises(NotAuthenticatedError, match="expired"):
            assert security.read_token(token) == jti


@pytest.mark.filterwarnings("ignore::jwt.InsecureKeyLengthWarning")
@each(
    "forge",
    [
        lambda: "half.\ud83d.character",
        lambda: jwt.encode(_claims(), "", algorithm="none"),
        lambda: _signed(key="o" * 32),
        lambda: _signed(key=KEY * 2, algorithm="HS512"),
        lambda: _signed(algorithm="HS384"),
        lambda: _signed().rsplit(".", 1)[0] + ".",
        _tampered,
        lambda: _signed(aud="elsewhere"),
        lambda: _signed(iss="elsewhere"),
        *(partial(_without, name) for name in ("sub", "jti", "iat", "exp", "aud", "iss")),
    ],
)
def test_forged_and_foreign_tokens_prove_nothing(forge: Callable[[], str]) -> None:
    with pytest.raises(NotAuthenticatedError) as refused:
        security.read_token(forge())
    assert refused.value.code == "invalid_token"


def test_the_clocks_of_two_machines_may_be_a_little_apart() -> None:
    """The machine that reads a token may be behind the one that issued it."""
    now = clock.now()
    assert security.read_token(_signed(iat=now + timedelta(seconds=30))) == "a1"
    with pytest.raises(NotAuthenticatedError):
        security.read_token(_signed(iat=now + timedelta(minutes=2)))
    with pytest.raises(NotAuthenticatedError) as refused:
        security.read_token(_signed(exp=now - timedelta(seconds=1)))
    assert refused.value.code == "token_expired"


@given(st.text(max_size=60))
def test_no_text_is_a_token(text: str) -> None:
    with pytest.raises(NotAuthenticatedError):
        security.read_token(text)
