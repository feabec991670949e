"""Every service that an edge calls takes who calls it, looks at who that is, and counts the call."""

import ast
import inspect
import textwrap
from typing import get_args, get_type_hints

import pytest
from sqlmodel import Session

from rental_app.domain.errors import ForbiddenError
from rental_app.infrastructure.db import read, write
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.files import limits
from rental_app.services.reviews import writing
from rental_app.services.throttle import Caller
from tests.support.called import ROOT, services_called
from tests.support.rows import each
from tests.support.shop import Shop, actor

EDGES = [path for part in ("api", "web", "ssr") for path in (ROOT / part).rglob("*.py")]
# What operators do is declared beside its services, for REST and the console alike.
EDGES.append(ROOT / "services" / "operating" / "acts.py")
COUNTED = services_called(EDGES)
CALLED = COUNTED | services_called(ROOT.glob("*.py"))
# What needs nobody's name and is not counted. The reason is why nothing can be seen or changed by it that its caller
# may not, and why it costs nothing that has not been counted already.
NEITHER = {
    "keeps or looks for the answer to a call that was counted, of the same account": "remembered.keep remembered.take",
    "looks at the actor alone": (
        "accounts.actor.require_operator accounts.actor.require_staff accounts.actor.require_unblocked"
        " accounts.actor.require_manager accounts.actor.require_vendor"
    ),
    "bounds who waits, and runs what is passed to it, which counts": (
        "accounts.hashing.hash_in_queue accounts.hashing.hash_in_queue_of accounts.hashing.run_hashing queues.queued"
    ),
    "makes an actor of a caller, and counts failures and successes (test_logins.py)": "accounts.login.sign_in",
    "looks at a form or a query alone": (
        "accounts.profile.read_profile accounts.sign_up.registration fleet.drafts.content search.filters.filters_in"
    ),
    "looks at the calendar alone": "earnings.figures.first_of_twelve_months fleet.listing_checks.years",
    "looks at the pincodes alone": "catalogue.is_known",
    "looks at the disk alone, after a counted upload": "files.storage.require_reserve",
    "looks at uploads, which are counted before they are read": (
        "files.checks.check_photos files.checks.check_sheet files.checks.check_upload files.checks.check_uploads"
        " files.checks.check_identity"
    ),
    "looks at what has been shown": (
        "bookings.ledger.is_open bookings.ledger.open_balance bookings.ledger.open_texts"
        " pricing.quotes.extra_rates pricing.tariffs.tariffs"
    ),
    "spells a refusal, a value or a result": (
        "accounts.actor.unknown_vehicle catalogue.no_such_place trips.changes.too_late console.lists.written"
        " trips.changes.granted trips.payments.outcome fleet.sheet_import.summary fleet.sheet_import.template"
    ),
    "describes lists, parts and kinds of the console, and reads nothing": (
        "console.parts.named console.parts.of_table console.tables.named console.work.kinds"
    ),
    "what everybody may see, of a list that was counted": "catalogue.coordinates vendors.host vendors.hosts",
    "what every page shows to everybody, read once an edition": (
        "policies.current words.figures words.newest words.terms_version"
    ),
    "looks at the settings, or at what has been read": "policies.first words.one_of words.words_of",
    "pictures everyone may load, and what a service has given its actor the key of": (
        "files.picture_sizes.size_of files.storage.stored identity.pictures.drawn"
    ),
    "after a counted change or upload, which it keeps for its actor": "files.storage.remove files.storage.storing",
    "for probes, which have no account": "health.failing mail.outbox.waiting",
    "public, and names what a kept page depends on": "pricing.promotions.left_today search.cache.cache_of",
    "counts, or notes what is counted": "throttle.count throttle.count_bytes throttle.noting throttle.pay",
}
NO_ACTOR = {
    "for the operator's metrics, or a backup on the machine": "health.failing_parts files.storage.store",
    "makes the actor of a command, or reads a word of it": (
        "accounts.actor.at_the_machine accounts.operators.email_of accounts.operators.are_missing"
    ),
    "takes an actor, or makes one of a caller; its transactions are its own": (
        "accounts.login.confirm_password accounts.emails.ask_change accounts.phones.verify accounts.passwords.change"
        " accounts.export.make"
        " accounts.sign_up.register"
    ),
    "acts for whom a passkey, a challenge, a code or a link proves; its transactions are its own": (
        "accounts.passkeys.log_in accounts.login.give_second_step accounts.phones.log_in accounts.passwords.reset"
        " accounts.emails.verify accounts.emails.confirm"
        " trips.guest_page.answer_proposal trips.guest_page.cancel trips.guest_page.object_to"
    ),
    "counts the call, and looks at the actor alone": "accounts.operators.enter",
    "looks at the pincodes alone, for a counted caller": "catalogue.look_up_pincode",
    "background work, for everybody": (
        "accounts.sessions.write_uses files.orphans.sweep mail.outbox.send_due maintenance.sweep"
        " retention.lapsed retention.run"
        " accounts.erasure.carry_out_due accounts.erasure.replay mail.delivery.drop_older"
    ),
}
UNCOUNTED = {"calls one of two that count": "search.search.browse search.search.vehicles"}


def _names(*exceptions: dict[str, str]) -> set[str]:
    return {name for reasons in exceptions for named in reasons.values() for name in named.split()}


NEEDS_NO_ACTOR, FREE = _names(NEITHER, NO_ACTOR), _names(NEITHER, UNCOUNTED)


def test_the_exceptions_are_still_called() -> None:
    assert CALLED.keys() >= NEEDS_NO_ACTOR
    assert COUNTED.keys() >= FREE


@each("name", sorted(CALLED.keys() - NEEDS_NO_ACTOR))
def test_a_service_takes_a_session_and_who_calls_it(name: str) -> None:
    kinds = list(get_type_hints(inspect.unwrap(CALLED[name])).values())[:2]
    assert kinds[:1] == [Session], f"{name} takes a session first, or has its reason in NO_ACTOR"
    assert len(kinds) > 1, f"{name} takes its actor or caller second, or has its reason in NO_ACTOR"
    assert all(issubclass(kind, Caller) for kind in get_args(kinds[1]) or kinds[1:]), (
        f"{name} takes its actor or caller second, or has its reason in NO_ACTOR"
    )


@each("name", sorted(CALLED.keys() - NEEDS_NO_ACTOR))
def test_a_service_looks_at_its_actor(name: str) -> None:
    service = inspect.unwrap(CALLED[name])
    who = next(iter([*inspect.signature(service).parameters][1:]), "")
    # Who takes none fails the test above, which says what to do.
    if get_type_hints(service).get(who) is Actor:
        assert _looks_at(textwrap.dedent(inspect.getsource(service)), who), f"{name} counts its actor and lets all pass"


def _looks_at(source: str, name: str) -> bool:
    """Whether a function does more with an argument than to have it counted."""
    uses = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name) and node.id == name]
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    counts = [call for call in calls if ast.unparse(call.func).startswith("throttle.")]
    return len(uses) > sum(ast.unparse(argument) == name for call in counts for argument in call.args)


class Counted(Exception):
    """Raised in place of counting."""


@each("name", sorted(COUNTED.keys() - FREE))
def test_a_service_counts_its_caller_before_it_does_anything(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def note(*_: object) -> None:
        raise Counted

    monkeypatch.setattr(throttle, "count", note)
    service = inspect.unwrap(COUNTED[name])
    needed = [p for p in inspect.signature(service).parameters.values() if p.default is p.empty]
    with pytest.raises(Counted):
        service(*[None] * len(needed))


def test_what_an_operator_does_is_refused_to_everybody_else(shop: Shop) -> None:
    for somebody in (actor(shop.customer), actor(shop.vendor)):
        for call in (
            lambda somebody=somebody: read(writing.reported, somebody),
            lambda somebody=somebody: write(writing.judge, somebody, 1, hide=True),
            lambda somebody=somebody: write(limits.approve, somebody, shop.vendor.email),
        ):
            with pytest.raises(ForbiddenError) as refusal:
                call()
            assert refusal.value.code == "operators_only"
