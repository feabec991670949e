"""Shapes of the people who answer requests and hand vehicles over for a vendor."""

from pydantic import Field

from rental_app.schemas.people import Email
from rental_app.schemas.wire import Answer, IndianTime, ItsId, Wire


class MemberRequest(Wire):
    """The email of a person with an account."""

    email: Email = Field(description="E-mail address")


class MemberView(Wire):
    """A member, by the id of their account; `name` is blank until they have done something for the vendor."""

    id: ItsId
    name: str = Field(description="The member's name, blank until they have done something for the vendor")
    email: str = Field(description="E-mail address")
    since: IndianTime = Field(description="Since when")


class MemberAnswer(Answer):
    """A new member."""

    member: MemberView = Field(description="The member")


class MembersAnswer(Answer):
    """A vendor's members."""

    members: list[MemberView] = Field(description="The members")
