"""What the frame around every vendor page shows of the vendor."""

import reflex as rx

from rental_app.errors import ForbiddenError, NotAuthenticatedError
from rental_app.rules.uploads import MAX_FILE_BYTES, MEGABYTE
from rental_app.services import accounts
from rental_app.services.accounts import Actor
from rental_app.states.base import PrivateState, action, read
from rental_app.states.events import success_toast
from rental_app.states.vendor.gate import acting_vendor, vendor_action

MAX_PICTURE_MB = MAX_FILE_BYTES // MEGABYTE


class ShellState(PrivateState):
    """The vendor's picture, and the initials that stand for it."""

    image: str = ""
    initials: str = ""

    @action
    async def load(self) -> None:
        """Show the vendor's picture, and nobody else's."""
        try:
            actor = await acting_vendor(self)
        except (NotAuthenticatedError, ForbiddenError):
            # The page's gate sends them away; what the vendor before them left must go.
            if self.image or self.initials:
                self.reset()
            return
        await self._show(actor)

    @vendor_action
    async def picture_changed(self, actor: Actor) -> rx.event.EventSpec:
        """Fetch the account again after the browser has sent a new picture."""
        await self._show(actor)
        return success_toast("Profile picture updated")

    async def _show(self, actor: Actor) -> None:
        user = await read(accounts.profile, actor)
        self.image, self.initials = user.image, "".join(word[0].upper() for word in user.name.split()[:2])
