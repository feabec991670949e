"""Which labels the words of a free text mean, tolerant of typing errors.

A label is what one model, one place or one color is found by. Texts are compared without case, blanks, punctuation and
accents: "R15", "r 15" and "r-15" are the same.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby, takewhile

from rapidfuzz import fuzz, process

FUZZY_FROM_LETTERS = 4
FUZZY_RATIO = 75
# Pieces of a text that are looked up as one: "fascino 125 fi hybrid" has four.
LONGEST_RUN = 6
# Accents, and the dot below Hindi letters, which many leave out.
_LEFT_OUT = frozenset(map(chr, (*range(0x300, 0x370), 0x93C)))
_BETWEEN = re.compile("[&,/+]")
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NOTHING: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Label:
    """What something of a `kind` is found by: anything said of it by its `facts`, from any of their words on, and texts
    that are `whole`: the Dzire is called "Swift Dzire", but "swift" does not mean it."""

    kind: str
    facts: tuple[str, ...]
    whole: tuple[str, ...] = ()

    def called(self, names: Mapping[str, Sequence[str]]) -> "Label":
        """This label with what else it is called, by the names that it bears."""
        borne = set(self.runs())
        texts = (text for name, texts in names.items() if joined(name) in borne for text in texts)
        return replace(self, whole=(*self.whole, *texts))

    def runs(self) -> Iterator[str]:
        """All it is found by, each as one word."""
        yield from map(joined, self.whole)
        for fact in self.facts:
            words = pieces(fact)
            for start, end in combinations(range(len(words) + 1), 2):
                yield "".join(words[start:end])


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """Labels, by their position, to be found by words; `silent` ones say nothing, those `between` name alternatives."""

    kinds: tuple[str, ...]
    silent: frozenset[str]
    between: frozenset[str]
    labels: dict[str, set[int]]
    runs: list[str]

    def named(self, run: str) -> frozenset[int]:
        """The labels that have these words, or else words that begin so; too many have any one digit."""
        if len(run) == 1 and run.isdecimal():
            return NOTHING
        if run in self.labels:
            return frozenset(self.labels[run])
        following = (self.runs[at] for at in range(bisect_left(self.runs, run), len(self.runs)))
        begun = takewhile(lambda each: each.startswith(run), following)
        return NOTHING.union(*(self.labels[each] for each in begun))

    def alike(self, word: str) -> frozenset[int]:
        """The labels that have the words most like this one, if any are like it."""
        if len(word) < FUZZY_FROM_LETTERS:
            return NOTHING
        near = process.extract(word, self.runs, scorer=fuzz.ratio, score_cutoff=FUZZY_RATIO, limit=None)
        # Few mistype the first letter.
        marks = {run: (score, run[0] == word[0]) for run, score, _ in near}
        best = max(marks.values(), default=None)
        return NOTHING.union(*(self.labels[run] for run, mark in marks.items() if mark == best))

    def are_alternatives(self, some: frozenset[int], others: frozenset[int]) -> bool:
        """Whether nothing can be both, as both are of the same kind."""
        kinds, other_kinds = ({self.kinds[label] for label in labels} for labels in (some, others))
        return bool(kinds & other_kinds) and not some & others


def index(labels: Sequence[Label], silent: Iterable[str], between: Iterable[str]) -> Index:
    """An index of labels, and of the texts that mean nothing or stand between alternatives."""
    by_run: dict[str, set[int]] = {}
    for number, label in enumerate(labels):
        for run in label.runs():
            by_run.setdefault(run, set()).add(number)
    kinds = tuple(label.kind for label in labels)
    return Index(kinds, frozenset(map(joined, silent)), frozenset(map(joined, between)), by_run, sorted(by_run))


def meant(vocabulary: Index, text: str) -> list[frozenset[int]]:
    """The labels that a text asks for: a vehicle must have one of each set.

    Words that say nothing about a vehicle add no set. A word that matches no label adds the empty set, which no
    vehicle meets, and so does a text without words.
    """
    words = [word for part in _BETWEEN.split(text) for word in ("", *pieces(part))][1:]
    # With '' between alternatives.
    words = ["" if word in vocabulary.between else word for word in words]
    if not any(words):
        return [NOTHING]
    wanted: list[frozenset[int]] = []
    alternative = False
    while words and NOTHING not in wanted:
        used, labels = _next(vocabulary, words)
        if labels is None:
            alternative |= not words[0]
        elif alternative and wanted and vocabulary.are_alternatives(wanted[-1], labels):
            wanted[-1] |= labels
        else:
            wanted.append(labels)
        alternative &= labels is None
        words = words[used:]
    return wanted


def _next(vocabulary: Index, words: list[str]) -> tuple[int, frozenset[int] | None]:
    """How many words to read as one, the longest run that means something, and its labels; None if it means nothing."""
    if not words[0]:
        return 1, None
    together = list(takewhile(bool, words[:LONGEST_RUN]))
    for used in range(len(together), 0, -1):
        run = "".join(together[:used])
        if run in vocabulary.silent:
            return used, None
        if labels := vocabulary.named(run) or (vocabulary.named(run[:-1]) if _is_plural(words[used - 1]) else NOTHING):
            return used, labels
    return 1, vocabulary.alike(words[0])


def _is_plural(word: str) -> bool:
    return len(word) >= FUZZY_FROM_LETTERS and word.endswith("s")


def seats_called(seats: int) -> tuple[str, ...]:
    """What people call something with so many seats."""
    in_words = _NUMBERS[seats : seats + 1]
    return tuple(f"{number} seater" for number in (str(seats), *in_words))


def joined(text: str) -> str:
    """A text as one word, as texts are compared."""
    return "".join(pieces(text))


def pieces(text: str) -> list[str]:
    """The words and numbers of a text, as they are compared."""
    signs = unicodedata.normalize("NFKD", text.casefold())
    significant = (sign for sign in signs if sign not in _LEFT_OUT)
    return ["".join(map(_plain, same)) for sort, same in groupby(significant, _sort) if sort]


def _sort(sign: str) -> str:
    """Letters (in Indian scripts vowel signs are some too) or digits; '' for what separates words."""
    return {"L": "letters", "M": "letters", "N": "digits"}.get(unicodedata.category(sign)[0], "")


def _plain(sign: str) -> str:
    return str(unicodedata.decimal(sign, sign))
