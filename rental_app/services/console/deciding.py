"""The way from a button's answers to the service that decides."""

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel
from sqlmodel import Session

from rental_app.schemas.validation import validated
from rental_app.services.accounts.actor import Actor
from rental_app.services.console.table import ActionField, Decision, Done

# What those read whom a decision concerns.
WHY = (ActionField("reason", "Why: those it concerns read it"),)


def by(service: Callable[..., object], shape: type[BaseModel], told: str = "", **fixed: str) -> Done:
    """The act that calls a service with the id of a row and the answers as a shape, `fixed` ones among them.

    What the service returns is said, or else `told`.
    """

    def decide(session: Session, actor: Actor, chosen: Decision) -> str:
        given = {name: answer for name, answer in chosen.answers.items() if answer.strip()}
        seen = {"expected": chosen.seen} if "expected" in shape.model_fields else {}
        request = validated(shape, {**given, **fixed, **seen})
        done: Any = service(session, actor, chosen.row, request)
        return told or str(done)

    return decide
