"""Giving an account back to its owner, without what a thief, or somebody who signed up with the owner's address,
added."""

from datetime import datetime, timedelta

from sqlalchemy import delete, or_
from sqlmodel import Session, col

from rental_app.domain.acts import Act
from rental_app.infrastructure.db import even_if_read_only
from rental_app.models import IcalFeed, KnownDevice, Member, User
from rental_app.schemas.sign_in import LinkUse
from rental_app.services import audit, throttle
from rental_app.services.accounts import proofs, second_step, sessions
from rental_app.services.accounts.actor import proven_owner
from rental_app.services.accounts.proofs import ProofContent, Purpose
from rental_app.services.throttle import Caller

# What a link is about was written in the same transaction, a moment earlier.
JUST_BEFORE = timedelta(minutes=1)
TAKEN_OFF = (
    "We have taken off what was added, and logged everyone out. Set a new password now: someone else knows yours."
)


@even_if_read_only
def not_me(session: Session, caller: Caller, form: LinkUse) -> str:
    """Remove what was added to an account since a message about it was written, by the link in that message. Raises
    `link_invalid`."""
    throttle.count("reset", caller)
    proven = proofs.redeem(session, Purpose.NOT_ME, form.token)
    user = session.get_one(User, proven.user_id)
    user.phone_number = proven.payload.get("phone_number", user.phone_number)
    by_link(session, user, proven)
    who = proven_owner(user, caller)
    audit.record(session, who, Act.ADDITIONS_TAKEN_OFF, ("user", who.id))
    return TAKEN_OFF


def by_link(session: Session, user: User, proven: ProofContent) -> None:
    """Remove what was added to an account since the link was made that its owner now uses.

    Other links of the same owner stay valid, in whatever order they are used. A thief's own, which were sent to the
    thief's address after the owner's, end with the use of the owner's, and never the other way round.
    """
    proofs.end_ways_back(session, user.id or 0, proven.made_at, proven.payload.get("email", ""))
    take_off(session, user, proven.made_at - JUST_BEFORE)


def take_off(session: Session, user: User, since: datetime) -> None:
    """Remove the ways into an account that were added at an instant (UTC) or later, and end what is open.

    These are its app, passkeys, recovery codes, members and calendar addresses. Removed whatever their age are the
    confirmation of its number, the known devices, and all passkeys if the password alone opens the account. Sessions,
    links and codes end, except ways back and a recovery, whose messages say how to stop it. An older second step stays:
    it is the owner's.
    """
    user_id = user.id or 0
    proofs.end_all(session, user_id, but=(*proofs.WAYS_BACK, Purpose.RECOVER))
    # Whoever took the account over may have confirmed their own.
    user.verified_phone = None
    session.flush()
    second_step.remove_since(session, user_id, since)
    second_step.forget_passkeys(session, user_id)
    sessions.end_all(session, user_id)
    session.execute(delete(KnownDevice).where(col(KnownDevice.user_id) == user_id))
    session.execute(delete(Member).where(col(Member.vendor_id) == user_id, col(Member.added_at) >= since))
    # Those of their employer too, if they manage for one.
    theirs = or_(col(IcalFeed.vendor_id) == user_id, col(IcalFeed.made_by) == user_id)
    session.execute(delete(IcalFeed).where(theirs, col(IcalFeed.created_at) >= since))


def hand_over(session: Session, user: User) -> None:
    """Give an account whose e-mail nobody had confirmed to the person who reads that mailbox, without what was set
    before.

    Somebody else may have signed up with the address: their ways in are removed, and where their money would go.
    """
    proofs.end_all(session, user.id or 0)
    take_off(session, user, user.created_at)
    user.upi_id = user.bank_name = user.bank_account_no = user.bank_ifsc = ""
    session.execute(delete(Member).where(col(Member.user_id) == user.id))
    session.execute(delete(IcalFeed).where(col(IcalFeed.made_by) == user.id))
    session.flush()
