"""The description of the REST calls: the OpenAPI document, and a page of it; Swagger UI comes with the built pages."""

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse

from rental_app.infrastructure.settings import settings

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
