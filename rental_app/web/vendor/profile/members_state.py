"""The people who answer requests and hand vehicles over for a vendor."""

from collections.abc import AsyncIterator
from typing import Any

from rental_app.domain.errors import RentalError
from rental_app.schemas.accounts import MemberRequest
from rental_app.schemas.validation import validated
from rental_app.services.accounts import members
from rental_app.services.accounts.actor import Actor
from rental_app.web.session.base import PrivateState, read, removed, write
from rental_app.web.session.events import close_dialog, focus, open_dialog, set_value, success_toast
from rental_app.web.session.vendor_auth import vendor_action, vendor_change, vendor_load
from rental_app.web.vendor.profile.presenter import MemberRow, member_row

EMAIL, REMOVE = "member-email", "remove-member"


class MembersState(PrivateState):
    """A vendor's members, and the one being asked about."""

    rows: list[MemberRow] = []
    loaded: bool = False
    problem: str = ""
    # Why somebody was not added.
    refusal: str = ""
    asked_id: int = 0
    asked_name: str = ""

    @vendor_load
    async def load(self, actor: Actor) -> None:
        """Show the vendor's members, and clear an earlier refusal."""
        self.refusal = ""
        await self._show(actor)

    @vendor_change
    async def add(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Add the person with an e-mail address; a refusal is shown beside it."""
        self.refusal = ""
        try:
            request = validated(MemberRequest, {"email": form.get("email") or ""})
            member = await write(members.add, actor, request)
        except RentalError as error:
            self.refusal = error.fields.get("email", error.message)
            yield focus(EMAIL)
            raise
        yield set_value(EMAIL, "")
        yield success_toast(members.ADDED.format(email=member.email))
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
        self.rows = [member_row(member) for member in await read(members.of_vendor, actor)]
        self.loaded, self.problem = True, ""
