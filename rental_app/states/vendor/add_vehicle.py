"""Add New Vehicle."""

from collections.abc import AsyncIterator
from typing import Any

from rental_app.services import accounts
from rental_app.services.accounts import Actor
from rental_app.states.base import PrivateState, read
from rental_app.states.events import error_toast, success_toast
from rental_app.states.vendor.gate import vendor_action, vendor_load
from rental_app.states.vendor.vehicle_form import VehicleForm, message_of


class AddVehicleState(VehicleForm, PrivateState):
    """The form for a new vehicle; its files and its answer travel between browser and REST edge."""

    # A vehicle stands at its vendor's service location: without one it cannot be listed.
    homeless: bool = False
    # The key under which the browser's tab keeps what this vendor has typed.
    draft: str = ""
    opened: int = 0
    problem: str = ""

    @vendor_load
    async def load(self, actor: Actor) -> AsyncIterator[Any]:
        """Fill the drop-downs; after a lost connection what was chosen stays."""
        self.homeless = not (await read(accounts.profile, actor)).service_location
        self.draft, self.problem = f"draft-{actor.id}", ""
        for toast in await self._load_lists(actor):
            yield toast

    def _failed(self, message: str) -> None:
        self.problem = message

    @vendor_action
    async def begin(self, _actor: Actor) -> None:
        """A fresh form is on show."""
        self._start_again()
        self.opened += 1

    @vendor_action
    async def answered(self, actor: Actor, answer: dict[str, Any]) -> AsyncIterator[Any]:
        """Show what the server said to the listing; after a success the form starts again."""
        if answer.get("success") is not True:
            self._take_errors(answer)
            yield error_toast(message_of(answer))
            return
        self._start_again()
        yield success_toast(message_of(answer))
        for toast in await self._load_lists(actor):
            yield toast
