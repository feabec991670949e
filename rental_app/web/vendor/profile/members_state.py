"""The people who work for a vendor, and those who are invited to."""

from collections.abc import AsyncIterator
from typing import Any

from rental_app.domain.errors import RentalError
from rental_app.schemas.accounts import InvitationRequest, RoleRequest
from rental_app.schemas.validation import validated
from rental_app.services.accounts import members
from rental_app.services.accounts.actor import Actor
from rental_app.web.session.base import PrivateState, read, removed, write
from rental_app.web.session.events import close_dialog, focus, open_dialog, set_value, success_toast
from rental_app.web.session.handlers import form_handler
from rental_app.web.session.vendor_auth import vendor_action, vendor_change, vendor_load
from rental_app.web.vendor.profile.presenter import InvitationRow, MemberRow, invitation_row, member_row

EMAIL, REMOVE = "member-email", "remove-member"


class MembersState(PrivateState):
    """A vendor's members and open invitations, and the member being asked about."""

    rows: list[MemberRow] = []
    invitations: list[InvitationRow] = []
    loaded: bool = False
    busy: bool = False
    problem: str = ""
    # Why somebody was not invited.
    refusal: str = ""
    asked_id: int = 0
    asked_name: str = ""

    @vendor_load
    async def load(self, actor: Actor) -> None:
        """Show the vendor's people, and clear an earlier refusal."""
        self.refusal = ""
        await self._show(actor)

    @vendor_change
    @form_handler()
    async def invite(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Invite whoever has an e-mail address; a refusal is shown beside it."""
        fields = {"email": form.get("email") or "", "role": form.get("role") or ""}
        invited = await write(members.invite, actor, validated(InvitationRequest, fields))
        yield set_value(EMAIL, "")
        yield success_toast(members.SENT.format(email=invited.email))
        await self._show(actor)

    @vendor_change
    async def send_again(self, actor: Actor, invitation: int) -> AsyncIterator[Any]:
        """Send an invitation again; the earlier link stops working."""
        if row := next((row for row in self.invitations if row.id == invitation), None):
            request = InvitationRequest(email=row.email, role=row.role)
            sent = await write(members.invite, actor, request)
            yield success_toast(members.SENT.format(email=sent.email))
        await self._show(actor)

    @vendor_change
    async def cancel(self, actor: Actor, invitation: int) -> AsyncIterator[Any]:
        """Cancel an invitation."""
        yield await removed(members.cancel, actor, invitation)
        yield focus(EMAIL)
        await self._show(actor)

    @vendor_change
    async def change_role(self, actor: Actor, member: int, role: str) -> AsyncIterator[Any]:
        """Let a member do more or less."""
        try:
            await write(members.change_role, actor, member, validated(RoleRequest, {"role": role}))
            yield success_toast(members.CHANGED)
        finally:
            # The drop-down shows what is so, even if it was refused.
            await self._show(actor)

    @vendor_action
    async def ask(self, _actor: Actor, member: int) -> AsyncIterator[Any]:
        """Ask before somebody is removed."""
        if row := next((row for row in self.rows if row.id == member), None):
            self.asked_id, self.asked_name = row.id, row.name
            yield open_dialog(REMOVE)

    @vendor_change
    async def remove(self, actor: Actor) -> AsyncIterator[Any]:
        """Remove the member asked about."""
        toast = await removed(members.remove, actor, self.asked_id)
        yield close_dialog(REMOVE)
        yield toast
        await self._show(actor)

    async def _show(self, actor: Actor) -> None:
        team = await read(members.of_vendor, actor)
        self.rows = [member_row(member) for member in team.members]
        self.invitations = [invitation_row(invitation) for invitation in team.invitations]
        self.loaded, self.problem = True, ""

    def _begins(self, _form: object) -> bool:
        self.refusal = ""
        return True

    async def _refused(self, error: RentalError) -> AsyncIterator[Any]:
        self.refusal = error.fields.get("email", error.message)
        yield focus(EMAIL)
        raise error
