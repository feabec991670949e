"""A vendor's members as texts."""

from pydantic import BaseModel

from rental_app.domain import clock
from rental_app.schemas.members import MemberView


class MemberRow(BaseModel):
    """Somebody who answers requests and hands vehicles over: by name once they have, until then by e-mail address."""

    id: int
    name: str
    about: str


def member_row(member: MemberView) -> MemberRow:
    """What a vendor reads about a member."""
    since = f"since {clock.indian(member.since):%-d %b %Y}"
    if not member.name:
        return MemberRow(id=member.id, name=member.email, about=since.capitalize())
    return MemberRow(id=member.id, name=member.name, about=f"{member.email}, {since}")
