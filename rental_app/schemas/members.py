"""Shapes of the people who answer requests and hand vehicles over for a vendor."""

from rental_app.schemas.people import Email
from rental_app.schemas.wire import Answer, IndianTime, Wire


class MemberRequest(Wire):
    """The email of a person with an account."""

    email: Email


class MemberView(Wire):
    """A member, by the id of their account; `name` is blank until they have done something for the vendor."""

    id: int
    name: str
    email: str
    since: IndianTime


class MemberAnswer(Answer):
    """A new member."""

    member: MemberView


class MembersAnswer(Answer):
    """A vendor's members."""

    members: list[MemberView]
