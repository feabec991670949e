"""Answers that are JSON already."""

from fastapi import Request, Response

from rental_app.services.shop import Written


def written(body: bytes) -> Response:
    """An answer of JSON."""
    return Response(body, media_type="application/json")


def unless_known(request: Request, answer: Written) -> Response:
    """An answer with its tag, or 304 where the client has it already."""
    headers = {"ETag": answer.tag}
    if answer.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(answer.body, headers=headers, media_type="application/json")
