"""Everything that the API's document names is described, and days and instants carry their format."""

from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI

from rental_app.schemas import descriptions


def operations(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every call."""
    for methods in document["paths"].values():
        yield from methods.values()


def properties(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Owner, name and schema of every property of a shape or a form."""
    owners = dict(document["components"]["schemas"])
    for call in operations(document):
        for body in call.get("requestBody", {}).get("content", {}).values():
            owners[call["operationId"]] = body["schema"]
    for owner, schema in owners.items():
        for name, value in schema.get("properties", {}).items():
            yield owner, name, value


def formats(schema: dict[str, Any]) -> set[str]:
    """The formats a value may have."""
    return {part["format"] for part in (schema, *schema.get("anyOf", ())) if "format" in part}


def test_every_property_parameter_operation_and_shape_is_described(app: FastAPI) -> None:
    document = app.openapi()
    unsaid = [f"{owner}.{name}" for owner, name, value in properties(document) if not value.get("description")]
    assert not unsaid, f"give {unsaid} a line in schemas/descriptions.py, or a description of their own in Field"
    bare = [name for name, schema in document["components"]["schemas"].items() if not schema.get("description")]
    assert not bare, f"give {bare} a docstring"
    for call in operations(document):
        assert call.get("description"), f"give {call['operationId']} a docstring"
        unsaid = [item["name"] for item in call.get("parameters", ()) if not item.get("description")]
        assert not unsaid, f"give {unsaid} of {call['operationId']} a line in schemas/descriptions.py"
    tags = {tag["name"] for tag in document["tags"] if tag["description"]}
    assert {name for call in operations(document) for name in call["tags"]} == tags


def test_no_description_is_left_of_what_is_gone(app: FastAPI) -> None:
    document = app.openapi()
    named = [(owner, name) for owner, name, _ in properties(document)]
    own = {(owner, name) for owner, texts in descriptions.OF.items() for name in texts}
    parameters = {item["name"] for call in operations(document) for item in call.get("parameters", ())}
    asked = "take out of schemas/descriptions.py what names nothing any more"
    assert own - set(named) == set(), asked
    assert descriptions.EVERYWHERE.keys() - {name for _, name in named} - parameters == set(), asked
    assert descriptions.OF_PARAMETERS.keys() - parameters == set(), asked


def test_days_and_instants_carry_their_format_and_what_may_be_either_says_so(app: FastAPI) -> None:
    document = app.openapi()
    asked = [
        (call["operationId"], item["name"], item["schema"] | {"description": item["description"]})
        for call in operations(document)
        for item in call.get("parameters", ())
    ]
    dated = 0
    for owner, name, value in (*properties(document), *asked):
        if name.endswith(("Date", "_date", "At")) or name in ("at", "since", "until", "answerBy", "created_at"):
            dated += 1
            either = "a day alone" in value["description"] or "its day alone" in value["description"]
            assert bool(formats(value)) != either, (owner, name)
    assert dated > 50


def test_every_call_but_the_health_checks_may_refuse(app: FastAPI) -> None:
    for call in operations(app.openapi()):
        refused = any(status.startswith("4") for status in call["responses"])
        assert refused != (call["tags"] == ["operations"]), call["operationId"]
