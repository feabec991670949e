"""The words and numbers of the shop: what is in force, what was, and how operators change it.

Pages read what is in force once per edition, which every new version changes.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from rental_app.content import legal
from rental_app.content.figures import documents_listed, figures_of, filled
from rental_app.content.numbers import in_force, written
from rental_app.content.words import DOCUMENTS, KEYS, MOST_NOTE, NUMBERS, Wording, checked_text
from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.errors import ConflictError, NotFoundError
from rental_app.domain.policies import Policies
from rental_app.infrastructure.db import violated
from rental_app.infrastructure.settings import settings
from rental_app.models import ContentVersion, User
from rental_app.services import audit, throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.accounts.operators import enter
from rental_app.services.policies import first
from rental_app.services.search.cache import Slot, cache_of
from rental_app.services.throttle import Caller

SAVED = "Saved: every page shows it from now on"
CHANGED = "Somebody has changed this since you opened it: compare both, and save again"
TERMS = "terms"
_NAME_OF_TERMS = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}(-[0-9]{1,4})?")


@dataclass(frozen=True, slots=True)
class Version:
    """A version of what stands under a key; version 0 is what comes with the product."""

    key: str
    version: int
    value: Any
    name: str = ""
    read_as: str = ""
    note: str = ""
    at: datetime | None = None
    who: str = ""


_IN_FORCE: Slot[Mapping[str, Version]] = Slot("words in force")
_NUMBERS: Slot[Policies] = Slot("numbers that words name")


def words_of(key: str) -> Wording:
    """What is known of a key; raises NotFoundError (`unknown_words`)."""
    if key not in KEYS:
        raise NotFoundError("There are no words of this name", code="unknown_words")
    return KEYS[key]


def newest(session: Session, key: str) -> Version:
    """What is in force under a key; raises NotFoundError (`unknown_words`)."""
    words = words_of(key)
    stored = cache_of(session).make_once(_IN_FORCE, lambda: _stored(session)).get(key)
    return stored or _first(words)


def _first(words: Wording) -> Version:
    value = written(first()) if words.key == NUMBERS else words.default()
    return Version(words.key, 0, value, legal.TERMS_VERSION if words.key == TERMS else "")


def _stored(session: Session) -> Mapping[str, Version]:
    """The newest version of every key that has one."""
    last = select(func.max(col(ContentVersion.id))).group_by(col(ContentVersion.key))
    return {version.key: version for version in _rows(session, col(ContentVersion.id).in_(last))}


def _rows(session: Session, *conditions: Any) -> list[Version]:
    query = (
        select(ContentVersion, col(User.name))
        .outerjoin(User, col(User.id) == col(ContentVersion.who_id))
        .where(*conditions)
        .order_by(col(ContentVersion.id).desc())
    )
    return [
        Version(row.key, row.version, row.value, row.name, row.read_as, row.note, row.at, who or "at the machine")
        for row, who in session.execute(query).all()
    ]


def listed(session: Session, actor: Actor) -> list[Version]:
    """What is in force under every key. Raises ForbiddenError."""
    enter(actor)
    return [newest(session, key) for key in KEYS]


def versions(session: Session, actor: Actor, key: str) -> list[Version]:
    """All versions of a key, the newest first, down to what comes with the product.

    Raises ForbiddenError and NotFoundError (`unknown_words`).
    """
    enter(actor)
    words = words_of(key)
    return [*_rows(session, col(ContentVersion.key) == key), _first(words)]


def one_of(all_versions: list[Version], number: int | None) -> Version:
    """The version of a number, or the newest; raises NotFoundError (`unknown_version`)."""
    chosen = next((one for one in all_versions if number in (None, one.version)), None)
    if chosen is None:
        raise NotFoundError("There is no such version", code="unknown_version")
    return chosen


def figures(session: Session, numbers: Policies | None = None) -> dict[str, str]:
    """What may stand in braces in words, with what is put in its place: by the numbers in force, or by those given, as
    texts about one booking do."""
    documents = documents_listed(newest(session, DOCUMENTS).value)
    numbers = numbers or _numbers(session)
    return {**figures_of(numbers), DOCUMENTS: documents, **settings().named_in_texts}


def figures_for(session: Session, caller: Caller) -> dict[str, str]:
    """The same for a caller who looks at a text alone, which is counted."""
    throttle.count("look", caller)
    return figures(session)


def _numbers(session: Session) -> Policies:
    version = newest(session, NUMBERS)
    if not version.version:
        return first()
    return cache_of(session).make_once(_NUMBERS, lambda: in_force(version.value, first()))


def put(session: Session, actor: Actor, key: str, value: Any, seen: int, note: str = "") -> Version:
    """Put a new version of words or numbers in force, for which the version `seen` was in force.

    Saving what is in force already changes nothing. Raises ForbiddenError, NotFoundError (`unknown_words`),
    InvalidInputError (fields begin with `value`, or `note`), and ConflictError (`changed_meanwhile`, with the value
    and version in force as details).
    """
    enter(actor)
    words = words_of(key)
    stored = words.checked(value, figures(session).keys())
    why = checked_text(note, "note", MOST_NOTE, None) if note.strip() else ""
    before = _in_force(session, words)
    if stored == before.value:
        return before
    if seen != before.version:
        raise _changed(before)
    terms_before = _terms_as_read(session)
    _add(session, actor, words, stored, before, why)
    if key != TERMS and (terms_now := _terms_as_read(session)) != terms_before:
        # Terms that name a number or a document read differently: bookings have to note which ones were accepted.
        terms = _in_force(session, KEYS[TERMS])
        _add(session, actor, KEYS[TERMS], terms.value, terms, f"Follows from: {words.label}", terms_now)
    return _in_force(session, words)


def _in_force(session: Session, words: Wording) -> Version:
    """What is in force, as the database has it now."""
    _forget(session)
    return newest(session, words.key)


def _forget(session: Session) -> None:
    cache_of(session).forget(_IN_FORCE)
    cache_of(session).forget(_NUMBERS)


def _terms_as_read(session: Session) -> str:
    return filled(newest(session, TERMS).value, figures(session))


def _add(
    session: Session, actor: Actor, words: Wording, value: Any, before: Version, note: str, read_as: str = ""
) -> None:
    """Store a version after another one. Raises ConflictError if somebody else has done so meanwhile."""
    now = clock.now()
    row = ContentVersion(
        key=words.key, version=before.version + 1, value=value, note=note, who_id=actor.id or None, at=now
    )
    if words.key == TERMS:
        row.name = _name_of_terms(session, now)
        row.read_as = read_as or filled(value, figures(session))
    try:
        with session.begin_nested():
            session.add(row)
            session.flush()
    except IntegrityError as error:
        if violated(error) != "uq_content_version_key_version":
            raise
        raise _changed(_in_force(session, words)) from None
    was = {"version": before.version}
    audit.record(
        session,
        actor,
        Act.WORDS_CHANGED,
        ("words", row.id or 0),
        about=words.key,
        before=was,
        after={"version": row.version, "note": note},
    )
    _forget(session)


def _changed(before: Version) -> ConflictError:
    return ConflictError(CHANGED, code="changed_meanwhile", details={"value": before.value, "version": before.version})


def _name_of_terms(session: Session, instant: datetime) -> str:
    """The day, with a number from the second one of the day on."""
    day = f"{clock.indian_today(instant):%Y-%m-%d}"
    names = {
        *legal.versions(),
        *session.scalars(select(col(ContentVersion.name)).where(col(ContentVersion.key) == TERMS)),
    }
    return next(name for at in count(1) if (name := day if at == 1 else f"{day}-{at}") not in names)


def put_and_list(
    session: Session, actor: Actor, key: str, value: Any, seen: int, note: str = ""
) -> tuple[Version, list[Version]]:
    """The same as `put`, and all versions there are then."""
    return put(session, actor, key, value, seen, note), versions(session, actor, key)


def terms_version(session: Session) -> str:
    """The name of the version of the terms that is in force."""
    return newest(session, TERMS).name


def terms_of(session: Session, version: str) -> str:
    """The Markdown of a version of the terms as it reads, or read while it was in force; '' if there is none such."""
    present = newest(session, TERMS)
    if not _NAME_OF_TERMS.fullmatch(version):
        return ""
    if version == present.name:
        return _terms_as_read(session)
    earlier = select(col(ContentVersion.read_as)).where(
        col(ContentVersion.key) == TERMS, col(ContentVersion.name) == version
    )
    return session.scalars(earlier).first() or legal.terms_of(version, settings().named_in_texts)


def terms_versions(session: Session) -> list[str]:
    """The names of all versions of the terms, the newest first."""
    named = (
        select(col(ContentVersion.name)).where(col(ContentVersion.key) == TERMS).order_by(col(ContentVersion.id).desc())
    )
    return [*session.scalars(named), *legal.versions()]


@dataclass(frozen=True, slots=True)
class TermsText:
    """A version of the terms as it reads, in Markdown, with the names of all versions, the newest first."""

    version: str
    text: str
    in_force: bool
    versions: list[str]


def terms(session: Session, caller: Caller, version: str = "") -> TermsText:
    """A version of the terms, or those in force; raises NotFoundError (`unknown_version`)."""
    throttle.count("look", caller)
    present = terms_version(session)
    text = terms_of(session, version or present)
    if not text:
        raise NotFoundError("There is no such version of the terms", code="unknown_version")
    return TermsText(version or present, text, version in ("", present), terms_versions(session))
