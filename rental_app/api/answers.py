"""Responses whose body is already JSON."""

from fastapi import Request, Response

from rental_app.services.search.listings import ListJson


def written(body: bytes) -> Response:
    """A response with a JSON body."""
    return Response(body, media_type="application/json")


def unless_known(request: Request, answer: ListJson) -> Response:
    """A response with its ETag, or 304 if the client already has it."""
    # Asked again every time: without this word a cache may choose a lifetime by itself.
    headers = {"ETag": answer.tag, "Cache-Control": "no-cache"}
    if answer.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(answer.body, headers=headers, media_type="application/json")
