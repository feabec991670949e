"""People who answer requests and hand vehicles over for a vendor. Every call looks membership up anew."""

from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from rental_app.content.messages import ADDED_LETTER
from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.errors import ConflictError, NotFoundError
from rental_app.models import Booking, BookingEvent, FormerMember, Member, Outbox, User, Vehicle
from rental_app.schemas.accounts import MemberRequest, MemberView
from rental_app.schemas.people import spellings
from rental_app.services import audit, throttle
from rental_app.services.accounts.actor import Actor, in_good_standing, lock_account, require_staff, require_vendor

MOST = 50
# Without a name: whose account an e-mail address belongs to is for its owner to tell.
ADDED = "{email} can now answer and hand over for you, and is told so by email"


def of_vendor(session: Session, actor: Actor) -> list[MemberView]:
    """The actor's members, the earliest added first. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_vendor(actor)
    members = select(Member, User).join(User, col(User.id) == Member.user_id).where(col(Member.vendor_id) == actor.id)
    rows = session.execute(members.order_by(col(Member.added_at), col(Member.user_id))).all()
    done = (
        select(col(BookingEvent.who_id))
        .distinct()
        .join(Booking, col(Booking.id) == BookingEvent.booking_id)
        .join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
        .join(Member, col(Member.user_id) == BookingEvent.who_id)
        .where(col(Vehicle.vendor_id) == actor.id, col(Member.vendor_id) == actor.id)
        .where(col(BookingEvent.side) == "vendor", col(BookingEvent.at) >= col(Member.added_at))
    )
    active = {*session.scalars(done)}
    return [_view(member, user.email, user.name if user.id in active else "") for member, user in rows]


def add(session: Session, actor: Actor, request: MemberRequest) -> MemberView:
    """Let a person with an account answer requests and hand vehicles over for the actor, effective at once; they are
    told by e-mail.

    Raises ForbiddenError (not a vendor), NotFoundError (nobody has this e-mail) and ConflictError (a vendor, already
    somebody's member, left this vendor before, too many members).
    """
    throttle.count("member", actor)
    require_vendor(actor)
    lock_account(session, actor)
    count = select(func.count()).select_from(Member).where(col(Member.vendor_id) == actor.id)
    if session.execute(count).scalar_one() >= MOST:
        raise ConflictError(f"You have {MOST} members, which is the limit: remove one first", code="too_many_members")
    person = _person(session, request.email)
    if session.get(Member, person.id):
        raise _taken()
    if session.get(FormerMember, (person.id, actor.id)):
        message = "This person chose to stop working for you, and cannot be added again"
        raise ConflictError(message, code="has_left", fields={"email": message})
    member = Member(user_id=person.id or 0, vendor_id=actor.id)
    session.add(member)
    try:
        session.flush()
    except IntegrityError:
        raise _taken() from None
    _tell(session, actor, member.user_id, clock.now())
    audit.record(session, actor, Act.MEMBER_ADDED, ("user", member.user_id))
    return _view(member, person.email, "")


def _tell(session: Session, actor: Actor, person: int, instant: datetime) -> None:
    """Tell a person that they have been added: once a day if they are removed and added again and again."""
    key = f"{ADDED_LETTER} {actor.id} {person} {clock.indian_today(instant)}"
    letter = session.scalars(select(Outbox).where(col(Outbox.key) == key)).first()
    if letter is None:
        vendor = session.get_one(User, actor.id).name
        session.add(Outbox(key=key, kind=ADDED_LETTER, user_id=person, note=vendor, created_at=instant, due_at=instant))
    elif letter.sent_at is None:
        letter.due_at, letter.tries = instant, 0


def remove(session: Session, actor: Actor, user_id: int) -> str:
    """Remove a member, effective from their next call or event; members may also remove themselves.

    Returns a message for the actor. Raises ForbiddenError and NotFoundError (no such member).
    """
    throttle.count("change", actor)
    require_staff(actor)
    gone = delete(Member).where(col(Member.user_id) == user_id, col(Member.vendor_id) == actor.vendor)
    if not actor.is_vendor:
        gone = gone.where(col(Member.user_id) == actor.id)
    done: Any = session.execute(gone)
    if not done.rowcount:
        raise NotFoundError("There is no such member", code="unknown_member")
    if not actor.is_vendor:
        session.merge(FormerMember(user_id=actor.id, vendor_id=actor.vendor))
    audit.record(session, actor, Act.MEMBER_REMOVED if actor.is_vendor else Act.MEMBER_LEFT, ("user", user_id))
    return "Member removed" if actor.is_vendor else "You no longer work for this vendor"


def employer(session: Session, actor: Actor) -> str:
    """The name of the vendor a member works for; '' for a vendor. Raises ForbiddenError."""
    throttle.count("look", actor)
    require_staff(actor)
    return "" if actor.is_vendor else session.get_one(User, actor.vendor).name


def _person(session: Session, email: str) -> User:
    person = session.scalars(
        select(User).where(col(User.email).in_(spellings(email)), *in_good_standing(), ~col(User.is_guest))
    ).first()
    if person is None:
        message = "Nobody has signed up with this email: ask them to create an account first"
        raise NotFoundError(message, code="unknown_person", fields={"email": message})
    if person.role != "Customer":
        message = "This person has a business of their own here"
        raise ConflictError(message, code="is_vendor", fields={"email": message})
    return person


def _taken() -> ConflictError:
    message = "This person works for a vendor already, who has to remove them first"
    return ConflictError(message, code="already_member", fields={"email": message})


def _view(member: Member, email: str, name: str) -> MemberView:
    return MemberView(id=member.user_id, name=name, email=email, since=member.added_at)
