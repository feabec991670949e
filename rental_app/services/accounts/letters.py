"""What is sent to people about their accounts: messages, texts, and codes that prove who has a mobile number."""

import json
import secrets
from collections.abc import Mapping
from datetime import timedelta

from limits import parse
from sqlalchemy import func, select
from sqlmodel import Session, col

from rental_app.content.texts import TEXTS
from rental_app.domain import clock
from rental_app.domain.errors import InvalidInputError, UnavailableError
from rental_app.infrastructure.security import keyed_digest
from rental_app.infrastructure.settings import settings
from rental_app.models import Outbox, Proof, User
from rental_app.services import throttle
from rental_app.services.accounts import proofs
from rental_app.services.accounts.proofs import Purpose
from rental_app.services.throttle import Caller

TEXT = "sms"
TEXTS_COUNT_FOR = timedelta(days=1)
WAY_BACK_LIVES = timedelta(days=7)
NO_VALUES: Mapping[str, str] = {}


CODE_LIVES = timedelta(minutes=10)
# Texts of one purpose to one number: for one address or account, for all of them, and for those who are known to be the
# number's. Nobody's phone is flooded, and the codes that strangers may have sent there are guessed at 40 times a day.
OF_ONE, OF_STRANGERS, OF_OWNERS = parse("5 per day"), parse("8 per day"), parse("5 per day")
# Guesses at a number's login by those who have not asked for a code: from one address, and from all.
GUESSES_OF_ONE, GUESSES = parse("5 per day"), parse("20 per day")


def tell(
    session: Session,
    kind: str,
    user_id: int | None,
    *,
    proof_id: int | None = None,
    to: str = "",
    note: str = "",
    vehicle_id: int | None = None,
    daily: bool = False,
) -> None:
    """Write a message to an account's owner, at another address (`to`) if it is for that; it goes out at once.

    With a `proof_id` it carries that proof's secret, with a `vehicle_id` it is about that vehicle. One to no account
    (None) is dropped. A `daily` one is written once a day at most.
    """
    now = clock.now()
    # One link may go to several addresses.
    about = " ".join(str(part) for part in (proof_id or vehicle_id, to) if part)
    key = f"{kind} {user_id} {clock.indian_today(now) if daily else now.isoformat()} {about}"
    if daily and session.scalars(select(col(Outbox.id)).where(col(Outbox.key) == key)).first():
        return
    letter = Outbox(
        key=key,
        kind=kind,
        user_id=user_id,
        proof_id=proof_id,
        vehicle_id=vehicle_id,
        to=to,
        note=note,
        created_at=now,
        due_at=now,
    )
    session.add(letter)
    session.flush()


def tell_with_way_back(
    session: Session, kind: str, user_id: int, *, note: str = "", before: Mapping[str, str] = NO_VALUES
) -> None:
    """Tell an account's owner of something added to it, with a link that takes it off again for 7 days.

    `before` is the `phone_number` that it gives back.
    """
    payload = {"email": session.get_one(User, user_id).email, **before}
    proof = proofs.open_proof(session, Purpose.NOT_ME, user_id, WAY_BACK_LIVES, payload, ends_earlier=False)
    tell(session, kind, user_id, proof_id=proof.id, note=note)


def send_text(
    session: Session,
    template: str,
    to: str,
    values: Mapping[str, str] = NO_VALUES,
    *,
    user_id: int | None = None,
    proof_id: int | None = None,
    booking_id: int | None = None,
) -> None:
    """Queue a text to a ten-digit mobile number: a template of `content/texts.py`, filled with values.

    With a `proof_id` it carries that proof's secret, and is dropped once that can no longer be used. One without a
    number is dropped as well. Raises KeyError for an unknown template.
    """
    now = clock.now()
    if template not in TEXTS:
        raise KeyError(template)
    session.add(
        Outbox(
            key=f"{template} {to} {secrets.token_hex(8)}",
            kind=template,
            channel=TEXT,
            to=to,
            user_id=user_id,
            proof_id=proof_id,
            booking_id=booking_id,
            note=json.dumps(dict(values)),
            created_at=now,
            due_at=now,
        )
    )
    session.flush()


def require_texts_left(session: Session) -> None:
    """Raise UnavailableError (`texts_used_up`) if as many texts were sent within a day as the operator pays for."""
    within = (col(Outbox.channel) == TEXT, col(Outbox.sent_at) > clock.now() - TEXTS_COUNT_FOR)
    sent = session.execute(select(func.count()).select_from(Outbox).where(*within)).scalar_one()
    if sent >= settings().sms_daily:
        message = "We cannot send more text messages today: please use your email and password"
        raise UnavailableError(message, code="texts_used_up")


def send_code(
    session: Session,
    purpose: Purpose,
    phone: str,
    template: str,
    *,
    caller: Caller,
    is_known: bool,
    user_id: int | None,
    is_sent: bool = True,
    asked_by: str = "",
) -> None:
    """Text a new code for a purpose to a ten-digit mobile number; it ends what the same asker was sent before.

    A code that is not sent costs the same statements. `is_known` says that the caller is known to own the number, and
    decides which daily limit the text counts towards. Raises TooManyRequestsError, and UnavailableError
    (`texts_used_up`).
    """
    require_texts_left(session)
    _count(purpose, phone, caller, is_known=is_known)
    proof = proofs.open_proof(session, purpose, user_id, CODE_LIVES, {}, about=phone, asked_by=asked_by)
    send_text(session, template, phone if is_sent else "", user_id=user_id, proof_id=proof.id)


def _count(purpose: Purpose, phone: str, caller: Caller, *, is_known: bool) -> None:
    if is_known:
        throttle.hit(OF_OWNERS, "code", purpose, phone, "known")
        return
    for who in (caller.network, caller.account):
        if who:
            throttle.hit(OF_ONE, "code", purpose, phone, who)
    throttle.hit(OF_STRANGERS, "code", purpose, phone)


def asker(caller: Caller) -> str:
    """An opaque mark of who asks for a code to log in with: of their device, or of their network if the device has no
    key."""
    return _marks(caller)[0]


def _marks(caller: Caller) -> list[str]:
    device = [("device", caller.device_key)] if caller.device_key else []
    return [keyed_digest(by, value.encode()).hex() for by, value in (*device, ("network", caller.network))]


def use_login_code(session: Session, phone: str, code: str, caller: Caller) -> Proof | None:
    """Use up the proof that a code to log in with is of, once; None for a wrong code.

    A caller who asked for a code has to type that one. Any other, such as one whose network has changed since, may type
    the latest code sent to the number, a few times a day; wrong tries do not end it. Raises TooManyRequestsError. As
    with `proofs.use_code`, let the transaction end well.
    """
    marks = _marks(caller)
    if proofs.was_sent_code(session, Purpose.LOGIN_CODE, phone, marks):
        return proofs.use_code(session, Purpose.LOGIN_CODE, phone, code, asked_by=marks)
    throttle.hit(GUESSES_OF_ONE, "guess", phone, caller.network)
    throttle.hit(GUESSES, "guess", phone)
    return proofs.use_latest_code(session, Purpose.LOGIN_CODE, phone, code)


def wrong_code() -> InvalidInputError:
    """The refusal of a code that is wrong, used, replaced, expired or was tried too often (422)."""
    message = "This code is wrong, or no longer works. After five tries, ask for a new one."
    return InvalidInputError(message, code="wrong_code", fields={"code": message})
