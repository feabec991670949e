"""What may stand in names, e-mails and stored text, judged by Unicode's own properties of characters."""

import re
import unicodedata

# Indian scripts, Devanagari to Sinhala: there joiners choose between two ways to write the same letters.
_INDIC_FIRST, _INDIC_LAST = "\u0900", "\u0dff"
_JOINERS = "\u200c\u200d"
# Controls, formats (direction marks among them), lone surrogates, private use, separators of lines and paragraphs.
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_LATIN = "LATIN"


def made_storable(text: str) -> str:
    """The text with U+FFFD for what not every database takes: PostgreSQL no NUL, none half of a surrogate pair."""
    return _UNSTORABLE.sub("\ufffd", text)


def has_letter(text: str) -> bool:
    """Whether at least one letter of any script is there."""
    return any(unicodedata.category(char).startswith("L") for char in text)


def all_seen(text: str) -> bool:
    """Whether nothing in a text is hidden or reverses its direction; joiners may follow letters of an Indian script."""
    return not any(
        unicodedata.category(char) in _UNSEEN and not (char in _JOINERS and _INDIC_FIRST <= before <= _INDIC_LAST)
        for before, char in zip(f" {text}", text, strict=False)
    )


def in_one_script(email: str) -> bool:
    """Whether the letters of an e-mail are of one script; the end of its domain may be Latin in any case."""
    rest, _, end = email.rpartition(".")
    return len(_scripts(rest)) <= 1 and (_scripts(end) in (_scripts(rest), {_LATIN}))


def _scripts(text: str) -> set[str]:
    """The first words of the letters' Unicode names: LATIN, CYRILLIC, TELUGU."""
    return {unicodedata.name(char, "").split(" ")[0] for char in text if unicodedata.category(char).startswith("L")}
