"""Pydantic's verdicts in the product's words."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from rental_app.errors import InvalidInputError

Model = TypeVar("Model", bound=BaseModel)


def from_errors(errors: Sequence[Mapping[str, Any]], skip: int = 0) -> InvalidInputError:
    """Pydantic's errors as one refusal; the first `skip` parts of a location are no field names."""
    fields: dict[str, str] = {}
    for error in errors:
        name = ".".join(str(part) for part in error["loc"][skip:]) or "body"
        fields.setdefault(name, str(error["msg"]).removeprefix("Value error, "))
    message = "; ".join(f"{name}: {text}" for name, text in fields.items())
    return InvalidInputError(message, fields=fields)


def validated(model: type[Model], data: Any) -> Model:
    """`model.model_validate(data)`; raises InvalidInputError naming the fields at fault."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise from_errors(error.errors()) from None
