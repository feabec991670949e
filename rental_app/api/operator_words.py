"""The words of the shop: operators read and edit them; everybody reads the terms by version."""

from dataclasses import asdict
from typing import Annotated

from fastapi import Path, Query

from rental_app.api.dependencies import Anyone, CallRouter, CurrentOperator, refusals
from rental_app.content.words import KEYS
from rental_app.infrastructure.db import read, write
from rental_app.schemas.wire import WholeNumber
from rental_app.schemas.words import (
    TermsAnswer,
    WordsAnswer,
    WordsListAnswer,
    WordsRequest,
    WordsSummary,
    WordsVersionView,
)
from rental_app.services import words
from rental_app.services.words import SAVED, TermsText, Version

router = CallRouter(prefix="/api/operator/words", tags=["operator"])
terms_router = CallRouter(prefix="/api/terms", tags=["catalogue"])
Key = Annotated[str, Path(max_length=40, description="A key, such as faq, documents or terms")]
Number = Annotated[
    WholeNumber | None, Query(alias="version", ge=0, le=1_000_000, description="Another version than the one in force")
]


@router.get("", responses=refusals(401, 403, 429))
def list_words(actor: CurrentOperator) -> WordsListAnswer:
    """All that can be edited, each with its version in force."""
    return WordsListAnswer(words=[WordsSummary(**_summary(one)) for one in read(words.listed, actor)])


@router.get("/{key}", responses=refusals(401, 403, 404, 429))
def get_words(actor: CurrentOperator, key: Key, number: Number = None) -> WordsAnswer:
    """What is in force under a key, or one of its versions; `versions` are all there were.

    Rows are objects, `lines` and Markdown texts. Names in braces, such as `{product}`, stand for settings and numbers.
    """
    all_versions = read(words.versions, actor, key)
    chosen = words.one_of(all_versions, number)
    return _answer(chosen, all_versions)


@router.put("/{key}", responses=refusals(400, 401, 403, 404, 409, 429))
def put_words(actor: CurrentOperator, key: Key, body: WordsRequest) -> WordsAnswer:
    """Put a new version in force; every page shows it at once. To undo one, send the value of an earlier one.

    Another version than the one read is refused (409 `changed_meanwhile`, with the `value` and `version` in force).
    Saving what is in force already changes nothing.
    """
    saved, all_versions = write(words.put_and_list, actor, key, body.value, body.version, body.note)
    return _answer(saved, all_versions, SAVED)


@terms_router.get("", responses=refusals(429))
def get_terms(caller: Anyone) -> TermsAnswer:
    """The terms that are in force."""
    return _terms(read(words.terms, caller))


@terms_router.get("/{version}", responses=refusals(404, 429))
def get_terms_of(
    caller: Anyone, version: Annotated[str, Path(max_length=40, description="A version's name, such as 2026-11-30")]
) -> TermsAnswer:
    """A version of the terms as it reads, or read while it was in force."""
    return _terms(read(words.terms, caller, version))


def _terms(found: TermsText) -> TermsAnswer:
    return TermsAnswer(**asdict(found))


def _summary(version: Version) -> dict[str, object]:
    about = KEYS[version.key]
    return _version(version) | {"key": about.key, "label": about.label, "kind": about.kind.value}


def _version(version: Version) -> dict[str, object]:
    names = ("version", "name", "at", "who", "note")
    return {name: getattr(version, name) for name in names}


def _answer(chosen: Version, all_versions: list[Version], message: str = "") -> WordsAnswer:
    views = [WordsVersionView(**_version(one)) for one in all_versions]
    shown = _summary(chosen) | {"value": chosen.value, "default": chosen.version == 0, "versions": views}
    return WordsAnswer(message=message, **shown)
