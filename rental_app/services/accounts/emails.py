"""An account's e-mail: confirmed by a link, changed by one to the new address, and taken back by one to the old."""

from datetime import timedelta
from uuid import uuid4

from sqlalchemy import and_, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from rental_app.content.messages import CHANGING_EMAIL, CONFIRM_EMAIL, EMAIL_TAKEN, VERIFY_EMAIL
from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.contacts import GIVEN_UP_HOST, has_mailbox
from rental_app.domain.errors import ConflictError, ForbiddenError
from rental_app.infrastructure.db import read, write
from rental_app.infrastructure.settings import settings
from rental_app.models import Proof, User, Vehicle
from rental_app.schemas.accounts import EmailChange
from rental_app.schemas.people import spellings
from rental_app.schemas.sign_in import LinkUse, OwnLinkUse
from rental_app.services import audit, throttle
from rental_app.services.accounts import login, profile, proofs, second_step, way_back
from rental_app.services.accounts.actor import Actor, at_the_machine, has_confirmed_email, proven_owner
from rental_app.services.accounts.letters import tell
from rental_app.services.accounts.proofs import Purpose
from rental_app.services.throttle import Caller

VERIFY_LIVES, UNDO_LIVES = timedelta(hours=24), timedelta(days=7)
SENT = "A link is on its way to your email. It works once, for 24 hours."
ALREADY = "Your email is confirmed already"
VERIFIED = "Your email is confirmed"
DECLINED = "Thank you: this address no longer belongs to an account here"
# The same for every address, so that nobody learns which have an account.
LINK_SENT = "A link is on its way to the new address: your email changes when you press the button there."
CHANGED = "Your email is changed: log in with the new one from now on"
UNDONE = "You have your old email back, and everyone is logged out. Set a new password now: someone else knows yours."


def send_link(session: Session, user: User) -> None:
    """Send an account the link that confirms its e-mail."""
    proof = proofs.open_proof(session, Purpose.VERIFY_EMAIL, user.id, VERIFY_LIVES, {"email": user.email})
    tell(session, VERIFY_EMAIL, user.id, proof_id=proof.id)


def send_again(session: Session, actor: Actor) -> str:
    """Send the actor another such link, unless theirs is confirmed; returns a message for them.

    Raises ConflictError (`no_email`) if the account has given its address up.
    """
    throttle.count("mail", actor)
    user = session.get_one(User, actor.id)
    if not has_mailbox(user.email):
        raise ConflictError("Your account has no email: add one first", code="no_email")
    if user.email_verified_at:
        return ALREADY
    send_link(session, user)
    return SENT


def verify(form: OwnLinkUse, caller: Caller) -> str:
    """Confirm an e-mail by its link; a vendor's vehicles that waited for it are listed.

    The person who reads the mailbox may not be the one who signed up with it, so the link works only in a session of
    the account, or with its password. Opens its own transactions, as `ask_change` does. Raises `link_invalid`,
    ForbiddenError (`password_needed`) and InvalidInputError (`wrong_password`).
    """
    throttle.count("reset", caller)
    _require_own(form, caller, Purpose.VERIFY_EMAIL)
    return write(_verify, caller, form.token)


def _require_own(form: OwnLinkUse, caller: Caller, purpose: Purpose) -> None:
    owner = read(_owner_by_link, purpose, form.token)
    if isinstance(caller, Actor) and caller.id == owner.id:
        return
    if form.password is None:
        message = "You are not logged in to this account here: enter its password, too"
        raise ForbiddenError(message, code="password_needed", fields={"password": message})
    login.require_password(owner, form.password, caller)


def _owner_by_link(session: Session, purpose: Purpose, token: str) -> User:
    return session.get_one(User, proofs.find(session, purpose, token).user_id)


def _verify(session: Session, caller: Caller, token: str) -> str:
    user = _waiting(session, token)
    note_verified(session, user)
    audit.record(session, proven_owner(user, caller), Act.EMAIL_VERIFIED, ("user", user.id or 0))
    return VERIFIED


def _waiting(session: Session, token: str) -> User:
    """The account that a link to confirm its e-mail is for; the link is used up."""
    proven = proofs.redeem(session, Purpose.VERIFY_EMAIL, token)
    user = session.get_one(User, proven.user_id)
    if user.email != proven.payload["email"]:
        raise proofs.link_invalid()
    return user


def decline(session: Session, caller: Caller, form: LinkUse) -> str:
    """Take an e-mail from the account that somebody else signed up with it, by the link sent to it.

    Raises `link_invalid`, also once the e-mail is confirmed.
    """
    throttle.count("reset", caller)
    user = _waiting(session, form.token)
    if user.email_verified_at:
        raise proofs.link_invalid()
    make_way(session, user)
    return DECLINED


def make_way(session: Session, user: User) -> None:
    """Take a never confirmed e-mail from an account, for the person who reads it; the account's links end.

    Its sessions stay open: somebody who mistyped their address keeps their bookings, and enters another one under
    Account.
    """
    before = {"email": user.email}
    user.email, user.email_changed_at = f"{uuid4().hex}@{GIVEN_UP_HOST}", clock.now()
    proofs.end_all(session, user.id or 0)
    session.flush()
    audit.record(session, at_the_machine(), Act.EMAIL_GIVEN_UP, ("user", user.id or 0), before=before)


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
    has gets the same answer; its owner is told. Raises ForbiddenError (vendors, who ask for it; `give_second_step`),
    InvalidInputError (`wrong_password`) and TooManyRequestsError.
    """
    throttle.count("mail", actor)
    profile.require_unlocked(actor)
    read(second_step.require_stepped, actor)
    login.require_password(read(login.own_account, actor), form.password, actor)
    write(_ask_change, actor, form.email)


def _ask_change(session: Session, actor: Actor, email: str) -> None:
    user, owner = session.get_one(User, actor.id), _keeper(session, email)
    if owner == user.id and email != user.email:
        # A link can give the address back already: it is the actor's own.
        owner = None
    # Nobody's if the address is taken, which costs the same.
    proof = proofs.open_proof(
        session, Purpose.CHANGE_EMAIL, None if owner else user.id, VERIFY_LIVES, {"email": email, "old": user.email}
    )
    if owner:
        tell(session, EMAIL_TAKEN, owner, to=email)
    else:
        tell(session, CONFIRM_EMAIL, user.id, proof_id=proof.id, to=email)
    # An address that nobody has confirmed may be mistyped, or a stranger's.
    if user.email_verified_at or (user.email_changed_at and has_mailbox(user.email)):
        # Earlier links back stay valid: a thief who changes the address twice does not lock the first owner out.
        undo = proofs.open_proof(
            session, Purpose.UNDO_EMAIL, user.id, UNDO_LIVES, {"email": user.email}, ends_earlier=False
        )
        tell(session, CHANGING_EMAIL, user.id, proof_id=undo.id, to=user.email, note=email)
    audit.record(session, actor, Act.EMAIL_CHANGE_ASKED, ("user", actor.id), after={"email": email})


def _holder(session: Session, email: str) -> User | None:
    """The account that has an address."""
    return session.scalars(select(User).where(col(User.email).in_(spellings(email)))).first()


def _way_back(session: Session, email: str) -> Proof | None:
    """The link that can give an address to an account which does not have it now: back, or after a recovery."""
    old, new = col(Proof.payload)["email"].as_string(), col(Proof.payload)["after"]["email"].as_string()
    gives_back = or_(
        and_(col(Proof.purpose) == Purpose.UNDO_EMAIL, col(Proof.expires_at) > clock.now(), old.in_(spellings(email))),
        and_(col(Proof.purpose) == Purpose.RECOVER, new.in_(spellings(email))),
    )
    live = select(Proof).where(gives_back, col(Proof.used_at).is_(None))
    return session.scalars(live.order_by(col(Proof.id).desc())).first()


def _keeper(session: Session, email: str) -> int | None:
    """The account that an address is kept for: it has it and confirmed it, or a link can give it to it."""
    holder, link = _holder(session, email), _way_back(session, email)
    if holder and holder.email_verified_at:
        return holder.id
    return link.user_id if link else None


def is_unavailable(session: Session, email: str) -> bool:
    """Whether nobody can sign up with an address: an account has it, or it is kept for one."""
    return _holder(session, email) is not None or _way_back(session, email) is not None


def confirm(form: OwnLinkUse, caller: Caller) -> str:
    """Change an account's e-mail by the link to the new address, in a session of the account or with its password.

    Opens its own transactions, and raises what `verify` does: who reads the address need not have asked for it.
    """
    throttle.count("reset", caller)
    _require_own(form, caller, Purpose.CHANGE_EMAIL)
    return write(_confirm, caller, form.token)


def _confirm(session: Session, caller: Caller, token: str) -> str:
    proven = proofs.redeem(session, Purpose.CHANGE_EMAIL, token)
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

    The app and the passkeys that it got since the change was asked for go, too. Raises `link_invalid`.
    """
    throttle.count("reset", caller)
    proven = proofs.redeem(session, Purpose.UNDO_EMAIL, form.token)
    user = session.get_one(User, proven.user_id)
    _set(session, user, proven.payload["email"])
    way_back.by_link(session, user, proven)
    who = proven_owner(user, caller)
    audit.record(session, who, Act.EMAIL_CHANGE_UNDONE, ("user", who.id), after={"email": user.email})
    return UNDONE


def _set(session: Session, user: User, email: str) -> None:
    """Give an account an e-mail that its owner has just proved to read, unless it is another's by now.

    An account that has it without having confirmed it loses it.
    """
    if _keeper(session, email) not in (None, user.id):
        raise proofs.link_invalid()
    _clear(session, user, email)
    user.email, user.email_changed_at = email, clock.now()
    try:
        with session.begin_nested():
            session.flush()
    except IntegrityError:
        raise proofs.link_invalid() from None
    note_verified(session, user)


def _clear(session: Session, user: User, email: str) -> None:
    holder = _holder(session, email)
    if holder and holder.id != user.id:
        make_way(session, holder)


def replace(session: Session, user: User, email: str) -> None:
    """Give an account another e-mail at the operator's decision, and send it a link that confirms it.

    Raises ConflictError (`email_taken`).
    """
    require_free(session, user, email)
    _clear(session, user, email)
    user.email, user.email_verified_at, user.email_changed_at = email, None, clock.now()
    try:
        with session.begin_nested():
            session.flush()
    except IntegrityError:
        raise _email_taken() from None
    send_link(session, user)


def require_free(session: Session, user: User, email: str) -> None:
    """Raise ConflictError (`email_taken`) if an address is another account's, as operators may know."""
    if _keeper(session, email) not in (None, user.id):
        raise _email_taken()


def _email_taken() -> ConflictError:
    return ConflictError("An account with this email already exists", code="email_taken")


def tell_owner(session: Session, email: str) -> None:
    """Tell the owner of an address, once a day, that somebody has tried to sign up with it.

    An owner whose account has lost it gets the link again that gives it back.
    """
    if holder := _holder(session, email):
        tell(session, EMAIL_TAKEN, holder.id, daily=True)
    elif (link := _way_back(session, email)) and link.purpose == Purpose.UNDO_EMAIL and link.user_id:
        now = session.get_one(User, link.user_id).email
        tell(session, CHANGING_EMAIL, link.user_id, proof_id=link.id, to=email, note=now, daily=True)
