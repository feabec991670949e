"""What a list of the operator's console is: a description of its columns, search, filters and actions.

One service reads them all (`lists.py`), one page lists them, one shows a row.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any, Literal, NamedTuple, Self

from pydantic import BaseModel
from sqlalchemy import FromClause, Join, case, func, or_, select
from sqlalchemy.sql.expression import ColumnClause
from sqlalchemy.sql.visitors import iterate
from sqlmodel import Session

from rental_app.domain import clock
from rental_app.domain.papers import WARNING_DAYS
from rental_app.models import Columns
from rental_app.schemas.validation import validated
from rental_app.services.accounts.actor import Actor
from rental_app.services.operating.acts import CatalogueAct, OperatorAct

# An expression, or a column of a model: SQLAlchemy's types have no common one with what both can do.
Sql = Any
ColumnKind = Literal["text", "plate", "number", "money", "day", "moment", "month", "state", "code"]
Tone = Literal["good", "waits", "bad", "plain"]


class RowStanding(StrEnum):
    """How a row stands: each has a `label`, and a `tone` that says how good or bad it is."""

    label: str
    tone: Tone

    def __new__(cls, value: str, label: str, tone: Tone) -> Self:
        """Make a state of what its filter is called by, its label and its tone."""
        state = str.__new__(cls, value)
        state._value_, state.label, state.tone = value, label, tone
        return state


def state_of(cases: Sequence[tuple[Sql, RowStanding]], otherwise: RowStanding) -> Sql:
    """SQL: the state of the first condition that a row meets."""
    return case(*((which, state.value) for which, state in cases), else_=otherwise.value)


@dataclass(frozen=True, slots=True)
class Column:
    """A value of each row: SQL that is never NULL if the column can be sorted by.

    A "code" is a word of the program's, which pages spell as people do; a "state" is one of `states`. A column that is
    not `listed` is shown on the row's own page only; one that is not `detailed` either is only in forms. `proof` is the
    group of papers that proves the value. A `balance` below zero is to be paid back. A text with `values` is JSON:
    several values by their names.
    """

    name: str
    label: str
    value: Sql
    kind: ColumnKind = "text"
    sortable: bool = False
    listed: bool = True
    proof: str = ""
    detailed: bool = True
    balance: bool = False
    values: bool = False
    states: Callable[..., RowStanding] | None = None

    def read(self, value: Any) -> Any:
        """A value of the database as rows have it."""
        return self.states(value) if self.states else value


@dataclass(frozen=True, slots=True)
class Option:
    """What a filter may be set to."""

    value: str
    label: str
    condition: Sql


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter by one of several `options`, or by the rows in which one of the `owners` has a certain id.

    `belongs` says the same in SQL of an id, for owners that no single column holds. Links alone set an id, unless the
    `choices` are read that there are: ids as texts, with what they are called, which is understood in their place.
    """

    name: str
    label: str
    options: tuple[Option, ...] = ()
    owners: tuple[Sql, ...] = ()
    belongs: Callable[[int], Sql] | None = None
    choices: Callable[[Session], Sequence[tuple[str, str]]] | None = None

    def owned_by(self, row_id: int) -> Sql:
        """SQL: whether a row belongs to the row of another table with this id."""
        return self.belongs(row_id) if self.belongs else or_(*(owner == row_id for owner in self.owners))


def state_filter(conditions: Mapping[RowStanding, Sql]) -> Filter:
    """The filter of how rows stand, with the conditions of its states."""
    return Filter("state", "State", tuple(Option(each.value, each.label, sql) for each, sql in conditions.items()))


@dataclass(frozen=True, slots=True)
class Related:
    """Rows of another table that belong to a row: those whose filter is the row's id."""

    table: str
    filter: str
    label: str


@dataclass(frozen=True, slots=True)
class ActionField:
    """A field of an action's question, filled with what a `column` of the row holds.

    A "choice" is one of what `choices` reads: values with what they are called. What is not to be filled in is said
    below the field: what the columns `now` hold. An `only` names a column and what it holds in the rows that are asked.
    """

    name: str
    label: str
    kind: Literal["reason", "text", "rupees", "day", "choice"] = "reason"
    required: bool = True
    column: str = ""
    choices: Callable[[Session], Sequence[tuple[str, str]]] | None = None
    now: tuple[str, ...] = ()
    only: tuple[str, str] | None = None


ActionFunction = Callable[[Session, Actor, "Decision"], str]


class Decision(NamedTuple):
    """A press of an action's button: on which row, as it was `seen`, with what was filled in."""

    row: int
    seen: str
    answers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Action:
    """What an operator may do to a row: `do` is the service, `states` are those of rows that it is offered for.

    What it `carries` is taken from the row and has no field. A `danger` is shown last and in red. The `key` presses it
    in the queue. What it `means` for a row is said before it is done.
    """

    name: str
    label: str
    do: ActionFunction
    states: Collection[RowStanding] = ()
    asks: tuple[ActionField, ...] = ()
    carries: tuple[ActionField, ...] = ()
    danger: bool = False
    key: str = ""
    means: Callable[[Session, int], str] | None = None


# The people whom a decision concerns read it.
WHY = (ActionField("reason", "Why: those it concerns read it"),)


def by(act: OperatorAct | CatalogueAct, done: str = "", **fixed: str) -> ActionFunction:
    """What a button does: an act, with the answers to its question and `fixed` ones."""
    return service_of(act.service, act.shape, done, **fixed)


def service_of(
    service: Callable[..., object], shape: type[BaseModel] | None, done: str = "", **fixed: str
) -> ActionFunction:
    """What a button does: it calls a service with the id of a row and, if the service takes a shape, with the answers
    in it.

    The operator reads what the service returns, or else `done`.
    """

    def decide(session: Session, actor: Actor, chosen: Decision) -> str:
        if shape is None:
            return str(service(session, actor, chosen.row))
        answers = {name: answer for name, answer in chosen.answers.items() if answer.strip()}
        expected = {"expected": chosen.seen} if "expected" in shape.model_fields else {}
        result = service(session, actor, chosen.row, validated(shape, {**answers, **fixed, **expected}))
        return done or str(result)

    return decide


@dataclass(frozen=True, slots=True)
class Table:
    """A list of the console.

    `key` is the id of a row, `source` what is joined to it, which neither adds nor drops rows, and `base` which of it
    the list is about at all. The rows of a `grouped` table are sums that cost more than reading them; there are as many
    as of what is `counted`, which is quicker. The first column names a row, `under` is the one that stands below, and
    `state` the one that says how it stands. The trail calls a row by its `subject`. What a row is `of` is a table, and
    the column that holds the id of a row there. `sort` is a column's name, after a minus for the last first; in the
    texts of `search` and the `plates` words are looked for. `adding` makes a new row. Decisions about rows of a
    `versioned` table name the version that was seen.
    """

    name: str
    title: str
    one: str
    key: Sql
    source: FromClause
    columns: tuple[Column, ...]
    sort: str
    search: tuple[Sql, ...] = ()
    plates: tuple[Sql, ...] = ()
    filters: tuple[Filter, ...] = ()
    base: tuple[Sql, ...] = ()
    state: str = ""
    under: str = ""
    subject: str = ""
    of: tuple[str, str] | None = None
    figures: tuple[str, ...] = ()
    related: tuple[Related, ...] = ()
    actions: tuple[Action, ...] = ()
    adding: Action | None = None
    versioned: bool = False
    grouped: bool = False
    counted: FromClause | None = None

    @property
    def every_action(self) -> tuple[Action, ...]:
        """All actions, that of adding a row among them."""
        return (*self.actions, self.adding) if self.adding else self.actions

    def column(self, name: str) -> Column:
        """A column by its name."""
        return next(column for column in self.columns if column.name == name)

    def select(self, values: Sequence[Sql], conditions: Sequence[Sql], *ordered_by: Sql) -> Columns:
        """SELECT of some values of the rows that meet the conditions, in which values to order by are joined, too.

        `moments` are its placeholders.
        """
        which = (*self.base, *conditions)
        return select(*values).select_from(self.joined([*values, *which, *ordered_by])).where(*which)

    def count(self, conditions: Sequence[Sql]) -> Columns:
        """SELECT of how many rows meet the conditions."""
        if self.counted is not None and not conditions:
            return select(func.count()).select_from(self.counted)
        return self.select([func.count()], conditions)

    def joined(self, expressions: Sequence[Sql]) -> FromClause:
        """The joined tables that some expressions mention, without the others: counting bookings need not read their
        vehicles."""
        return _needed(self.source, [self.key, *expressions])


def _needed(source: FromClause, expressions: Sequence[Sql]) -> FromClause:
    if not isinstance(source, Join):
        return source
    mentioned = {part.table for part in iterate(select(*expressions)) if isinstance(part, ColumnClause)}
    if source.right not in mentioned:
        return _needed(source.left, expressions)
    left = _needed(source.left, [*expressions, source.onclause])
    return Join(left, source.right, source.onclause, isouter=source.isouter)


# How long a refund or deposit may be open after the trip before it is ours to look after.
REFUND_AFTER = timedelta(days=3)


def moments() -> dict[str, datetime | date]:
    """The values of the placeholders that the SQL of tables may have; papers are asked for as early as vendors are."""
    instant = clock.now()
    return {
        "instant": instant,
        "today": clock.indian_today(instant),
        "refunds": instant - REFUND_AFTER,
        "expiring": clock.indian_today(instant + timedelta(days=WARNING_DAYS)),
    }
