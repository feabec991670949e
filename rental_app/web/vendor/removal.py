"""Removing what a vendor was asked about; another tab may have done so already."""

from collections.abc import Callable

import reflex as rx
from sqlmodel import Session

from rental_app.domain.errors import NotFoundError
from rental_app.services.accounts.actor import Actor
from rental_app.web.session.base import write
from rental_app.web.session.events import refusal_toast, success_toast


async def removed(service: Callable[[Session, Actor, int], str], actor: Actor, number: int) -> rx.event.EventSpec:
    """Remove something by its id; the toast says so, or that there is no such thing: either way it is gone."""
    try:
        return success_toast(await write(service, actor, number))
    except NotFoundError as error:
        return refusal_toast(error)
