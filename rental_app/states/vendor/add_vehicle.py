"""Add New Vehicle."""

from collections.abc import AsyncIterator
from typing import Any

from rental_app.errors import ForbiddenError, NotAuthenticatedError, RentalError
from rental_app.services import accounts
from rental_app.states.base import PrivateState, action, read
from rental_app.states.events import error_toast, success_toast
from rental_app.states.vendor.gate import acting_vendor
from rental_app.states.vendor.vehicle_form import VehicleForm, message_of


class AddVehicleState(VehicleForm, PrivateState):
    """The form for a new vehicle; its files and its answer travel between browser and REST edge."""

    # A vehicle stands at its vendor's service location: without one it cannot be listed.
    homeless: bool = False
    # The key under which the browser's tab keeps what this vendor has typed.
    draft: str = ""
    opened: int = 0
    problem: str = ""

    @action
    async def load(self) -> AsyncIterator[Any]:
        """Fill the drop-downs; after a lost connection what was chosen stays."""
        try:
            actor = await acting_vendor(self)
            self.homeless = not (await read(accounts.profile, actor)).service_location
        except (NotAuthenticatedError, ForbiddenError):
            raise
        except RentalError as error:
            self.problem = error.message
            raise
        self.draft, self.problem = f"draft-{actor.id}", ""
        for toast in await self._load_lists(actor):
            yield toast

    @action
    async def begin(self) -> None:
        """A fresh form is on show."""
        await acting_vendor(self)
        self._start_again()
        self.opened += 1

    @action
    async def answered(self, answer: dict[str, Any]) -> AsyncIterator[Any]:
        """Show what the server said to the listing; after a success the form starts again."""
        actor = await acting_vendor(self)
        if answer.get("success") is not True:
            self._take_errors(answer)
            yield error_toast(message_of(answer))
            return
        self._start_again()
        yield success_toast(message_of(answer))
        for toast in await self._load_lists(actor):
            yield toast
