"""What generated clients and linters need of the OpenAPI document beyond what FastAPI writes into it."""

from itertools import chain
from typing import Any

from fastapi.routing import APIRoute
from markupsafe import Markup
from pydantic.json_schema import models_json_schema
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse

from rental_app.infrastructure.settings import settings
from rental_app.schemas.fleet import RenewRequest
from rental_app.schemas.identity import IdentityData
from rental_app.schemas.readings import HandoverData, ReturnData
from rental_app.schemas.trips import ChargeRequest
from rental_app.schemas.vehicles import EditedFiles, EditedVehicle, VehicleData

# Pydantic writes limits that are checked after a function of ours under its own names.
_LIMITS = {"ge": "minimum", "le": "maximum", "gt": "exclusiveMinimum", "lt": "exclusiveMaximum"}
# What stands as JSON in fields of forms, where FastAPI does not see it.
_OF_VEHICLES = (VehicleData, EditedVehicle, EditedFiles, RenewRequest)
_IN_FORMS = (*_OF_VEHICLES, HandoverData, ReturnData, ChargeRequest, IdentityData)
_SEEN_BY = {"X-Request-ID": "The id of the request, also in the operator's logs"}
_REFERENCE = "#/components/schemas/{model}"
_OF_STATUS = {
    "304": {"ETag": "The version of the list the client already has"},
    "401": {"WWW-Authenticate": "How to authenticate: Bearer"},
    "429": {"Retry-After": "Seconds after which to try again"},
    "503": {"Retry-After": "Seconds after which to try again, where they are known"},
}


_TAGS = {
    "account": "Registration, login and one's own profile",
    "bookings": "Prices, requests and bookings",
    "catalogue": "What forms offer to choose from",
    "operations": "Whether the service works, for those who run it",
    "operator": "What operators see and decide; everybody else is refused",
    "reviews": "What the sides of a trip say about each other",
    "trips": "A booking in full: its account, changes, handover and return",
    "vehicles": "Vehicles for rent, as everybody sees them",
    "vendor": "A vendor's vehicles, prices, calendar and earnings",
    "vendors": "Vendors, as everybody sees them",
}


def operation_id(route: APIRoute) -> str:
    """An operation's id: of its module and function, so that it stays when the address changes."""
    return f"{route.endpoint.__module__.rpartition('.')[2]}_{route.name}"


def completed(document: dict[str, Any]) -> dict[str, Any]:
    """The document with servers, security and headers of every operation, the shapes that stand in forms, and limits
    under JSON Schema's names."""
    _, shapes = models_json_schema([(shape, "validation") for shape in _IN_FORMS], ref_template=_REFERENCE)
    document["components"]["schemas"] = shapes["$defs"] | document["components"]["schemas"]
    for operation in chain.from_iterable(methods.values() for methods in document["paths"].values()):
        # Calls that need no token say so: a generated client must not guess.
        operation.setdefault("security", [])
        for status, response in operation["responses"].items():
            headers = _SEEN_BY | _OF_STATUS.get(status, {}) | (_of_success(operation) if status == "200" else {})
            described = {name: {"description": text, "schema": {"type": "string"}} for name, text in headers.items()}
            response["headers"] = described | response.get("headers", {})
    document["info"] |= {
        "contact": {"name": settings().product_name, "email": settings().support_email},
        "license": {"name": "MIT", "identifier": "MIT"},
    }
    completed_document: dict[str, Any] = _with_json_schema_limits(document)
    tags = [{"name": name, "description": text} for name, text in _TAGS.items()]
    return completed_document | {"servers": [{"url": settings().public_url}], "tags": tags}


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
    # A number, because a field of a shape may have such a name too, with a schema as its value.
    return {
        (_LIMITS.get(name, name) if isinstance(value, int | float) else name): _with_json_schema_limits(value)
        for name, value in part.items()
    }


_PAGE = Markup(
    """<!doctype html>
<html lang="en-IN">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{} REST API</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/swagger-ui/swagger-ui.css">
<script src="/swagger-ui/swagger-ui-bundle.js" defer></script>
<script src="/swagger-ui/start.js" defer></script>
</head>
<body><main id="swagger-ui"></main></body>
</html>
"""
)


async def page(_request: Request) -> HTMLResponse:
    """Show every call, to read about and to try out."""
    return HTMLResponse(_PAGE.format(settings().product_name))


def document(request: Request) -> JSONResponse:
    """The OpenAPI document, in a thread: making it takes seconds, in which the event loop has to serve others."""
    return JSONResponse(request.app.openapi())
