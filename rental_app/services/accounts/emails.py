"""An account's e-mail: confirmed by a link, changed by one to the new address, and taken back by one to the old."""

from datetime import timedelta

from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from rental_app.content.messages import CHANGING_EMAIL, CONFIRM_EMAIL, EMAIL_TAKEN, VERIFY_EMAIL
from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.errors import ConflictError
from rental_app.infrastructure.db import read, write
from rental_app.infrastructure.settings import settings
from rental_app.models import User, Vehicle
from rental_app.schemas.people import EmailChange, LinkUse, spellings
from rental_app.services import audit, throttle
from rental_app.services.accounts import details, login, proofs, second_step, sessions
from rental_app.services.accounts.actor import Actor, has_confirmed_email, proven_owner
from rental_app.services.accounts.letters import tell
from rental_app.services.accounts.proofs import Purpose
from rental_app.services.throttle import Caller

VERIFY_LIVES, UNDO_LIVES = timedelta(hours=24), timedelta(days=7)
SENT = "A link is on its way to your email. It works once, for 24 hours."
ALREADY = "Your email is confirmed already"
VERIFIED = "Your email is confirmed"
# The same for every address, so that nobody learns which have an account.
ASKED = "A link is on its way to the new address: your email changes when you press the button there."
CHANGED = "Your email is changed: log in with the new one from now on"
UNDONE = "Your email is what it was, and everybody is logged out. Set a new password now: somebody else knows yours."


def send_link(session: Session, user: User) -> None:
    """Send an account the link that confirms its e-mail."""
    proof = proofs.open_proof(session, Purpose.VERIFY_EMAIL, user.id, VERIFY_LIVES, {"email": user.email})
    tell(session, VERIFY_EMAIL, user.id, proof_id=proof.id)


def send_again(session: Session, actor: Actor) -> str:
    """Send the actor another such link, unless theirs is confirmed; returns a message for them."""
    throttle.count("mail", actor)
    user = session.get_one(User, actor.id)
    if user.email_verified_at:
        return ALREADY
    send_link(session, user)
    return SENT


def verify(session: Session, caller: Caller, form: LinkUse) -> str:
    """Confirm an e-mail by its link; a vendor's vehicles that waited for it are listed. Raises `link_invalid`."""
    throttle.count("reset", caller)
    proven = proofs.redeem(session, Purpose.VERIFY_EMAIL, form.token)
    user = session.get_one(User, proven.user_id)
    if user.email != proven.payload["email"]:
        raise proofs.link_invalid()
    note_verified(session, user)
    audit.record(session, proven_owner(user, caller), Act.EMAIL_VERIFIED, ("user", user.id or 0))
    return VERIFIED


def note_verified(session: Session, user: User) -> None:
    """Note that an account's e-mail is read by its owner; the vehicles that waited for that are listed."""
    if user.email_verified_at:
        return
    user.email_verified_at = clock.now()
    session.flush()
    if settings().listing_approval == "auto":
        # What an operator has decided about stays as it was decided.
        waiting = (col(Vehicle.vendor_id) == user.id, col(Vehicle.decided_at).is_(None))
        session.execute(update(Vehicle).where(*waiting).values(is_approved=True))


def may_list(session: Session, vendor_id: int) -> bool:
    """Whether a vendor's new vehicles need not wait for the vendor's e-mail to be confirmed."""
    return settings().email_needed_for == "off" or has_confirmed_email(session, vendor_id)


def waits_for_email(session: Session, actor: Actor) -> bool:
    """Whether the actor's vehicles wait for their e-mail to be confirmed."""
    throttle.count("look", actor)
    return actor.is_vendor and not may_list(session, actor.id)


def ask_change(form: EmailChange, actor: Actor) -> None:
    """Send a link to the new address, and to the present one a link that takes the change back.

    Opens its own short transactions: the password's hash takes a quarter of a second. An address that another account
    has gets the same answer; its owner is told. Raises ForbiddenError (vendors, who ask for it), InvalidInputError
    (`wrong_password`) and TooManyRequestsError.
    """
    throttle.count("mail", actor)
    details.require_unlocked(actor)
    login.require_password(read(_own, actor), form.password, actor)
    write(_ask_change, actor, form.email)


def _own(session: Session, actor: Actor) -> User:
    return session.get_one(User, actor.id)


def _ask_change(session: Session, actor: Actor, email: str) -> None:
    user, owner = _own(session, actor), _owner_of(session, email)
    # Nobody's if the address is taken, which costs the same.
    proof = proofs.open_proof(
        session, Purpose.CHANGE_EMAIL, None if owner else user.id, VERIFY_LIVES, {"email": email, "old": user.email}
    )
    if owner:
        tell(session, EMAIL_TAKEN, owner)
    else:
        tell(session, CONFIRM_EMAIL, user.id, proof_id=proof.id, to=email)
    # Earlier ones stay good: whoever changes the address twice does not get rid of the first owner.
    undo = proofs.open_proof(
        session, Purpose.UNDO_EMAIL, user.id, UNDO_LIVES, {"email": user.email}, ends_earlier=False
    )
    tell(session, CHANGING_EMAIL, user.id, proof_id=undo.id, to=user.email, note=email)
    audit.record(session, actor, Act.EMAIL_CHANGE_ASKED, ("user", actor.id), after={"email": email})


def _owner_of(session: Session, email: str) -> int | None:
    return session.execute(select(col(User.id)).where(col(User.email).in_(spellings(email)))).scalar()


def confirm(session: Session, caller: Caller, form: LinkUse) -> str:
    """Change an account's e-mail by the link to the new address. Raises `link_invalid`."""
    throttle.count("reset", caller)
    proven = proofs.redeem(session, Purpose.CHANGE_EMAIL, form.token)
    user = session.get_one(User, proven.user_id)
    if user.email != proven.payload["old"]:
        raise proofs.link_invalid()
    before, after = {"email": user.email}, {"email": proven.payload["email"]}
    _set(session, user, proven.payload["email"])
    who = proven_owner(user, caller)
    audit.record(session, who, Act.EMAIL_CHANGED, ("user", who.id), before=before, after=after)
    return CHANGED


def undo(session: Session, caller: Caller, form: LinkUse) -> str:
    """Give an account back the e-mail it had, by the link to that; every session and other link of it ends.

    Raises `link_invalid`.
    """
    throttle.count("reset", caller)
    proven = proofs.redeem(session, Purpose.UNDO_EMAIL, form.token)
    user = session.get_one(User, proven.user_id)
    _set(session, user, proven.payload["email"])
    proofs.end_all(session, user.id or 0)
    # Whoever took the account over may have confirmed their own.
    user.verified_phone = None
    second_step.forget_passkeys(session, user.id or 0)
    sessions.end_all(session, user.id or 0)
    who = proven_owner(user, caller)
    audit.record(session, who, Act.EMAIL_CHANGE_UNDONE, ("user", who.id), after={"email": user.email})
    return UNDONE


def _set(session: Session, user: User, email: str) -> None:
    """Give an account an e-mail that its owner has just proved to read, unless another account has it by now."""
    if _owner_of(session, email) not in (None, user.id):
        raise proofs.link_invalid()
    user.email, user.email_changed_at = email, clock.now()
    try:
        with session.begin_nested():
            session.flush()
    except IntegrityError:
        raise proofs.link_invalid() from None
    note_verified(session, user)


def replace(session: Session, user: User, email: str) -> None:
    """Give an account another e-mail at the operator's decision, and send it a link that confirms it.

    Raises ConflictError (`email_taken`).
    """
    require_free(session, user, email)
    user.email, user.email_verified_at, user.email_changed_at = email, None, clock.now()
    try:
        with session.begin_nested():
            session.flush()
    except IntegrityError:
        raise _email_taken() from None
    send_link(session, user)


def require_free(session: Session, user: User, email: str) -> None:
    """Raise ConflictError (`email_taken`) if another account has an address, as operators may know."""
    if _owner_of(session, email) not in (None, user.id):
        raise _email_taken()


def _email_taken() -> ConflictError:
    return ConflictError("An account with this email already exists", code="email_taken")


def tell_owner(session: Session, email: str) -> None:
    """Tell the owner of an address, once a day, that somebody has tried to sign up with it."""
    if owner := _owner_of(session, email):
        tell(session, EMAIL_TAKEN, owner, daily=True)
