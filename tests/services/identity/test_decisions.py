"""Operators accept and refuse documents; of a decision and a replacement at the same moment, one is told."""

import pytest

from rental_app.domain.identity import REFUSAL_WORDS, IdentityState, RefusalReason
from rental_app.infrastructure.db import read, write
from rental_app.models import IdentityPaper, IdentityPaperFile, User
from rental_app.schemas.identity import IdentityDecision
from rental_app.services.console import work
from rental_app.services.identity import papers, stored
from rental_app.services.operating import papers as decisions
from tests.support.identity import add_paper, send
from tests.support.operating import last_entry, letters, version
from tests.support.races import at_once
from tests.support.rest_helpers import stored as stored_files
from tests.support.shop import Shop, actor, add_user, count, put
from tests.support.trips import refusal

pytestmark = pytest.mark.databases


@pytest.fixture
def operator(database: str) -> User:
    return add_user("Operator")


def decide(operator: User, paper: int, decision: str = "accept", reason: str = "", expected: str = "") -> str:
    request = IdentityDecision.model_validate({"decision": decision, "reason": reason, "expected": expected})
    return write(decisions.decide, actor(operator), paper, request)


def now(paper: int) -> IdentityPaper | None:
    return read(lambda session: session.get(IdentityPaper, paper))


def test_an_accepted_document_is_told_and_decided_once(shop: Shop, operator: User) -> None:
    paper = send(shop.customer).id
    assert read(work.counts, actor(operator))["identity"] == 1
    assert decide(operator, paper, expected=version("papers", paper)) == decisions.ACCEPTED
    row = now(paper)
    assert row
    assert (row.state, row.decided_at is not None) == (IdentityState.ACCEPTED, True)
    assert "Your driving licence is checked" in letters(shop.customer)[-1]
    assert read(work.counts, actor(operator))["identity"] == 0
    refusal("already_decided", decide, operator, paper)
    # What turns out to be wrong is refused later.
    decide(operator, paper, "refuse", "others")
    assert REFUSAL_WORDS["others"] in letters(shop.customer)[-1]


def test_a_refused_one_says_why_and_how_to_send_it_again(shop: Shop, operator: User) -> None:
    paper = send(shop.customer).id
    assert set(refusal("invalid_input", decide, operator, paper, "refuse").fields) == {"reason"}
    decide(operator, paper, "refuse", "The photo is too dark")
    letter = letters(shop.customer)[-1]
    assert "driving licence: The photo is too dark" in letter
    assert "/account" in letter
    assert (last_entry().act, last_entry().about) == ("identity.refused", "licence")
    assert len(stored_files()) == 1
    again = send(shop.customer)
    assert (again.state, again.reason, len(stored_files())) == ("sent", "", 1)


def test_a_whole_number_on_a_picture_is_erased_as_it_is_refused(shop: Shop, operator: User) -> None:
    paper = send(shop.customer, "id", document="aadhaar", number="2346").id
    assert len(stored_files()) == 1
    decide(operator, paper, "refuse", RefusalReason.UNMASKED.value)
    assert (stored_files(), count("identity_paper_file")) == (set(), 0)
    row = now(paper)
    assert row
    assert (row.state, row.reason) == ("refused", REFUSAL_WORDS["unmasked"])


def test_nobody_else_decides(shop: Shop) -> None:
    paper = send(shop.customer).id
    for person in (shop.customer, shop.vendor):
        refusal("operators_only", decide, person, paper)
    row = now(paper)
    assert row
    assert row.state == "sent"


def test_a_replaced_document_is_not_accepted(shop: Shop, operator: User) -> None:
    paper = send(shop.customer).id
    seen = version("papers", paper)
    newer = send(shop.customer, classes=["LMV"]).id
    assert newer != paper
    refusal("changed_meanwhile", decide, operator, paper, expected=seen)
    refusal("changed_meanwhile", decide, operator, newer, expected=seen)
    # Without a version either: its id is nobody else's.
    refusal("changed_meanwhile", decide, operator, paper)
    refusal("unknown_paper", decide, operator, newer + 1000)
    row = now(newer)
    assert row
    assert row.state == "sent"


def test_a_withdrawn_document_is_not_accepted(shop: Shop, operator: User) -> None:
    paper = send(shop.customer).id
    write(papers.withdraw, actor(shop.customer), paper)
    refusal("changed_meanwhile", decide, operator, paper)


@pytest.mark.parametrize("time", range(4))
def test_accepted_while_replaced_never_accepts_what_nobody_saw(shop: Shop, operator: User, time: int) -> None:
    paper = send(shop.customer).id
    seen = version("papers", paper)
    # Both begin at once; which comes first differs from time to time.
    outcome = at_once(lambda: decide(operator, paper, expected=seen), lambda: send(shop.customer, classes=["LMV"]))
    assert outcome in (["", ""], ["changed_meanwhile", ""])
    (left,) = read(stored.of_person, shop.customer.id or 0).values()
    assert (left.state, left.classes) == ("sent", ["LMV"])
    assert (count("identity_paper"), count("identity_paper_file"), len(stored_files())) == (1, 1, 1)


def test_sent_twice_at_once_one_is_left_with_its_file(shop: Shop) -> None:
    assert at_once(*[lambda: send(shop.customer)] * 3) == ["", "", ""]
    assert (count("identity_paper"), count("identity_paper_file"), len(stored_files())) == (1, 1, 1)


def test_two_operators_at_once_decide_it_once(shop: Shop, operator: User) -> None:
    paper, other = send(shop.customer).id, add_user("Operator")
    seen = version("papers", paper)
    presses = [lambda by=by: decide(by, paper, expected=seen) for by in (operator, other)]
    assert sorted(at_once(*presses)) == ["", "changed_meanwhile"]


def test_one_persons_documents_are_nobody_elses(shop: Shop) -> None:
    other = add_user()
    paper = send(other).id
    refusal("unknown_paper", write, papers.withdraw, actor(shop.customer), paper)
    refusal("unknown_paper", read, papers.own_picture, actor(shop.customer), paper, 1)
    assert count("identity_paper") == 1


def test_what_is_erased_with_a_person_names_every_file(shop: Shop) -> None:
    send(shop.customer, "id")
    licence = send(shop.customer)
    put(IdentityPaperFile(paper_id=licence.id, key="private/ab-p3", content_type="image/jpeg", size=3, stored_bytes=3))
    add_paper(add_user())
    assert {file.kind for file in read(stored.files_of, shop.customer.id or 0)} == {"id", "licence"}
    keys = write(stored.erase_for, shop.customer.id or 0)
    assert {"private/ab-p3", "private/ab-p3-2", "private/ab-p3-3"} < set(keys)
    assert {*stored_files()} < set(keys)
    assert (count("identity_paper"), count("identity_paper_file")) == (1, 0)
