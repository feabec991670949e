"""Shapes of the words of the shop: what is in force under a key, what was, and the terms by version."""

import re
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from rental_app.schemas.wire import CLEAN, IN_SIGHT, Answer, ExactBody, IndianTime, WholeNumber, Wire, at_most

KeyOut = Annotated[str, Field(description="The key, such as faq or terms")]
LabelOut = Annotated[str, Field(description="What people call it")]
VersionOut = Annotated[int, Field(description="The number of the version; 0 is what comes with the product")]
VersionName = Annotated[str, Field(description="What bookings call a version of the terms; blank for all else")]
By = Annotated[str, Field(description="Who wrote it, blank for what comes with the product")]
At = Annotated[IndianTime | None, Field(description="When it was written, null for what comes with the product")]
Why = Annotated[str, Field(description="Why it was changed")]
MarkdownOut = Annotated[str, Field(description="The text as it reads, in Markdown")]


MOST_NOTE, MOST_LETTERS = 300, 50_000
# What no text of any value may hold; which one it is, and all else, is told by the service.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def _storable(value: Any) -> Any:
    """The value; raises ValueError for a text in it that no database stores, or that is longer than any may be."""
    if isinstance(value, str) and _UNSTORABLE.search(value):
        raise ValueError("Control characters are not allowed")
    if isinstance(value, str) and len(value) > MOST_LETTERS:
        raise ValueError(f"At most {MOST_LETTERS:,} letters")
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _storable(part)
    return value


WordsValue = Annotated[str | list[Any] | dict[str, Any], BeforeValidator(_storable)]


class WordsVersionView(Wire):
    """A version: who wrote it, when and why."""

    version: VersionOut
    name: VersionName
    at: At
    who: By
    note: Why


class WordsSummary(WordsVersionView):
    """A key with the version that is in force."""

    key: KeyOut
    label: LabelOut
    kind: Literal["rows", "lines", "texts", "markdown", "numbers"] = Field(description="How its value is written")


class WordsListAnswer(Answer):
    """All keys."""

    words: list[WordsSummary] = Field(description="The keys, each with its version in force")


class WordsAnswer(WordsSummary, Answer):
    """What stands under a key, and every version of it."""

    value: Any = Field(description="What is in force, or what the version said that was asked for")
    default: bool = Field(description="Whether that is what comes with the product")
    versions: list[WordsVersionView] = Field(description="All versions, the newest first")


class WordsRequest(ExactBody):
    """What is to be in force under a key."""

    value: WordsValue = Field(description="The whole value, as the call that reads it gives it")
    version: Annotated[
        WholeNumber,
        Field(
            ge=0, le=1_000_000, description="The version that was read; 409 `changed_meanwhile` if another is in force"
        ),
    ]
    note: Annotated[str, at_most(MOST_NOTE), CLEAN, IN_SIGHT] = Field(
        default="", description="Why, for those who look at the versions"
    )


class TermsAnswer(Answer):
    """A version of the terms."""

    version: str = Field(description="What bookings call it")
    text: MarkdownOut
    in_force: Annotated[bool, Field(alias="inForce", description="Whether it is in force now")]
    versions: list[str] = Field(description="The names of all versions, the newest first")
