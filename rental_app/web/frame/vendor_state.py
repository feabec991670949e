"""What the frame around every vendor page shows of the vendor."""

from collections.abc import AsyncIterator
from typing import Any

import reflex as rx

from rental_app.domain.characters import initials
from rental_app.domain.errors import ForbiddenError, InvalidInputError, NotAuthenticatedError
from rental_app.domain.uploads import AVATAR
from rental_app.infrastructure.db import run
from rental_app.schemas.uploads import uploads_of
from rental_app.services.accounts import members, profile
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import lists
from rental_app.services.files import storage, uploads
from rental_app.services.fleet import papers
from rental_app.web.parts.sent_form.state import SentForm
from rental_app.web.session.base import PrivateState, read, write
from rental_app.web.session.events import close_dialog, redirect, success_toast
from rental_app.web.session.handlers import action, form_handler
from rental_app.web.session.vendor_auth import acting_staff, staff_change, vendor_action, vendor_change

PICTURE, LEAVE = "picture", "leave-vendor"


class ShellState(SentForm, PrivateState):
    """The vendor's picture, and the initials in its place; for a member, whose business this is; what waits."""

    image: str = ""
    initials: str = ""
    employer: str = ""
    # How many wait for an answer, beside the link to them.
    requests: int = 0
    # How many vehicles have a document that runs out, for those who renew it.
    documents: int = 0

    @action
    async def load(self) -> None:
        """Show the vendor's picture, and nobody else's."""
        try:
            actor = await acting_staff(self)
        except (NotAuthenticatedError, ForbiddenError):
            # The page's gate redirects them; what the vendor before them left must go.
            if self.image or self.initials or self.employer or self.requests or self.documents:
                self.reset()
            return
        await self._show(actor)

    @vendor_action
    async def begin(self, _actor: Actor) -> None:
        """Clear earlier refusals when the picture's dialog is opened."""
        self.errors = {}

    @vendor_change
    @form_handler(alone=False)
    async def submit(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Set the picture chosen in the dialog as the vendor's."""
        chosen = uploads_of(form).get(AVATAR)
        if not chosen:
            raise InvalidInputError("Choose a picture first", fields={AVATAR: "Choose a picture first"})
        await run(storage.remove, await write(uploads.claim_avatar, actor, chosen[-1].id))
        yield
        await self._show(actor)
        self.errors = {}
        self.round += 1
        yield close_dialog(PICTURE)
        yield success_toast(profile.PICTURE_UPDATED)

    @staff_change
    async def leave(self, actor: Actor) -> AsyncIterator[Any]:
        """Remove a member from the vendor's business, at their own wish."""
        message = await write(members.remove, actor, actor.id)
        yield close_dialog(LEAVE)
        yield success_toast(message)
        yield redirect("/", replace=True)

    async def _show(self, actor: Actor) -> None:
        self.employer = await read(members.employer, actor)
        await count_requests(self, actor)
        self.documents = await read(papers.vehicles_with_expiring, actor)
        user = await read(profile.profile, actor)
        self.image, self.initials = user.image, initials(user.name)


async def count_requests(state: rx.State, actor: Actor) -> int:
    """Count what waits for an answer, show it beside the menu's link, and return it."""
    shell = await state.get_state(ShellState)
    shell.requests = await read(lists.unanswered, actor)
    return shell.requests
