"""What names, e-mails and stored text may contain, judged by Unicode's character properties."""

import re
import unicodedata

# Indian scripts, Devanagari to Sinhala: in these, joiners choose between two ways to write the same letters.
_INDIC_FIRST, _INDIC_LAST = "\u0900", "\u0dff"
_JOINERS = "\u200c\u200d"
# Control and format characters (direction marks included), lone surrogates, private use, line and paragraph separators.
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
# Characters of other kinds that show nothing either: variation selectors, the grapheme joiner, Hangul fillers.
_BLANK = re.compile("[\ufe00-\ufe0f\u034f\u115f\u1160\u3164]")
# What shows nothing in a text that people read, or turns its direction: soft hyphen, direction marks, overrides and
# isolates, zero-width characters, fillers, tags. Joiners stay behind what they join: emoji, letters of Indian scripts
# and of Urdu's.
_HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    "\ufff9-\ufffb\U000e0000-\U000e0fff]"
    "|(?<![\u00a9\u00ae\u0600-\u06ff\u0900-\u0dff\u203c-\u3299\ufe0f\U0001f000-\U0001faff])[\u200c\u200d]"
)
# Dashes that Unicode does not count among the dashes: the minus sign, the hyphen bullet, the modifier letter.
_OTHER_DASHES = "\u2212\u2043\u02d7"
_FULL_WIDTH = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
# What makes no difference to a search, with what is read for it: letters of Malayalam that older keyboards write as a
# letter, a virama and a joiner, and joiners themselves.
WRITTEN_OUT = {
    "\u0d7a": "\u0d23\u0d4d",
    "\u0d7b": "\u0d28\u0d4d",
    "\u0d7c": "\u0d30\u0d4d",
    "\u0d7d": "\u0d32\u0d4d",
    "\u0d7e": "\u0d33\u0d4d",
    "\u0d7f": "\u0d15\u0d4d",
    **dict.fromkeys(_JOINERS, ""),
}
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_LATIN = "LATIN"
# The places inside a web address: after a dot, of which domain names know four, and after a scheme. A dot between
# digits is an amount's; numbers alone are an address only after a scheme.
_INSIDE_ADDRESS = re.compile(r"(?<=[.。．｡])(?!(?<=\d\.)\d)(?=\w)|(?<=://)")


def made_storable(text: str) -> str:
    """The text with U+FFFD for what a database may reject: NUL (PostgreSQL) and half a surrogate pair (all of them)."""
    return _UNSTORABLE.sub("\ufffd", text)


def address_text(text: str) -> str:
    """A name in an address, with characters that no database can look up replaced: no name contains them."""
    return made_storable(text[:100])


def without_hidden(text: str) -> str:
    """The text without what nobody sees (zero-width, direction, soft hyphen); Indian scripts keep joiners."""
    shown = _BLANK.sub("", text)
    seen = (
        char
        for before, char in zip(f" {shown}", shown, strict=False)
        if unicodedata.category(char) != "Cf" or (char in _JOINERS and _INDIC_FIRST <= before <= _INDIC_LAST)
    )
    return "".join(seen)


def as_typed(text: str) -> str:
    """An e-mail address as a keyboard types it: nothing hidden, no white space around it, "@" for its full-width form.

    Chat programs, contact cards and PDFs put such characters into what people copy. Letters never change.
    """
    return "".join(char for char in text if unicodedata.category(char) != "Cf").strip().replace("＠", "@")


def in_sight(text: str) -> str:
    """A note, a reason or another text for people without what they cannot see in it."""
    return _HIDDEN.sub("", text)


def on_a_keyboard(text: str) -> str:
    """A number, plate or code as a plain keyboard types it: nothing hidden, every dash "-", full-width forms plain.

    Messengers and word processors put such characters into what people copy. Letters stay in their own scripts.
    """
    return "".join(_plain(char) for char in without_hidden(text).translate(_FULL_WIDTH))


def _plain(char: str) -> str:
    kind = unicodedata.category(char)
    return "-" if kind == "Pd" or char in _OTHER_DASHES else " " if kind == "Zs" else char


def composed(text: str) -> str:
    """The text in the form in which all that looks the same is the same (NFC), as texts are stored."""
    return unicodedata.normalize("NFC", text)


def searchable(text: str) -> str:
    """The text as it is searched for, and found in stored ones: composed, without joiners, chillus written out."""
    read = composed(text)
    for written, plain in WRITTEN_OUT.items():
        read = read.replace(written, plain)
    return read


def has_letter(text: str) -> bool:
    """Whether a text has at least one letter of any script."""
    return any(unicodedata.category(char).startswith("L") for char in text)


def all_visible(text: str) -> bool:
    """Whether a text has no hidden or direction-reversing characters; joiners may follow letters of Indian scripts."""
    return not any(
        unicodedata.category(char) in _UNSEEN and not (char in _JOINERS and _INDIC_FIRST <= before <= _INDIC_LAST)
        for before, char in zip(f" {text}", text, strict=False)
    )


def without_links(name: str) -> str:
    """The name with spaces where programs would otherwise make a link of it: "evil. com", "A. P. J. Abdul"."""
    return _INSIDE_ADDRESS.sub(" ", name)


def in_one_script(email: str) -> bool:
    """Whether the letters of an e-mail address are all of one script; its top-level domain may always be Latin."""
    rest, _, end = email.rpartition(".")
    return len(_scripts(rest)) <= 1 and (_scripts(end) in (_scripts(rest), {_LATIN}))


def _scripts(text: str) -> set[str]:
    """The first words of the letters' Unicode names: LATIN, CYRILLIC, TELUGU."""
    return {unicodedata.name(char, "").split(" ")[0] for char in text if unicodedata.category(char).startswith("L")}


def initials(name: str) -> str:
    """The first letters of a name's first two words."""
    return "".join(word[0].upper() for word in name.split()[:2])
