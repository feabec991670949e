"""Every service that an edge calls takes who calls it, and looks at who that is."""

import ast
import inspect
import textwrap
from typing import get_args, get_type_hints

import pytest
from sqlmodel import Session

from rental_app.domain.errors import ForbiddenError
from rental_app.infrastructure.db import read, write
from rental_app.services.accounts.actor import Actor
from rental_app.services.files import limits
from rental_app.services.reviews import judging
from rental_app.services.throttle import Caller
from tests.support.called import ROOT, services_called
from tests.support.rows import each
from tests.support.shop import Shop, actor

EDGES = [path for part in ("api", "web", "ssr") for path in (ROOT / part).rglob("*.py")]
CALLED = services_called([*EDGES, *ROOT.glob("*.py")])
# What needs nobody's name: the reason is why nothing can be seen or changed by it that its caller may not.
NEEDS_NO_ACTOR = {
    "health.failing_parts": "for the operator's metrics",
    "remembered.keep": "keeps the answer to a call whose service has decided",
    "remembered.take": "looks for the answer to a call of the same account",
    "accounts.actor.at_the_machine": "makes the actor of a command",
    "accounts.actor.require_operator": "looks at the actor alone",
    "accounts.actor.require_staff": "looks at the actor alone",
    "accounts.actor.require_unblocked": "looks at the actor alone",
    "accounts.actor.require_vendor": "looks at the actor alone",
    "accounts.hashing.hash_in_queue": "runs what is passed to it, in a queue of the caller",
    "accounts.hashing.hash_in_queue_of": "the same",
    "accounts.login.confirm_password": "takes an actor; its transaction is its own",
    "accounts.emails.ask_change": "takes an actor; its transactions are its own",
    "accounts.passkeys.log_in": "acts for whom a passkey proves; its transaction is its own",
    "accounts.login.give_second_step": "acts for whom a challenge proves; its transactions are its own",
    "accounts.operators.are_missing": "asked at the start, before anybody is there",
    "accounts.operators.email_of": "reads a word of a command",
    "accounts.operators.enter": "counts the call, and looks at the actor alone",
    "accounts.phones.log_in": "acts for whom a code proves; its transaction is its own",
    "accounts.phones.verify": "takes an actor; its transaction is its own",
    "accounts.passwords.change": "takes an actor; its transactions are its own",
    "accounts.passwords.reset": "acts for whom a link proves; its transactions are its own",
    "accounts.hashing.run_hashing": "runs what is passed to it",
    "accounts.login.sign_in": "makes an actor of a caller; its transactions are its own",
    "accounts.actor.unknown_vehicle": "spells a refusal",
    "accounts.profile.read_profile": "looks at a form alone",
    "accounts.sessions.write_uses": "background work, for everybody",
    "accounts.sign_up.register": "makes an actor of a caller; its transactions are its own",
    "accounts.sign_up.registration": "looks at a form alone",
    "trips.guest_acts.answer": "acts for whom a link and a code prove; its transactions are its own",
    "trips.guest_acts.cancel": "the same",
    "trips.guest_acts.object_to": "the same",
    "bookings.open_balance.is_open": "looks at a booking that has been shown",
    "bookings.open_balance.open_balance": "looks at a booking that has been shown",
    "bookings.open_balance.open_texts": "looks at a booking that has been shown",
    "catalogue.coordinates": "what everybody may see, of a search that was counted",
    "catalogue.is_known": "looks at the pincodes alone",
    "catalogue.look_up_pincode": "looks at the pincodes alone, for a counted caller",
    "catalogue.no_such_place": "spells a refusal",
    "console.parts.named": "describes a part of a row's page, and reads nothing",
    "console.parts.of_table": "describes a part of a row's page, and reads nothing",
    "console.reading.written": "spells a value of a row that was read",
    "console.tables.named": "describes a list, and reads nothing",
    "console.work.kinds": "describes what waits, and reads nothing",
    "earnings.reading.first_of_twelve_months": "looks at the calendar alone",
    "files.checks.check_photos": "looks at uploads alone",
    "files.checks.check_upload": "looks at uploads alone",
    "files.checks.check_uploads": "looks at uploads alone",
    "files.orphans.sweep": "background work, for everybody",
    "files.picture_sizes.size_of": "looks at pictures that everyone may load",
    "files.storage.remove": "removes what no row names any more",
    "files.storage.require_reserve": "looks at the disk alone",
    "files.storage.store": "what a backup copies, by a command on the machine",
    "files.storage.stored": "what is public, or what a service has given its actor the key of",
    "files.storage.storing": "keeps what a service then writes down for its actor",
    "vendors.host": "the same, of the vendor of a vehicle",
    "vendors.hosts": "what everybody may see, of vehicles that were counted",
    "fleet.drafts.content": "looks at a form alone",
    "fleet.listing_checks.years": "looks at the calendar alone",
    "health.failing": "for probes, which have no account",
    "mail.outbox.send_due": "background work, for everybody",
    "mail.outbox.waiting": "counts for operators, whose addresses the edge knows",
    "maintenance.sweep": "background work, for everybody",
    "pricing.promotions.left_today": "public, and names what a kept page depends on",
    "pricing.quotes.extra_rates": "looks at a listing that has been shown",
    "pricing.tariffs.tariffs": "prices listings that have been shown",
    "queues.queued": "bounds who waits",
    "search.cache.cache_of": "names what a kept page depends on",
    "search.filters.filters_in": "looks at a query alone",
    "throttle.count": "counts a caller",
    "throttle.count_bytes": "counts a caller",
    "throttle.noting": "notes what is counted",
    "throttle.pay": "counts a caller",
    "trips.changing.granted": "words a result",
    "trips.changing.too_late": "spells a refusal",
    "trips.payments.outcome": "words a result",
}


@each("name", sorted(CALLED.keys() - NEEDS_NO_ACTOR.keys()))
def test_a_service_takes_a_session_and_who_calls_it(name: str) -> None:
    kinds = list(get_type_hints(inspect.unwrap(CALLED[name])).values())[:2]
    assert kinds[:1] == [Session], f"{name} takes a session first, or has its reason in NEEDS_NO_ACTOR"
    assert len(kinds) > 1, f"{name} takes its actor or caller second, or has its reason in NEEDS_NO_ACTOR"
    assert all(issubclass(kind, Caller) for kind in get_args(kinds[1]) or kinds[1:]), (
        f"{name} takes its actor or caller second, or has its reason in NEEDS_NO_ACTOR"
    )


@each("name", sorted(CALLED.keys() - NEEDS_NO_ACTOR.keys()))
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


def test_the_exceptions_are_still_called_and_the_walk_sees_as_much_as_it_did() -> None:
    assert NEEDS_NO_ACTOR.keys() <= CALLED.keys()
    assert len(CALLED) >= 173, "the walk looks past services that it saw before"


def test_what_an_operator_does_is_refused_to_everybody_else(shop: Shop) -> None:
    for somebody in (actor(shop.customer), actor(shop.vendor)):
        for call in (
            lambda somebody=somebody: read(judging.reported, somebody),
            lambda somebody=somebody: write(judging.judge, somebody, 1, hide=True),
            lambda somebody=somebody: write(limits.approve, somebody, shop.vendor.email),
        ):
            with pytest.raises(ForbiddenError) as refusal:
                call()
            assert refusal.value.code == "operators_only"
