"""People who work for a vendor, and the invitations by which they come to."""

from typing import Annotated

from rental_app.api.dependencies import (
    NEVER_CACHED,
    CallRouter,
    CurrentActor,
    CurrentStaff,
    CurrentVendor,
    PerhapsActor,
    id_of,
    refusals,
)
from rental_app.api.idempotency import OnlyOnce, OnlyOnceWithPassword
from rental_app.infrastructure.db import read, write
from rental_app.schemas.accounts import (
    InvitationAnswer,
    InvitationRequest,
    MemberAnswer,
    MembersAnswer,
    RoleRequest,
    WorkOfferAnswer,
)
from rental_app.schemas.sign_in import LinkUse
from rental_app.schemas.wire import Answer, Id
from rental_app.services.accounts import members

router = CallRouter(prefix="/api/vendor/members", tags=["vendor"])
invited = CallRouter(prefix="/api/members", tags=["account"])
MemberId = Annotated[Id, id_of("member's account")]


@router.get("", responses=refusals(401, 403, 429))
def mine(actor: CurrentVendor) -> MembersAnswer:
    """The people who work for the vendor, and the invitations that nobody has accepted yet."""
    team = read(members.of_vendor, actor)
    return MembersAnswer(members=team.members, invitations=team.invitations)


@router.post("", responses=refusals(400, 401, 403, 409, 429))
def invite(actor: CurrentVendor, body: InvitationRequest, once: OnlyOnce) -> InvitationAnswer:
    """Invite somebody to work for the vendor, at the counter or as a manager, by a link sent to their email.

    The answer is the same whether or not the address has an account. The link works once, for 7 days, in the account
    whose confirmed email it was sent to. Another invitation to the same address replaces the earlier one.
    """
    return once(
        lambda made: InvitationAnswer(message=members.SENT.format(email=made.email), invitation=made),
        members.invite,
        actor,
        body,
    )


@router.delete("/invitations/{invitation_id}", responses=refusals(401, 403, 404, 429))
def cancel(actor: CurrentVendor, invitation_id: Annotated[Id, id_of("invitation")]) -> Answer:
    """Cancel an invitation that nobody has accepted: its link stops working."""
    return Answer(message=write(members.cancel, actor, invitation_id))


@router.put("/{member_id}", responses=refusals(400, 401, 403, 404, 429))
def change_role(actor: CurrentVendor, member_id: MemberId, body: RoleRequest) -> MemberAnswer:
    """Let a member do more or less, effective from their next call. Whoever stops managing leaves no calendar address
    behind that they made.
    """
    return MemberAnswer(message=members.CHANGED, member=write(members.change_role, actor, member_id, body))


@router.delete("/{member_id}", responses=refusals(401, 403, 404, 429))
def remove(actor: CurrentStaff, member_id: MemberId) -> Answer:
    """Remove a member, who can do nothing for the vendor from then on. A member may remove themselves.

    The calendar addresses that they made stop working.
    """
    return Answer(message=write(members.remove, actor, member_id))


@invited.post("/invitation", responses=refusals(400, 429), dependencies=[NEVER_CACHED])
def offer(body: LinkUse, caller: PerhapsActor) -> WorkOfferAnswer:
    """Who invites, and to what, by the token of an invitation (400 `link_invalid`); this accepts nothing."""
    return WorkOfferAnswer(invitation=read(members.offer, caller, body))


@invited.post("/accept", responses=refusals(400, 401, 403, 409, 429))
def accept(actor: CurrentActor, body: LinkUse, once: OnlyOnceWithPassword) -> WorkOfferAnswer:
    """Work for the vendor who has invited this account's confirmed email, by the token of the invitation.

    400 `link_invalid`: it was used, replaced or cancelled, is older than 7 days, or its vendor is blocked. 403
    `other_account`: it was sent to another address; `confirm_email_first`: the account's email is not confirmed. 409
    `already_member`: of a vendor; `has_business`: vendors and operators cannot.
    """
    return once(
        lambda accepted: WorkOfferAnswer(message=members.JOINED.format(vendor=accepted.vendor), invitation=accepted),
        members.accept,
        actor,
        body,
    )
