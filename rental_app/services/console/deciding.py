"""The way from a button's answers to the service that decides."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pydantic import BaseModel
from sqlalchemy import case
from sqlmodel import Session

from rental_app.schemas.validation import validated
from rental_app.services.accounts.actor import Actor
from rental_app.services.console.table import Action, ActionField, Column, Decision, Done, Filter, Option, Sql

OFFERED, RETIRED = "Offered", "Retired"
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


def retiring(make: Callable[..., Done], asks: tuple[ActionField, ...]) -> tuple[Action, ...]:
    """The actions of an entry of the catalogue: change it, retire it, or offer it again; `make` is `by` of one kind."""
    retired = ActionField("retired", "Retired", column="retired")
    return (
        Action("change", "Change", make("Changed"), frozenset({OFFERED, RETIRED}), asks, (retired,)),
        Action("retire", "Retire", make("Retired", retired="true"), frozenset({OFFERED}), (), asks, True),
        Action("offer", "Offer again", make("Offered", retired="false"), frozenset({RETIRED}), (), asks),
    )


def adding(make: Callable[..., Done], label: str, asks: tuple[ActionField, ...]) -> Action:
    """The action that makes a new entry of the catalogue."""
    blank = tuple(replace(each, column="") for each in asks)
    return Action("add", label, make("Added"), frozenset(), blank)


def retired_columns(is_retired: Sql) -> tuple[Column, ...]:
    """Whether an entry of the catalogue is offered, as a state and as its form holds it."""
    return (
        Column(
            "state",
            "State",
            case((is_retired, RETIRED), else_=OFFERED),
            "state",
            tones={OFFERED: "good", RETIRED: "plain"},
        ),
        Column("retired", "Retired", case((is_retired, "true"), else_="false"), listed=False, told=False),
    )


def retired_filter(is_retired: Sql) -> Filter:
    """Entries of the catalogue that are offered, or retired."""
    return Filter(
        "state",
        "State",
        (Option("offered", OFFERED, is_retired.is_(False)), Option("retired", RETIRED, is_retired.is_(True))),
    )
