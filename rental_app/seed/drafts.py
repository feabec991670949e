"""Vehicles that the demo vendor has begun to list."""

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.models import ListingDraft, User, Vehicle
from rental_app.services.accounts.actor import Actor
from rental_app.services.fleet import drafts


def add_drafts(session: Session, now: datetime, vendor: User) -> None:
    """One like a vehicle of the vendor's, with its number, and one hardly begun."""
    own = select(col(Vehicle.id)).where(col(Vehicle.vendor_id) == vendor.id).order_by(col(Vehicle.id)).limit(1)
    actor = Actor("", vendor.id or 0, vendor.role, jti="")
    begun = [
        drafts.begin(session, actor, {"color": "Grey"}),
        drafts.begin(session, actor, {"rc_number": "TS09FD4417"}, session.scalars(own).one()),
    ]
    for days, draft in zip((6, 1), begun, strict=True):
        row = session.get_one(ListingDraft, draft.id)
        row.created_at = row.saved_at = now - timedelta(days=days)
