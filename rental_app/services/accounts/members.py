"""People who work for a vendor: invited by e-mail, let in by their own act. Every call looks membership up anew."""

from datetime import timedelta
from typing import Any, NamedTuple

from limits import parse
from sqlalchemy import delete, func, select
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from rental_app.content.messages import INVITED, MEMBER_JOINED
from rental_app.domain.acts import Act
from rental_app.domain.characters import without_links
from rental_app.domain.errors import ConflictError, ForbiddenError, NotFoundError
from rental_app.domain.staff import MemberRole
from rental_app.models import IcalFeed, Member, Proof, User
from rental_app.schemas.accounts import InvitationRequest, InvitationView, MemberView, RoleRequest, WorkOffer
from rental_app.schemas.people import spellings
from rental_app.schemas.sign_in import LinkUse
from rental_app.services import audit, throttle
from rental_app.services.accounts import proofs
from rental_app.services.accounts.actor import (
    Actor,
    lock_account,
    require_own_email,
    require_staff,
    require_vendor,
    takes_part,
)
from rental_app.services.accounts.letters import tell
from rental_app.services.accounts.proofs import ProofContent, Purpose
from rental_app.services.throttle import Caller

# Members and open invitations of one vendor.
MOST = 50
INVITED_FOR = timedelta(days=7)
# Messages to one address, of one vendor and of all: nobody's mailbox is flooded.
OF_ONE, OF_ALL = parse("3 per day"), parse("10 per day")
# The same whether or not the address has an account.
SENT = "An invitation is on its way to {email}: it works for 7 days"
CANCELLED, CHANGED = "Invitation cancelled", "Role changed"
JOINED = "You now work for {vendor}"


class Team(NamedTuple):
    """A vendor's members, the earliest first, and the invitations that can still be accepted."""

    members: list[MemberView]
    invitations: list[InvitationView]


def of_vendor(session: Session, actor: Actor) -> Team:
    """The actor's members and open invitations. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_vendor(actor)
    members = select(Member, User).join(User, col(User.id) == Member.user_id).where(col(Member.vendor_id) == actor.id)
    rows = session.execute(members.order_by(col(Member.added_at), col(Member.user_id))).all()
    invitations = proofs.open_of(session, Purpose.INVITATION, actor.id)
    return Team([_view(*row) for row in rows], [_invitation(proof) for proof in invitations])


def invite(session: Session, actor: Actor, request: InvitationRequest) -> InvitationView:
    """Invite somebody by e-mail to work for the actor; an earlier invitation to the same address ends.

    Says nothing about who has an account: that is looked at when the invitation is accepted. Raises ForbiddenError (not
    a vendor), ConflictError (`own_email`, `already_member` of the actor's own, `too_many_members`) and
    TooManyRequestsError.
    """
    throttle.count("member", actor)
    require_vendor(actor)
    lock_account(session, actor)
    vendor = session.get_one(User, actor.id)
    _require_other(session, vendor, request.email)
    for limit, key in ((OF_ONE, (request.email, actor.account)), (OF_ALL, (request.email,))):
        throttle.hit(limit, "invitation", *key)
    proof = proofs.open_proof(
        session, Purpose.INVITATION, actor.id, INVITED_FOR, {"role": request.role}, about=request.email
    )
    _require_few(session, actor)
    tell(
        session,
        INVITED[request.role],
        actor.id,
        proof_id=proof.id,
        to=request.email,
        note=without_links(vendor.name),
    )
    after = {"email": request.email, "role": request.role}
    audit.record(session, actor, Act.MEMBER_INVITED, ("user", actor.id), after=after)
    return _invitation(proof)


def _require_other(session: Session, vendor: User, email: str) -> None:
    """Raise ConflictError for an address that the vendor knows already: their own, or one of their members'."""
    if vendor.email in spellings(email):
        message = "This is your own email"
        raise ConflictError(message, code="own_email", fields={"email": message})
    same = (col(Member.vendor_id) == vendor.id, col(User.email).in_(spellings(email)))
    if session.execute(select(col(Member.user_id)).join(User, col(User.id) == Member.user_id).where(*same)).first():
        message = "This person works for you already"
        raise ConflictError(message, code="already_member", fields={"email": message})


def _require_few(session: Session, actor: Actor) -> None:
    count = select(func.count()).select_from(Member).where(col(Member.vendor_id) == actor.id)
    invited = len(proofs.open_of(session, Purpose.INVITATION, actor.id))
    if session.execute(count).scalar_one() + invited > MOST:
        message = f"You have {MOST} members and open invitations, which is the limit: remove one first"
        raise ConflictError(message, code="too_many_members")


def cancel(session: Session, actor: Actor, invitation_id: int) -> str:
    """End one of the actor's open invitations; returns a message for them. Raises ForbiddenError and NotFoundError."""
    throttle.count("change", actor)
    require_vendor(actor)
    is_open = any(proof.id == invitation_id for proof in proofs.open_of(session, Purpose.INVITATION, actor.id))
    if not is_open or not proofs.use_up(session, invitation_id, actor.id):
        raise NotFoundError("There is no such invitation", code="unknown_invitation")
    audit.record(session, actor, Act.INVITATION_CANCELLED, ("user", actor.id))
    return CANCELLED


def offer(session: Session, caller: Caller, form: LinkUse) -> WorkOffer:
    """Who invites, and to what, by the link in the message; nothing is accepted by that. Raises `link_invalid`."""
    throttle.count("lookup", caller)
    proven = proofs.find(session, Purpose.INVITATION, form.token)
    vendor = _inviting(session, proven)
    return WorkOffer(vendor=vendor.name, role=_role(proven), expires_at=proven.made_at + INVITED_FOR)


def accept(session: Session, actor: Actor, form: LinkUse) -> WorkOffer:
    """Become a member of the vendor who has invited the actor's confirmed e-mail; returns what was accepted.

    Raises `link_invalid` (used, replaced, cancelled, older than 7 days, or its vendor is blocked), ForbiddenError
    (`other_account`; `confirm_email_first`) and ConflictError (`has_business` for vendors and operators,
    `already_member`).
    """
    throttle.count("reset", actor)
    # Two invitations that are accepted at once are accepted one after the other.
    lock_account(session, actor)
    proven = proofs.redeem(session, Purpose.INVITATION, form.token)
    vendor, user = _inviting(session, proven), session.get_one(User, actor.id)
    if user.email not in spellings(proven.about):
        message = "This invitation is for another email: log in with the account it was sent to"
        raise ForbiddenError(message, code="other_account", fields={"token": message})
    require_own_email(session, actor)
    if actor.role != "Customer":
        message = "Accounts that have a business or run this shop cannot work for a vendor: use another one"
        raise ConflictError(message, code="has_business", fields={"token": message})
    member = Member(user_id=actor.id, vendor_id=vendor.id or 0, role=_role(proven))
    if session.get(Member, actor.id):
        raise _taken()
    session.add(member)
    try:
        session.flush()
    except IntegrityError:
        raise _taken() from None
    tell(session, MEMBER_JOINED, vendor.id, note=user.email)
    audit.record(session, actor, Act.MEMBER_JOINED, ("user", vendor.id or 0), after={"role": member.role})
    return WorkOffer(vendor=vendor.name, role=_role(proven), expires_at=proven.made_at + INVITED_FOR)


def _inviting(session: Session, proven: ProofContent) -> User:
    """The vendor of an invitation; raises `link_invalid` for one who is blocked or gone."""
    whose = (col(User.id) == proven.user_id, col(User.role) == "Vendor", *takes_part())
    vendor = session.scalars(select(User).where(*whose)).first()
    if vendor is None:
        raise proofs.link_invalid()
    return vendor


def _role(proven: ProofContent) -> MemberRole:
    return MemberRole(proven.payload["role"])


def _taken() -> ConflictError:
    message = "You work for a vendor already: stop there first, beside your name in their pages"
    return ConflictError(message, code="already_member", fields={"token": message})


def change_role(session: Session, actor: Actor, user_id: int, request: RoleRequest) -> MemberView:
    """Let a member do more or less from their next call or event on.

    Whoever manages no longer leaves no calendar address behind. Raises ForbiddenError and NotFoundError.
    """
    throttle.count("change", actor)
    require_vendor(actor)
    own = (col(Member.user_id) == user_id, col(Member.vendor_id) == actor.id)
    member = session.scalars(select(Member).where(*own).with_for_update()).first()
    if member is None:
        raise _unknown()
    before, after = {"role": member.role}, {"role": request.role}
    member.role = request.role
    if member.role != MemberRole.MANAGER:
        _end_feeds(session, actor, user_id)
    audit.record(session, actor, Act.MEMBER_CHANGED, ("user", user_id), before=before, after=after)
    session.flush()
    return _view(member, session.get_one(User, user_id))


def remove(session: Session, actor: Actor, user_id: int) -> str:
    """Remove a member, effective from their next call or event; members may also remove themselves.

    The calendar addresses that they made end. Returns a message for the actor. Raises ForbiddenError and NotFoundError
    (no such member).
    """
    throttle.count("change", actor)
    require_staff(actor)
    gone = delete(Member).where(col(Member.user_id) == user_id, col(Member.vendor_id) == actor.vendor)
    if not actor.is_vendor:
        gone = gone.where(col(Member.user_id) == actor.id)
    done: Any = session.execute(gone)
    if not done.rowcount:
        raise _unknown()
    _end_feeds(session, actor, user_id)
    audit.record(session, actor, Act.MEMBER_REMOVED if actor.is_vendor else Act.MEMBER_LEFT, ("user", user_id))
    return "Member removed" if actor.is_vendor else "You no longer work for this vendor"


def _end_feeds(session: Session, actor: Actor, user_id: int) -> None:
    """End the calendar addresses of the vendor's that a member has been shown."""
    shown = (col(IcalFeed.vendor_id) == actor.vendor, col(IcalFeed.made_by) == user_id)
    session.execute(delete(IcalFeed).where(*shown))


def employer(session: Session, actor: Actor) -> str:
    """The name of the vendor a member works for; '' for a vendor. Raises ForbiddenError."""
    throttle.count("look", actor)
    require_staff(actor)
    return "" if actor.is_vendor else session.get_one(User, actor.vendor).name


def _unknown() -> NotFoundError:
    return NotFoundError("There is no such member", code="unknown_member")


def _view(member: Member, user: User) -> MemberView:
    return MemberView(
        id=member.user_id, name=user.name, email=user.email, role=MemberRole(member.role), since=member.added_at
    )


def _invitation(proof: Proof) -> InvitationView:
    role = MemberRole(proof.payload["role"])
    return InvitationView(id=proof.id or 0, email=proof.about, role=role, expires_at=proof.expires_at)
