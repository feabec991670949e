"""What is taken off an account for its owner: what a thief, or whoever signed up with a foreign address, has added."""

from datetime import datetime, timedelta

from sqlalchemy import delete
from sqlmodel import Session, col

from rental_app.domain.acts import Act
from rental_app.infrastructure.db import even_if_read_only
from rental_app.models import IcalFeed, KnownDevice, Member, User
from rental_app.schemas.people import LinkUse
from rental_app.services import audit, throttle
from rental_app.services.accounts import proofs, second_step, sessions
from rental_app.services.accounts.actor import proven_owner
from rental_app.services.accounts.proofs import Proven, Purpose
from rental_app.services.throttle import Caller

# What a link is about was written in the same transaction, a moment earlier.
JUST_BEFORE = timedelta(minutes=1)
TAKEN_OFF = (
    "What was added is taken off again, and everybody is logged out. Set a new password now: somebody else knows yours."
)


@even_if_read_only
def not_me(session: Session, caller: Caller, form: LinkUse) -> str:
    """Take off what was added to an account since a message about it, by the link in that. Raises `link_invalid`."""
    throttle.count("reset", caller)
    proven = proofs.redeem(session, Purpose.NOT_ME, form.token)
    user = session.get_one(User, proven.user_id)
    user.phone_number = proven.payload.get("phone_number", user.phone_number)
    by_link(session, user, proven)
    who = proven_owner(user, caller)
    audit.record(session, who, Act.ADDITIONS_TAKEN_OFF, ("user", who.id))
    return TAKEN_OFF


def by_link(session: Session, user: User, proven: Proven) -> None:
    """Take off what an account got since the link was made that its owner has used now.

    Other ways back of the same owner stay, in whatever order they are used; a thief's own, sent to the thief's address
    after the owner's, end with the owner's, and never end that.
    """
    proofs.end_ways_back(session, user.id or 0, proven.made_at, proven.payload.get("email", ""))
    take_off(session, user, proven.made_at - JUST_BEFORE)


def take_off(session: Session, user: User, since: datetime) -> None:
    """Take off what lets somebody into an account that it got since an instant (UTC), and end what is open.

    What is not older goes: app, passkeys, recovery codes, members, calendar addresses; its number's confirmation,
    every passkey of an account that the password alone opens, and the devices that are known, too. Sessions, links and
    codes end, save ways back, and a recovery, which tells where it is stopped. An older second step is the owner's.
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
    session.execute(delete(IcalFeed).where(col(IcalFeed.vendor_id) == user_id, col(IcalFeed.created_at) >= since))


def hand_over(session: Session, user: User) -> None:
    """Give an account whose e-mail nobody had confirmed to whoever reads that, with nothing that was set before.

    Somebody else may have signed up with the address: what lets them in goes, and what leads money to them.
    """
    proofs.end_all(session, user.id or 0)
    take_off(session, user, user.created_at)
    user.upi_id = user.bank_name = user.bank_account_no = user.bank_ifsc = ""
    session.execute(delete(Member).where(col(Member.user_id) == user.id))
    session.flush()
