"""The text of a page's address."""

import reflex as rx

from rental_app.domain.errors import NotFoundError
from rental_app.web.screens.texts import presenter
from rental_app.web.screens.texts.presenter import TextView
from rental_app.web.session.address import address_part, here
from rental_app.web.session.base import caller_of, read
from rental_app.web.session.handlers import action


class TextState(rx.State):
    """A version of the terms, or a post; neither shown nor missing while it loads."""

    shown: TextView | None = None
    missing: bool = False
    asked_url: str = ""

    @action
    async def load_terms(self) -> None:
        """Show the terms in force, or the version that the address names."""
        self.asked_url, self.missing, self.shown = here(self), False, None
        version = address_part(self, 1)
        try:
            self.shown = await read(presenter.terms, caller_of(self), version)
        except NotFoundError:
            self.missing = True

    @action
    async def load_post(self) -> None:
        """Show the post of the address."""
        self.asked_url, self.missing, self.shown = here(self), False, None
        self.shown = await read(presenter.post, caller_of(self), address_part(self))
