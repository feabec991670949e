"""What somebody sees of their own pages, for the operator whom they ask about them. Nobody logs in as somebody else."""

from typing import NamedTuple

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain.acts import Act
from rental_app.domain.errors import NotFoundError
from rental_app.infrastructure.db import even_if_read_only
from rental_app.models import Member, User
from rental_app.schemas.bookings import VendorBookingView
from rental_app.schemas.wire import Page
from rental_app.services import audit
from rental_app.services.accounts import operators
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import lists
from rental_app.services.bookings.lists import ListedBooking

MOST = 20


class Theirs(NamedTuple):
    """Somebody's account, the bookings that they made, and those of the vehicles of the vendor they work for."""

    user: User
    trips: list[ListedBooking]
    requests: list[VendorBookingView]


@even_if_read_only
def look(session: Session, actor: Actor, person_id: int) -> Theirs:
    """What somebody sees on their own pages now; the trail says who looked. Nothing else is written.

    Raises ForbiddenError, and NotFoundError for nobody's account and for guests, who have no pages.
    """
    operators.enter(actor)
    mine = (col(User.id) == person_id, col(User.is_deleted).is_(False), col(User.is_guest).is_(False))
    user = session.scalars(select(User).where(*mine)).first()
    if user is None:
        raise NotFoundError("There is no such account", code="unknown_person")
    employer = session.execute(select(col(Member.vendor_id)).where(col(Member.user_id) == person_id)).scalar()
    they = Actor(address="", id=person_id, role=user.role, jti="", employer=employer or 0)
    page = Page.first(MOST)
    trips = lists.cards_seen_by(session, actor, they, page).items
    requests = lists.seen_by(session, actor, they, page).items if they.vendor else []
    audit.record_look(session, actor, Act.SEEN_AS_THEY, ("user", person_id))
    return Theirs(user, trips, requests)
