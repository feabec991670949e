"""What may be done to a row or a list, and what is asked before it."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from rental_app.services.console.lists import ConsoleRow, written
from rental_app.services.console.table import ActionField, Table
from rental_app.web.operator.cells_presenter import text_of
from rental_app.web.parts.presenters.texts import Choice


class QuestionView(BaseModel):
    """A field of an action's question."""

    name: str
    label: str
    kind: str
    required: bool
    value: str = ""
    options: list[Choice] = []
    # What is so now, of what is not filled in.
    note: str = ""


class ActionView(BaseModel):
    """Something that may be done to a row; a press asks first, and says what it `means`."""

    name: str
    label: str
    danger: bool
    key: str
    asks: list[QuestionView]
    means: str = ""


def actions_of(table: Table, row: ConsoleRow) -> list[ActionView]:
    """What may be done to a row as it stands, what is dangerous last."""
    state = row.values.get(table.state)
    offered = [action for action in table.actions if not action.states or state in action.states]
    return [
        ActionView(
            name=action.name,
            label=action.label,
            danger=action.danger,
            key=action.key,
            asks=[_question(table, each, row) for each in action.asks if _is_asked(each, row)],
        )
        for action in sorted(offered, key=lambda action: action.danger)
    ]


def _is_asked(field: ActionField, row: ConsoleRow) -> bool:
    return field.only is None or row.values[field.only[0]] == field.only[1]


def _question(table: Table, field: ActionField, row: ConsoleRow | None = None) -> QuestionView:
    value = written(table.column(field.column), row) if row and field.column else ""
    texts = [text_of(table.column(name), row.values[name]) for name in field.now] if row else []
    now = ", ".join(text for text in texts if text)
    return QuestionView(
        name=field.name,
        label=field.label,
        kind=field.kind,
        required=field.required,
        value=value,
        note=f"Now {now}" if now else "None now" if field.now else "",
    )


def full_question(action: ActionView, choices: Mapping[str, Sequence[tuple[str, str]]], means: str) -> ActionView:
    """An action's question with what it means and what may be chosen in it; what was chosen before stays possible,
    retired too."""
    asks = [_with_options(each, choices.get(each.name, ())) for each in action.asks]
    return action.model_copy(update={"asks": asks, "means": means})


def _with_options(question: QuestionView, choices: Sequence[tuple[str, str]]) -> QuestionView:
    options = [Choice(value=value, label=label) for value, label in choices]
    if choices and question.value and question.value not in {option.value for option in options}:
        options.insert(0, Choice(value=question.value, label="As it is (retired)"))
    return question.model_copy(update={"options": options})


def adding_view(table: Table) -> ActionView | None:
    """The action that adds a row to a table, if there is one."""
    if table.adding is None:
        return None
    asks = [_question(table, each) for each in table.adding.asks]
    return ActionView(name=table.adding.name, label=table.adding.label, danger=False, key="", asks=asks)
