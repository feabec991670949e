"""Passwords and tokens."""

import hashlib
import hmac
import re
import threading
import unicodedata
import uuid
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import cache
from typing import NamedTuple

import bcrypt
import jwt

from rental_app.domain import clock
from rental_app.domain.errors import InvalidInputError, NotAuthenticatedError
from rental_app.infrastructure.settings import settings

BCRYPT_COST = 12
MIN_PASSWORD_BYTES, MAX_PASSWORD_BYTES = 8, 72
TOKEN_LIFE = timedelta(days=7)
ALGORITHM = "HS256"
AUDIENCE = "rental-marketplace"
# How far the clocks of two machines may be apart: one may read a token before the time at which the other issued it.
CLOCKS_APART = timedelta(minutes=1)
STRONG_ENOUGH = 3  # of 4: "safely unguessable", ten to the eighth guesses
# Symbols may stand for letters: with many different ones zxcvbn tries so many readings of a password that 72 bytes
# take it seconds. Only the beginning of such a password is judged.
MANY_SIGNS, BEGINNING = 12, 24
_WORD = re.compile(r"\w{3,}")
# A lock, because the estimator keeps the words it is given in a global.
_estimating = threading.Lock()


def check_new_password(password: str, email: str, about: Iterable[str]) -> None:
    """Refuse passwords that are too short, too long for bcrypt, or easy to guess for someone who knows the account's
    e-mail and `about`; raises InvalidInputError."""
    size = len(_composed(password).encode())
    if size < MIN_PASSWORD_BYTES:
        problem = f"Use at least {MIN_PASSWORD_BYTES} characters"
    elif size > MAX_PASSWORD_BYTES:
        problem = f"Use at most {MAX_PASSWORD_BYTES} bytes (this one has {size})"
    elif _repeats(password, email, about):
        problem = "This password is easy to guess. Leave your own details out of it."
    else:
        problem = _weakness(password, (email, *about))
    if problem:
        raise InvalidInputError(problem, code="weak_password", fields={"password": problem})


def _repeats(password: str, email: str, about: Iterable[str]) -> bool:
    """Whether a password contains the e-mail or is another detail, both of which may go on past what is judged."""
    secret, own = password.strip().casefold(), email.strip().casefold()
    return bool(own and own in secret) or secret in {text.strip().casefold() for text in about if text.strip()}


def _weakness(password: str, about: Iterable[str]) -> str:
    """Why a password is easy to guess and what would help; '' when it is not."""
    # Imported here: its word lists take a sixth of a second to load, which no process should wait for at its start.
    from zxcvbn import zxcvbn

    signs = {char for char in password if not char.isalpha()}
    judged = password[:BEGINNING] if len(signs) > MANY_SIGNS else password
    words = [
        word for text in (settings().product_name, settings().city, *about) for word in (text, *_WORD.findall(text))
    ]
    with _estimating:
        estimate = zxcvbn(judged, user_inputs=words)
    if estimate["score"] >= STRONG_ENOUGH:
        return ""
    advice = [estimate["feedback"]["warning"], *estimate["feedback"]["suggestions"]]
    return " ".join(["This password is easy to guess.", *filter(None, advice)])


def warm_up() -> None:
    """Prepare what would otherwise slow down the first sign-up and the first login with an unknown e-mail."""
    _decoy_hash()
    _weakness("x", ())


def hash_password(password: str) -> str:
    """The bcrypt hash of a password (about 240 ms of CPU), whichever way a device writes its accents (NFC)."""
    return bcrypt.hashpw(_composed(password).encode(), bcrypt.gensalt(BCRYPT_COST)).decode()


def _composed(password: str) -> str:
    return unicodedata.normalize("NFC", password)


def readings_of(password: str) -> list[str]:
    """What a typed password may have been hashed as: composed, and as typed by versions that did not compose it."""
    return list(dict.fromkeys((_composed(password), password)))


def password_matches(password: str, password_hash: str | None) -> bool:
    """Compare as given, in the same time whether or not the account exists (`password_hash` None: it does not)."""
    secret = password.encode()
    matches = bcrypt.checkpw(secret[:MAX_PASSWORD_BYTES], (password_hash or _decoy_hash()).encode())
    return matches and password_hash is not None and len(secret) <= MAX_PASSWORD_BYTES


def keyed_digest(purpose: str, content: bytes) -> bytes:
    """A digest of something that holds a secret: without our key nobody finds that out from it by guessing."""
    return hmac.new(settings().signing_key.encode(), f"{purpose} ".encode() + content, hashlib.sha256).digest()


def address_digest(email: str, network: str) -> str:
    """What is kept of the address an account was last used from: enough to recognise it, not to reveal it."""
    return hmac.new(settings().signing_key.encode(), f"{email} {network}".encode(), hashlib.sha256).hexdigest()


@cache
def _decoy_hash() -> str:
    return hash_password("no account has this password")


def issue_token(user_id: int, issued: datetime) -> tuple[str, str]:
    """A signed token and its `jti`, valid for seven days from `issued` (UTC)."""
    jti = uuid.uuid4().hex
    claims = {
        "sub": str(user_id),
        "jti": jti,
        "iat": issued,
        "exp": issued + TOKEN_LIFE,
        "aud": AUDIENCE,
        "iss": AUDIENCE,
    }
    return jwt.encode(claims, settings().signing_key, algorithm=ALGORITHM), jti


def read_token(token: str) -> str:
    """The `jti` of a genuine, unexpired token; raises NotAuthenticatedError otherwise."""
    try:
        # The value a browser says it has stored may not be a string at all.
        session = _session_of(str(token), settings().signing_key)
        now = clock.now()
        if session.expires <= now.timestamp():
            raise jwt.ExpiredSignatureError
        if session.issued > (now + CLOCKS_APART).timestamp():
            raise jwt.ImmatureSignatureError
    except jwt.ExpiredSignatureError:
        raise NotAuthenticatedError("Your session has expired, please log in again", code="token_expired") from None
    # Before the signature is checked, thousands of brackets exhaust the parser and a lone surrogate cannot be encoded.
    except (jwt.PyJWTError, RecursionError, UnicodeError):
        raise NotAuthenticatedError("Please log in", code="invalid_token") from None
    return session.jti


class _Session(NamedTuple):
    """What a token says of its session; both times are seconds since 1970."""

    jti: str
    issued: int
    expires: int


MOST_SESSIONS = 4096
_sessions: dict[bytes, _Session] = {}


def _session_of(token: str, key: str) -> _Session:
    """What a genuine token says. It never changes for the same key, so it is cached, by a digest of the token: whoever
    has the token itself is logged in."""
    digest = hashlib.sha256(f"{key} {token}".encode()).digest()
    session = _sessions.get(digest)
    if session is None:
        # Times are not checked here: the caller compares them with the product's clock, PyJWT knows only the machine's.
        claims = jwt.decode(
            token,
            key,
            algorithms=[ALGORITHM],
            audience=AUDIENCE,
            issuer=AUDIENCE,
            options={"require": ["sub", "jti", "iat", "exp", "aud", "iss"], "verify_exp": False, "verify_iat": False},
        )
        session = _Session(str(claims["jti"]), int(claims["iat"]), int(claims["exp"]))
        if len(_sessions) >= MOST_SESSIONS:
            _sessions.clear()
        _sessions[digest] = session
    return session
