"""Words of the shop: what comes with the product, new versions, who is too late, and what is refused."""

from typing import Any

import pytest

from rental_app.content import legal
from rental_app.content.words import KEYS, MOST_LETTERS
from rental_app.domain.errors import RentalError
from rental_app.infrastructure.db import read, write
from rental_app.models import Edition, User
from rental_app.services import words
from rental_app.services.words import Version
from tests.conftest import Clock
from tests.support.operating import last_entry
from tests.support.races import at_once
from tests.support.rows import each
from tests.support.shop import VISITOR, Shop, actor, count

RULES = "house_rules"


def put(operator: User, value: Any, seen: int = 0, key: str = RULES, note: str = "") -> Version:
    return write(words.put, actor(operator), key, value, seen, note)


def refusal(*args: Any, **more: Any) -> RentalError:
    with pytest.raises(RentalError) as refused:
        put(*args, **more)
    return refused.value


def edition() -> str:
    return read(lambda session: session.get_one(Edition, 1).name)


@pytest.mark.databases
def test_a_new_version_is_in_force_at_once_and_earlier_ones_stay(operator: User) -> None:
    before, first = edition(), read(words.newest, RULES)
    assert (first.version, first.value) == (0, KEYS[RULES].default())
    put(operator, ["Helmets on"], note="Shorter")
    assert edition() != before
    put(operator, ["Helmets on", " No travel\u200b by night "], seen=1)
    assert read(words.newest, RULES).value == ["Helmets on", "No travel by night"]
    kept = read(words.versions, actor(operator), RULES)
    assert [(one.version, one.value, one.note) for one in kept[1:]] == [
        (1, ["Helmets on"], "Shorter"),
        (0, first.value, ""),
    ]
    assert kept[1].who == operator.name
    entry = last_entry()
    assert (entry.act, entry.about, entry.user_id) == ("words.changed", RULES, operator.id)


def test_saving_what_is_in_force_changes_nothing(operator: User) -> None:
    saved = put(operator, ["Helmets on"])
    assert put(operator, ["Helmets on"]) == saved
    assert put(operator, ["Helmets on"], seen=1) == saved
    assert count("content_version") == 1


def test_an_older_version_is_refused_with_the_one_in_force(operator: User) -> None:
    put(operator, ["Helmets on"])
    late = refusal(operator, ["No helmets"])
    assert (late.status, late.code) == (409, "changed_meanwhile")
    assert late.details == {"value": ["Helmets on"], "version": 1}
    assert read(words.newest, RULES).value == ["Helmets on"]


@pytest.mark.databases
def test_of_two_saved_at_the_same_moment_one_is_in_force(operator: User) -> None:
    codes = at_once(*(lambda text=text: put(operator, [text]) for text in ("One", "Two")))
    assert sorted(codes) == ["", "changed_meanwhile"]
    assert count("content_version") == 1


def test_nobody_else_reads_or_writes_words(shop: Shop, operator: User) -> None:
    for user in (shop.vendor, shop.customer):
        assert refusal(user, ["Helmets on"]).code == "operators_only"
        with pytest.raises(RentalError):
            read(words.versions, actor(user), RULES)
    assert refusal(operator, ["x"], key="privacy").code == "unknown_words"


QUESTION = {"question": "Why?", "answer": "So."}


@each(
    ("key", "value", "field", "says"),
    [
        ("faq", [], "value", "at least 1"),
        ("faq", "text", "value", "list"),
        ("faq", [QUESTION | {"answer": " \u200b "}], "value.0.answer", "Write something"),
        ("faq", [QUESTION, QUESTION | {"answer": "x" * 100_000}], "value.1.answer", f"At most {MOST_LETTERS:,}"),
        ("faq", [QUESTION | {"answer": "{second_helmt}"}], "value.0.answer", "{second_helmt}"),
        ("faq", [QUESTION | {"answer": "{}"}], "value.0.answer", "{}"),
        ("faq", [QUESTION | {"answer": "We list {documents}"}], "value.0.answer", "{documents}"),
        ("faq", [QUESTION | {"points": ["{documents} and more"]}], "value.0.points.0", "{documents}"),
        ("faq", [QUESTION | {"local": "yes"}], "value.0.local", "true or false"),
        ("faq", [QUESTION | {"__class__": "x"}], "value.0", "__class__"),
        ("faq", [QUESTION] * 61, "value", "At most 60"),
        ("faq", [QUESTION | {"answer": "x" * MOST_LETTERS}] * 26, "value", "At most 50,000 letters altogether"),
        ("faq", [None], "value.0", "object"),
        (RULES, ["one\ntwo"], "value.0", "one line"),
        (RULES, ["a\x00b"], "value.0", "one line"),
        (RULES, ["a\ud800b"], "value.0", "one line"),
        (RULES, [1], "value.0", "text"),
        ("terms", "x" * 100_000, "value", "At most 50,000"),
        ("terms", "a\x00b", "value", "Control characters"),
        ("terms", ["# Terms"], "value", "text"),
        ("cover", {"free": "Free"}, "value.kept", "text"),
    ],
)
def test_what_is_refused_names_its_field(operator: User, key: str, value: Any, field: str, says: str) -> None:
    refused = refusal(operator, value, key=key)
    assert (refused.status, list(refused.fields)) == (422, [field])
    assert says in refused.fields[field]
    assert not count("content_version")


@each("key", sorted(KEYS))
def test_what_comes_with_the_product_can_be_saved_again(operator: User, key: str) -> None:
    assert put(operator, KEYS[key].default(), key=key).version == 0


def test_a_note_names_what_it_likes_in_braces(operator: User) -> None:
    assert put(operator, ["x"], note="{documents} twice, {nothing} {}").note == "{documents} twice, {nothing} {}"


def test_a_long_note_is_refused(operator: User) -> None:
    assert list(refusal(operator, ["x"], note="x" * 400).fields) == ["note"]


def test_terms_are_named_by_their_day_and_stay_readable(operator: User, stopped_clock: Clock) -> None:
    day = f"{stopped_clock.instant:%Y-%m-%d}"
    put(operator, "# Terms\n\nFirst: {product}, {second_helmet}", key="terms")
    first = read(words.terms_version)
    put(operator, "# Terms\n\nSecond", seen=1, key="terms")
    second = read(words.terms_version)
    assert first.startswith(day)
    assert second.startswith(day)
    names = [second, first, legal.TERMS_VERSION, "2026-11-29", "2026-11-28", "2026-11-27", "2026-11-26"]
    assert len(set(names)) == len(names)
    assert read(words.terms, VISITOR).versions == names
    assert read(words.terms, VISITOR, first).text == "# Terms\n\nFirst: Pahiya, ₹200"
    assert not read(words.terms, VISITOR, first).in_force
    for version in names:
        assert read(words.terms, VISITOR, version).text.startswith("# Terms")
    with pytest.raises(RentalError, match="no such version"):
        read(words.terms, VISITOR, "../privacy")


def test_terms_that_read_differently_by_other_words_are_a_new_version(operator: User) -> None:
    put(operator, "# Terms\n\nBring:\n\n{documents}", key="terms")
    before = read(words.terms_version)
    put(operator, ["Your licence"], key="documents")
    after = read(words.terms, VISITOR)
    assert after.version != before
    assert after.text.endswith("- Your licence")
    assert "PAN or Aadhaar" in read(words.terms, VISITOR, before).text
    # Of what the terms do not name, nothing follows.
    put(operator, ["Helmets on"])
    assert read(words.terms_version) == after.version
