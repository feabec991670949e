"""Pydantic's verdicts in the product's words."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from rental_app.errors import InvalidInputError
from rental_app.rules.money import grouped

Model = TypeVar("Model", bound=BaseModel)
_WORDS = {
    "missing": "Please fill this in",
    "string_too_short": "Please fill this in",
    "too_short": "Please fill this in",
    "string_too_long": "At most {max_length} characters",
    "int_parsing": "Enter a whole number",
    "int_from_float": "Enter a whole number",
    "less_than_equal": "Enter {le} or less",
    "greater_than_equal": "Enter {ge} or more",
}


def from_errors(errors: Sequence[Mapping[str, Any]], skip: int = 0) -> InvalidInputError:
    """Pydantic's errors as one refusal; the first `skip` parts of a location are no field names."""
    fields: dict[str, str] = {}
    for error in errors:
        name = ".".join(str(part) for part in error["loc"][skip:]) or "body"
        fields.setdefault(name, _words(error))
    message = "; ".join(f"{name}: {text}" for name, text in fields.items())
    return InvalidInputError(message, fields=fields)


def _words(error: Mapping[str, Any]) -> str:
    if words := _WORDS.get(error["type"]):
        limits = error.get("ctx", {}).items()
        return words.format(**{name: grouped(limit) if isinstance(limit, int) else limit for name, limit in limits})
    return str(error["msg"]).removeprefix("Value error, ")


def validated(model: type[Model], data: Any) -> Model:
    """`model.model_validate(data)`; raises InvalidInputError naming the fields at fault."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise from_errors(error.errors()) from None
