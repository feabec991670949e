"""One search for everything: a reference, an RC number, a mobile number, a name."""

from typing import NamedTuple

from sqlmodel import Session

from rental_app.services.accounts import operators
from rental_app.services.accounts.actor import Actor
from rental_app.services.console import reading
from rental_app.services.console.reading import Wanted

# Where is looked, and which of two lists that have as much is shown.
LISTS = ("people", "bookings", "listings")


class Hit(NamedTuple):
    """The list in which something was found, and the id of the only row, 0 if there are several or none."""

    table: str
    row: int


def search(session: Session, actor: Actor, text: str) -> Hit:
    """Where a text was found: in the first list with a single row for it, else in the first with any.

    Raises ForbiddenError.
    """
    operators.enter(actor)
    pages = {name: reading.page(session, actor, name, Wanted(q=text, limit=2)) for name in LISTS}
    single = next((Hit(name, page.rows[0].id) for name, page in pages.items() if page.found == 1), None)
    return single or Hit(next((name for name, page in pages.items() if page.found), LISTS[0]), 0)
