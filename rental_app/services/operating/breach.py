"""What an operator needs in the first hours of a data breach, without SQL: whose data it is, and the doors closed."""

from datetime import date, time
from typing import Any

from sqlalchemy import ColumnElement, func, select, update
from sqlmodel import Session, SQLModel, col

from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.counter import NOBODYS_NUMBER
from rental_app.infrastructure.db import even_if_read_only
from rental_app.models import AuditEntry, Booking, IdentityPaper, LoginSession, User, VehicleFile
from rental_app.services import audit
from rental_app.services.accounts.actor import Actor, require_operator

EVERYBODY = 0


def affected(session: Session, actor: Actor, since: date | None) -> dict[str, int]:
    """How many people's data there are, by kind; with a day also what has happened from then on.

    Raises ForbiddenError.
    """
    require_operator(actor)
    there = col(User.is_deleted).is_(False)
    counts = {
        "customers": _many(session, User, there, col(User.role) == "Customer", ~col(User.is_guest)),
        "vendors": _many(session, User, there, col(User.role) == "Vendor"),
        "accounts with a bank account": _many(session, User, there, col(User.bank_account_no) != ""),
        "guests known by name": _many(session, User, col(User.is_guest), col(User.phone_number) != NOBODYS_NUMBER),
        "bookings": _many(session, Booking),
        "customers who have sent documents": _customers_with_documents(session),
        "documents of customers": _many(session, IdentityPaper),
        "documents and photographs of vehicles": _many(session, VehicleFile),
    }
    if since is None:
        return counts
    begin = clock.at(since, time())
    active = select(func.count(col(AuditEntry.user_id).distinct())).where(col(AuditEntry.at) >= begin)
    return counts | {
        f"accounts that did something since {since}": session.execute(active).scalar_one(),
        f"bookings made since {since}": _many(session, Booking, col(Booking.created_at) >= begin),
    }


@even_if_read_only
def end_all_sessions(session: Session, actor: Actor) -> int:
    """End every session of everybody, operators too; returns how many there were. Raises ForbiddenError."""
    require_operator(actor)
    open_ones = (col(LoginSession.revoked_at).is_(None), col(LoginSession.expires_at) > clock.now())
    ended = update(LoginSession).where(*open_ones).values(revoked_at=clock.now()).returning(col(LoginSession.jti))
    many = len(session.execute(ended.execution_options(synchronize_session=False)).all())
    audit.record(session, actor, Act.LOGGED_OUT_EVERYWHERE, ("user", EVERYBODY), about="everybody")
    return many


def _customers_with_documents(session: Session) -> int:
    return int(session.execute(select(func.count(col(IdentityPaper.user_id).distinct()))).scalar_one())


def _many(session: Session, model: type[SQLModel], *which: ColumnElement[bool] | Any) -> int:
    return int(session.execute(select(func.count()).select_from(model).where(*which)).scalar_one())
