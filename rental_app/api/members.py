"""People who answer requests and hand vehicles over for a vendor."""

from typing import Annotated

from rental_app.api.dependencies import CallRouter, CurrentStaff, CurrentVendor, id_of, refusals
from rental_app.api.idempotency import OnlyOnce
from rental_app.infrastructure.db import read, write
from rental_app.schemas.accounts import MemberAnswer, MemberRequest, MembersAnswer
from rental_app.schemas.wire import Answer, Id
from rental_app.services.accounts import members

router = CallRouter(prefix="/api/vendor/members", tags=["vendor"])


@router.get("", responses=refusals(401, 403, 429))
def mine(actor: CurrentVendor) -> MembersAnswer:
    """The people who answer requests and hand vehicles over for the vendor."""
    return MembersAnswer(members=read(members.of_vendor, actor))


@router.post("", responses=refusals(400, 401, 403, 404, 409, 429))
def add(actor: CurrentVendor, body: MemberRequest, once: OnlyOnce) -> MemberAnswer:
    """Let a person with an account answer requests, hand over, receive vehicles and record payments, but no settings.

    They are told by email. Their name is shown once they have done something for the vendor. Somebody who left at
    their own wish is not added again (409 `has_left`).
    """
    return once(
        lambda member: MemberAnswer(message=members.ADDED.format(email=member.email), member=member),
        members.add,
        actor,
        body,
    )


@router.delete("/{member_id}", responses=refusals(401, 403, 404, 429))
def remove(actor: CurrentStaff, member_id: Annotated[Id, id_of("member's account")]) -> Answer:
    """Remove a member, who can do nothing for the vendor from then on. A member may remove themselves."""
    return Answer(message=write(members.remove, actor, member_id))
