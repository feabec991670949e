"""How a customer's own documents stand, for pages on which they are needed."""

from rental_app.domain.errors import RentalError
from rental_app.services.accounts.actor import Actor
from rental_app.services.identity import papers
from rental_app.web.parts.presenters.documents import DocumentsNote, documents_note
from rental_app.web.session.base import read


async def own_documents(actor: Actor, back: str) -> DocumentsNote | None:
    """How the actor's documents stand, on the page at the address `back`; None for whoever has none here.

    A page that they cannot be loaded for does without them.
    """
    try:
        return documents_note(await read(papers.of_actor, actor), back)
    except RentalError:
        return None
