"""A vendor's members as texts."""

from pydantic import BaseModel

from rental_app.rules import clock
from rental_app.schemas.members import MemberView


class MemberRow(BaseModel):
    """Somebody who answers requests and hands vehicles over."""

    id: int
    name: str
    email: str
    since: str


def member_row(member: MemberView) -> MemberRow:
    """What a vendor reads about a member."""
    since = f"since {clock.indian(member.since):%-d %b %Y}"
    return MemberRow(id=member.id, name=member.name, email=member.email, since=since)
