"""What generated clients and linters need of the OpenAPI document beyond what FastAPI writes into it."""

from collections.abc import Iterator
from typing import Any

from fastapi.routing import APIRoute

from rental_app.infrastructure.settings import settings

# Pydantic writes limits that are checked after a function of ours under its own names.
_LIMITS = {"ge": "minimum", "le": "maximum", "gt": "exclusiveMinimum", "lt": "exclusiveMaximum"}
_SEEN_BY = {"X-Request-ID": "The id of the request, also in the operator's logs"}
_OF_STATUS = {
    "304": {"ETag": "The version of the list the client already has"},
    "401": {"WWW-Authenticate": "How to authenticate: Bearer"},
    "429": {"Retry-After": "Seconds after which to try again"},
    "503": {"Retry-After": "Seconds after which to try again, where they are known"},
}


def operation_id(route: APIRoute) -> str:
    """An operation's id: of its module and function, so that it stays when the address changes."""
    return f"{route.endpoint.__module__.rpartition('.')[2]}_{route.name}"


def completed(document: dict[str, Any]) -> dict[str, Any]:
    """The document with servers, security and headers of every operation, and limits under JSON Schema's names."""
    for operation in _operations(document):
        # None, said expressly: a generated client must not guess.
        operation.setdefault("security", [])
        for status, response in operation["responses"].items():
            headers = _SEEN_BY | _OF_STATUS.get(status, {}) | (_of_success(operation) if status == "200" else {})
            described = {name: {"description": text, "schema": {"type": "string"}} for name, text in headers.items()}
            response["headers"] = described | response.get("headers", {})
    completed_document: dict[str, Any] = _with_json_schema_limits(document)
    return completed_document | {"servers": [{"url": settings().public_url}]}


def _operations(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for methods in document["paths"].values():
        yield from methods.values()


def _of_success(operation: dict[str, Any]) -> dict[str, str]:
    headers = {}
    if "application/json" not in operation["responses"]["200"]["content"]:
        headers["Content-Disposition"] = "The name to save the file under, where it is a download"
    if "304" in operation["responses"]:
        headers["ETag"] = "The version of the answer, for `If-None-Match`"
    return headers


def _with_json_schema_limits(part: Any) -> Any:
    if isinstance(part, list):
        return [_with_json_schema_limits(each) for each in part]
    if not isinstance(part, dict):
        return part
    return {_limit_name(name, value): _with_json_schema_limits(value) for name, value in part.items()}


def _limit_name(name: str, value: Any) -> str:
    # A number, because a field of a shape may have such a name too, with a schema as its value.
    return _LIMITS.get(name, name) if isinstance(value, int | float) else name
