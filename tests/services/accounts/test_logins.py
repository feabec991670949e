"""Failed logins: what they lead to, for whom, and who can still log in; and turns at hashing."""

import asyncio
import threading
import time
from collections.abc import Callable

import pytest
from limits import parse

from rental_app.domain.errors import NotAuthenticatedError, TooManyRequestsError
from rental_app.infrastructure.db import read
from rental_app.models import User
from rental_app.schemas.sign_in import Credentials
from rental_app.services import throttle
from rental_app.services.accounts import hashing, login, sign_up
from rental_app.services.throttle import Caller, Limit
from tests.support.accounts import PERSON
from tests.support.shop import PASSWORD, VISITOR, Shop

HOME, OFFICE = Caller("203.0.113.1"), Caller("203.0.113.2")
pytestmark = pytest.mark.usefixtures("rate_limits")


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare passwords without hashing, which takes a quarter of a second."""
    monkeypatch.setattr(login, "password_matches", lambda given, kept: kept is not None and given == PASSWORD)


def sign_in(email: str, caller: Caller, password: str = PASSWORD) -> str:
    return login.sign_in(Credentials(email=email, password=password), caller)


def fail(email: str, caller: Caller, times: int = 1) -> None:
    """Log in with wrong passwords, each of which is refused as such."""
    for _ in range(times):
        with pytest.raises(NotAuthenticatedError):
            sign_in(email, caller, "wrong")


def elsewhere(number: int) -> Caller:
    """Return one of many addresses."""
    return Caller(f"192.0.2.{number}")


def locked(email: str, caller: Caller, password: str = PASSWORD) -> bool:
    """Return whether a login has to wait, and says for how long."""
    try:
        sign_in(email, caller, password)
    except TooManyRequestsError as error:
        return 0 < (error.retry_after or 0) <= 15 * 60
    return False


@pytest.mark.parametrize("known", [True, False])
def test_the_eleventh_failure_waits_for_account_and_address_alone(shop: Shop, known: bool) -> None:
    email = shop.customer.email if known else "nobody@example.com"
    fail(email, VISITOR, 10)
    assert locked(email, VISITOR, "wrong")
    assert locked(email.upper(), VISITOR)
    # Neither others behind the address nor the account from elsewhere are locked.
    assert sign_in(shop.vendor.email, VISITOR)
    fail(email, HOME)


def test_an_address_has_a_limit_of_its_own_far_above(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    assert login.OF_ADDRESS.amount >= 20 * login.OF_BOTH.amount
    monkeypatch.setattr(login, "OF_ADDRESS", parse("12 per 15 minutes"))
    for number in range(12):
        fail(f"guess{number}@example.com", VISITOR)
    assert locked(shop.customer.email, VISITOR)
    assert sign_in(shop.customer.email, HOME)


def test_strangers_cannot_keep_an_owner_out_from_where_they_last_were(shop: Shop) -> None:
    email = shop.vendor.email
    assert sign_in(email, HOME)
    for number in range(5):
        fail(email, elsewhere(number), 10)
    assert locked(email, elsewhere(9))
    assert locked(email, OFFICE)
    assert sign_in(email, HOME)
    # Those who share the address do not get unlimited tries at the password.
    fail(email, HOME, 10)
    assert locked(email, HOME)


def test_an_owner_who_has_just_signed_up_gets_in_too(database: str) -> None:
    sign_up.register(PERSON, HOME)
    for number in range(5):
        fail(PERSON.email, elsewhere(number), 10)
    assert locked(PERSON.email, OFFICE, PERSON.password)
    with pytest.raises(NotAuthenticatedError):
        sign_in(PERSON.email, HOME, "still compared")


def test_an_unknown_account_is_refused_like_a_known_one(shop: Shop) -> None:
    told = []
    for email in (shop.customer.email, "nobody@example.com"):
        for number in range(5):
            fail(email, elsewhere(number), 10)
        with pytest.raises(TooManyRequestsError) as refused:
            sign_in(email, OFFICE, "wrong")
        told.append((refused.value.message, refused.value.code))
    assert told[0] == told[1]


def test_where_somebody_logged_in_from_is_not_readable(shop: Shop) -> None:
    sign_in(shop.vendor.email, HOME)
    kept = read(lambda session: session.get_one(User, shop.vendor.id)).last_login_from
    assert HOME.address not in kept
    assert len(kept) == 64


def test_logins_that_succeed_have_an_end_too(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(throttle.LIMITS, "login", Limit(parse("3 per hour"), parse("100 per hour")))
    for number in range(3):
        assert sign_in(shop.customer.email, elsewhere(number))
    with pytest.raises(TooManyRequestsError):
        sign_in(shop.customer.email, HOME)
    assert sign_in(shop.vendor.email, HOME)


def test_a_household_of_ipv6_is_one_address(shop: Shop) -> None:
    for number in range(10):
        fail(shop.customer.email, Caller(f"2001:db8:1:2::{number}"))
    assert locked(shop.customer.email, Caller("2001:db8:1:2:ffff::1"))
    assert sign_in(shop.customer.email, Caller("2001:db8:1:3::1"))
    assert Caller("::ffff:203.0.113.1").network == HOME.network


class Work:
    """Stands in for a login and records how many of them run at once."""

    def __init__(self) -> None:
        self.running = self.most = 0
        self.done: list[str] = []
        self._lock = threading.Lock()

    def __call__(self, form: Credentials, _caller: Caller) -> str:
        with self._lock:
            self.running += 1
            self.most = max(self.most, self.running)
        time.sleep(0.02)
        with self._lock:
            self.running -= 1
            self.done.append(form.email)
        return form.email


async def _all(work: Work, callers: list[tuple[str, Caller]]) -> list[str | BaseException]:
    # The threads belong to the event loop they were made in.
    hashing._password_threads.cache_clear()
    calls = [hashing.hash_in_queue(work, Credentials(email=email, password="x"), caller) for email, caller in callers]
    return await asyncio.gather(*calls, return_exceptions=True)


@pytest.mark.parametrize(
    ("callers", "served"),
    [
        (lambda n: ("one@example.com", elsewhere(n)), hashing.MOST_FOR_AN_ACCOUNT + 1),
        (lambda n: (f"person{n}@example.com", HOME), hashing.MOST_AT_AN_ADDRESS + 1),
    ],
    ids=["an account", "an address"],
)
def test_one_at_a_time_and_the_rest_is_turned_away(
    database: str, callers: Callable[[int], tuple[str, Caller]], served: int
) -> None:
    work = Work()
    answers = asyncio.run(_all(work, [callers(number) for number in range(40)]))
    refused = [answer for answer in answers if isinstance(answer, TooManyRequestsError)]
    assert (work.most, len(work.done), len(refused)) == (1, served, 40 - served)
    assert all(error.retry_after for error in refused)


def test_nobody_waits_behind_one_who_floods(database: str) -> None:
    work = Work()
    flood = [("attacker@example.com", HOME)] * 3 + [(f"guess{number}@example.com", HOME) for number in range(15)]
    asyncio.run(_all(work, [*flood, ("owner@example.com", OFFICE)]))
    assert work.done.index("owner@example.com") <= 2


def test_without_limits_nobody_waits_for_a_turn(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle, "on", lambda: False)
    work = Work()
    asyncio.run(_all(work, [("one@example.com", HOME)] * 40))
    assert (work.most, len(work.done)) == (2, 40)
