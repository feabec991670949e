"""Who acts: the owner of a token, whom they work for, what is theirs, and what only some may do."""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Exists, and_, exists, or_, select
from sqlmodel import Session, col

from rental_app.domain.bookings import TripStage
from rental_app.domain.errors import ConflictError, ForbiddenError, NotFoundError
from rental_app.infrastructure.settings import settings
from rental_app.models import Booking, Columns, User, Vehicle
from rental_app.services.throttle import Caller

VENDORS_ONLY = "Only vendors can do this"
MANAGERS_ONLY = "Only the vendor and their managers can do this"
CUSTOMERS_ONLY = "Only customers have documents here: log in with the account you rent with"
OPERATORS_ONLY = "Only operators can do this"
BLOCKED = "This account is blocked, please contact us. Vehicles that are out can be received, and their trips settled."


@dataclass(frozen=True, slots=True)
class Actor(Caller):
    """The user a token identifies, and the address it came from; `employer` is the vendor they are a member of."""

    id: int
    role: str
    jti: str
    employer: int = 0
    # Whether they manage their employer's business, instead of working at its counter alone.
    manages: bool = False
    # Whether a code alone opened their session.
    by_code: bool = False
    # Whether the second step was given in their session.
    gave_second_step: bool = False
    # Whether they are a blocked vendor, who finishes the trips that are under way and does nothing else.
    is_blocked: bool = False

    @property
    def account(self) -> str:
        """The account's id, for rate limits."""
        return str(self.id)

    @property
    def is_vendor(self) -> bool:
        """Whether they have a business here."""
        return self.role == "Vendor"

    @property
    def vendor(self) -> int:
        """The vendor whose business they work in: themselves, or their employer; 0 if none."""
        return self.id if self.is_vendor else self.employer

    @property
    def is_manager(self) -> bool:
        """Whether they manage a business here: their own, or their employer's."""
        return self.is_vendor or (self.manages and self.employer != 0)


def require_vendor(actor: Actor) -> None:
    """Raise ForbiddenError for everyone but vendors; it is raised for their members too."""
    if not actor.is_vendor:
        raise _vendors_only()


def require_manager(actor: Actor) -> None:
    """Raise ForbiddenError for everyone but vendors and the members who manage for them (`managers_only`)."""
    if not actor.vendor:
        raise _vendors_only()
    if not actor.is_manager:
        raise ForbiddenError(MANAGERS_ONLY, code="managers_only")


def require_unblocked(actor: Actor) -> None:
    """Raise ForbiddenError (`account_blocked`) for a blocked vendor, who may only finish trips."""
    if actor.is_blocked:
        raise ForbiddenError(BLOCKED, code="account_blocked")


def require_no_operator(actor: Actor) -> None:
    """Raise ForbiddenError (`operators_cannot_book`) for operators, who keep the shop and rent nothing."""
    if actor.role == "Operator":
        raise ForbiddenError("Operators cannot book", code="operators_cannot_book")


def require_confirmed_email(session: Session, actor: Actor) -> None:
    """Raise ForbiddenError (`email_unverified`) if booking takes a confirmed e-mail and the actor's is not."""
    if settings().email_needed_for == "booking" and not has_confirmed_email(session, actor.id):
        message = (
            "Please confirm your email first: press the button in our message, or have it sent again under Account"
        )
        raise ForbiddenError(message, code="email_unverified")


def require_own_email(session: Session, actor: Actor) -> None:
    """Raise ForbiddenError (`confirm_email_first`) unless the actor has confirmed the account's e-mail.

    Somebody who signed up with another person's address cannot add what the owner of the mailbox could not remove.
    """
    if not has_confirmed_email(session, actor.id):
        message = "Confirm your email first: press the button in our message, or have it sent again under Account"
        raise ForbiddenError(message, code="confirm_email_first")


def has_confirmed_email(session: Session, user_id: int) -> bool:
    """Whether an account's e-mail is read by its owner."""
    statement = select(col(User.email_verified_at)).where(col(User.id) == user_id)
    return session.execute(statement).scalar_one() is not None


def lock_account(session: Session, actor: Actor) -> None:
    """Make other calls by the same actor wait until the end of the transaction, for example so that a count stays true.

    Logins, whose rows refer to the account, do not wait.
    """
    session.execute(_locked(actor.id))


def lock_business(session: Session, actor: Actor) -> None:
    """Make other calls by anybody of the same business wait, as `lock_account` does."""
    session.execute(_locked(actor.vendor))


def _locked(user_id: int) -> Columns:
    return select(col(User.id)).where(col(User.id) == user_id).with_for_update(key_share=True)


def require_customer(actor: Actor) -> None:
    """Raise ForbiddenError (`customers_only`) for vendors and operators, who rent nothing."""
    if actor.role != "Customer":
        raise ForbiddenError(CUSTOMERS_ONLY, code="customers_only")


def require_staff(actor: Actor) -> None:
    """Raise ForbiddenError for everyone but vendors and their members."""
    if not actor.vendor:
        raise _vendors_only()


def proven_owner(user: User, caller: Caller) -> Actor:
    """The owner of an account who has just proved it, by a password or a link."""
    return Actor(caller.address, user.id or 0, user.role, jti="", request_id=caller.request_id)


def at_the_machine() -> Actor:
    """The operator who runs a command on the machine itself, without an account."""
    return Actor(address="", id=0, role="Operator", jti="")


def require_operator(actor: Actor) -> None:
    """Raise ForbiddenError for everyone but operators."""
    if actor.role != "Operator":
        raise ForbiddenError(OPERATORS_ONLY, code="operators_only")


def require_confirmed_password(actor: Actor) -> None:
    """Raise ForbiddenError (`confirm_password`) in a session that a code opened, until the password is given in it."""
    if actor.by_code:
        message = "You have logged in with a code: please enter your password first, under Account"
        raise ForbiddenError(message, code="confirm_password")


def _vendors_only() -> ForbiddenError:
    return ForbiddenError(VENDORS_ONLY, code="vendors_only")


def own_ids(actor: Actor) -> Columns:
    """SELECT of the ids of the vehicles of the vendor whom an actor works for, retired ones too."""
    return select(col(Vehicle.id)).where(col(Vehicle.vendor_id) == actor.vendor)


def require_own(session: Session, actor: Actor, *ids: int, lock: bool = False) -> None:
    """Raise NotFoundError unless these vehicles are the vendor's, and ConflictError (`vehicle_retired`) if one of them
    is retired; `lock` them, as their bookings do.
    """
    own = own_ids(actor).where(col(Vehicle.id).in_(ids)).add_columns(col(Vehicle.rc_number), col(Vehicle.retired_at))
    rows = session.execute(own.order_by(col(Vehicle.id)).with_for_update() if lock else own).all()
    if len(rows) != len(set(ids)):
        raise unknown_vehicle()
    if retired := [row.rc_number for row in rows if row.retired_at]:
        raise ConflictError(f"{', '.join(retired)}: bring it back first, it is retired", code="vehicle_retired")


def unknown_vehicle() -> NotFoundError:
    """The error for a vehicle that does not exist, or is somebody else's."""
    return NotFoundError("There is no such vehicle", code="unknown_vehicle")


def in_good_standing() -> list[ColumnElement[bool]]:
    """SQL conditions: an account that is neither blocked nor deleted."""
    return [col(User.status) == "active", col(User.is_deleted).is_(False)]


def takes_part() -> list[ColumnElement[bool]]:
    """SQL conditions: an account in good standing that does not wait to be erased: it is shown, told and worked for."""
    return [*in_good_standing(), col(User.erase_asked_at).is_(None)]


def may_log_in() -> list[ColumnElement[bool]]:
    """SQL conditions: an account in good standing, or a blocked vendor's who has trips under way to finish."""
    finishes = and_(col(User.status) == "blocked", col(User.role) == "Vendor", has_trips_under_way())
    return [or_(col(User.status) == "active", finishes), col(User.is_deleted).is_(False)]


def has_trips_under_way() -> Exists:
    """SQL: whether a vehicle of the vendor in a SELECT of users is out, or is back and its account open."""
    own = (col(Vehicle.vendor_id) == User.id, col(Booking.vehicle_id) == Vehicle.id)
    return exists().where(*own, col(Booking.stage).in_((TripStage.OUT, TripStage.RETURNED)))
