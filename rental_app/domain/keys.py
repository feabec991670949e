"""How hard a signing key is to guess."""

from functools import cache

MIN_KEY_BYTES = 32
# A key is weak if what is left of it without its words takes fewer guesses than 64 random bits. With them, zxcvbn
# estimates more guesses for `please-change-this-secret-key-before-production` than for 80 random bits.
MIN_KEY_GUESSES, SHORTEST_WORD = 2**64, 4
# Enough to judge; longer keys take the estimator up to half a second.
ESTIMATED_CHARACTERS = 48


@cache
def weakness(key: str) -> str:
    """What is wrong with a signing key; '' if nothing is."""
    length = len(key.encode())
    if length < MIN_KEY_BYTES:
        return f"is {length} bytes long, at least {MIN_KEY_BYTES} are needed"
    # Imported here: its word lists take a sixth of a second to load.
    from zxcvbn import zxcvbn

    rest = _without_words(key[:ESTIMATED_CHARACTERS])
    if not rest or zxcvbn(rest)["guesses"] < MIN_KEY_GUESSES:
        return "can be guessed: make one with `openssl rand -hex 32`"
    return ""


def _without_words(key: str) -> str:
    from zxcvbn.matching import RANKED_DICTIONARIES, dictionary_match

    matches = dictionary_match(key, RANKED_DICTIONARIES)
    words = [match for match in matches if match["token"].isalpha() and len(match["token"]) >= SHORTEST_WORD]
    covered = {place for match in words for place in range(match["i"], match["j"] + 1)}
    return "".join(letter for place, letter in enumerate(key) if place not in covered)
