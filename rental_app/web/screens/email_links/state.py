"""The pages that links about an e-mail lead to: each acts when its button is pressed, not when it is opened."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import reflex as rx
from sqlmodel import Session

from rental_app.domain.errors import RentalError
from rental_app.schemas.people import LinkUse
from rental_app.schemas.validation import require_filled, validated
from rental_app.services.accounts import emails
from rental_app.services.throttle import Caller
from rental_app.web.session.base import caller_of, write
from rental_app.web.session.events import focus
from rental_app.web.session.handlers import action, change, one_at_a_time

TOKEN = "link-token"  # noqa: S105 - the id of a field


class EmailLinkState(rx.State):
    """What is wrong with a link, and what it did. The token stays in the browser until the button is pressed."""

    busy: bool = False
    refusal: str = ""
    told: str = ""

    @action
    async def begin(self) -> None:
        """Forget what an earlier visit did."""
        self.refusal, self.told = "", ""

    @change
    @one_at_a_time
    async def verify(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Confirm an account's e-mail."""
        async for event in self._use(emails.verify, form):
            yield event

    @change
    @one_at_a_time
    async def confirm(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Change an account's e-mail to the one that the link was sent to."""
        async for event in self._use(emails.confirm, form):
            yield event

    @change
    @one_at_a_time
    async def undo(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Take a change of an account's e-mail back."""
        async for event in self._use(emails.undo, form):
            yield event

    async def _use(
        self, service: Callable[[Session, Caller, LinkUse], str], form: dict[str, Any]
    ) -> AsyncIterator[Any]:
        self.refusal = ""
        yield
        try:
            require_filled(form, ["token"])
            self.told = await write(service, caller_of(self), validated(LinkUse, form))
        except RentalError as error:
            self.refusal = error.fields.get("token", error.message)
            yield focus(TOKEN)
