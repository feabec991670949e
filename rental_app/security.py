"""Passwords and tokens."""

import uuid
from datetime import datetime, timedelta
from functools import cache

import bcrypt
import jwt

from rental_app.errors import InvalidInputError, NotAuthenticatedError
from rental_app.settings import settings

BCRYPT_COST = 12
MIN_PASSWORD_BYTES, MAX_PASSWORD_BYTES = 8, 72
TOKEN_LIFE = timedelta(days=7)
ALGORITHM = "HS256"
AUDIENCE = "rental-marketplace"
COMMON_PASSWORDS = frozenset(
    """12345678 123456789 1234567890 12345678910 0987654321 87654321 11111111 00000000 88888888 99999999 11223344
    password password1 password12 password123 passw0rd p@ssw0rd p@ssword pass1234 pass@123 password@123 qwertyui
    qwertyuiop qwerty123 qwerty1234 1q2w3e4r 1q2w3e4r5t 1qaz2wsx zaq12wsx q1w2e3r4 asdfghjkl asdf1234 zxcvbnm1
    iloveyou iloveyou1 sunshine princess football baseball superman batman123 trustno1 welcome1 welcome123
    welcome@123 admin123 admin1234 admin@123 administrator changeme letmein1 abcd1234 abc12345 abcdefgh a1b2c3d4
    india123 india@123 hyderabad hyderabad1 hyderabad123 charminar sairam123 jaishriram krishna1 ganesh123
    monkey123 dragon123 master123 shadow123 michael1 jennifer computer internet whatever starwars cheese123
    test1234 testtest guest123 default1 secret123 1234qwer qazwsxedc aaaaaaaa aa123456 1password""".split()
)


def check_new_password(password: str, email: str) -> None:
    """Refuse passwords that are too short, too long for bcrypt, the e-mail itself or on everyone's list."""
    size = len(password.encode())
    if size < MIN_PASSWORD_BYTES:
        problem = f"Use at least {MIN_PASSWORD_BYTES} characters"
    elif size > MAX_PASSWORD_BYTES:
        problem = f"Use at most {MAX_PASSWORD_BYTES} bytes (this one has {size})"
    elif password.casefold() == email.casefold():
        problem = "The password must differ from the e-mail"
    elif password.casefold() in COMMON_PASSWORDS:
        problem = "This password is among the most common ones"
    else:
        return
    raise InvalidInputError(problem, code="weak_password", fields={"password": problem})


def hash_password(password: str) -> str:
    """The bcrypt hash of a password (about 240 ms of CPU)."""
    return bcrypt.hashpw(password.encode(), bcrypt.gensalt(BCRYPT_COST)).decode()


def password_matches(password: str, password_hash: str | None) -> bool:
    """Compare in the same time whether or not the account exists (`password_hash` None: it does not)."""
    secret = password.encode()
    matches = bcrypt.checkpw(secret[:MAX_PASSWORD_BYTES], (password_hash or _decoy_hash()).encode())
    return matches and password_hash is not None and len(secret) <= MAX_PASSWORD_BYTES


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
        claims = jwt.decode(
            token,
            settings().signing_key,
            algorithms=[ALGORITHM],
            audience=AUDIENCE,
            issuer=AUDIENCE,
            options={"require": ["sub", "jti", "iat", "exp", "aud", "iss"]},
        )
    except jwt.ExpiredSignatureError:
        raise NotAuthenticatedError("Your session has expired, please log in again", code="token_expired") from None
    # Before any signature is looked at, thousands of brackets exhaust the parser and half a character has no bytes.
    except (jwt.PyJWTError, RecursionError, UnicodeError):
        raise NotAuthenticatedError("Please log in", code="invalid_token") from None
    return str(claims["jti"])
