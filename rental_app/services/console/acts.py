"""The acts that the console's tables offer, and the version of a row that each of them names."""

from sqlmodel import Session

from rental_app.domain.errors import NotFoundError
from rental_app.services.accounts import operators
from rental_app.services.accounts.actor import Actor
from rental_app.services.console import lists, tables
from rental_app.services.console.table import Decision
from rental_app.services.operating import versions


def act(session: Session, actor: Actor, name: str, action: str, decision: Decision) -> str:
    """Do what a button of a row says; returns what was done, in words. Raises what the act does, and NotFoundError."""
    operators.enter(actor)
    table = tables.named(name)
    chosen = next((each for each in table.every_action if each.name == action), None)
    if chosen is None:
        raise NotFoundError("There is no such button", code="unknown_action")
    names = {each.name for each in chosen.asks}
    answers = {key: value for key, value in decision.answers.items() if key in names}
    if chosen.carries:
        row = lists.one(session, actor, name, decision.row)
        answers |= {each.name: lists.written(table.column(each.column), row) for each in chosen.carries}
    return chosen.do(session, actor, decision._replace(answers=answers))


def choices(session: Session, actor: Actor, name: str, action: str) -> dict[str, list[tuple[str, str]]]:
    """What may be chosen in the fields of an action's question, by the names of these: values and what they are called.

    Raises ForbiddenError.
    """
    operators.enter(actor)
    chosen = next((each for each in tables.named(name).every_action if each.name == action), None)
    asks = chosen.asks if chosen else ()
    return {each.name: list(each.choices(session)) for each in asks if each.choices}


def meaning(session: Session, actor: Actor, name: str, action: str, row_id: int) -> str:
    """What an action would do to a row as it is now, in words; '' for what says so itself. Raises ForbiddenError."""
    operators.enter(actor)
    means = next((each.means for each in tables.named(name).actions if each.name == action), None)
    return means(session, row_id) if means else ""


def version(session: Session, actor: Actor, name: str, row_id: int) -> str:
    """The version of a row as it is now; '' for one of a table without versions. Raises ForbiddenError."""
    operators.enter(actor)
    return versions.version_of(session, name, row_id) if tables.named(name).versioned else ""
