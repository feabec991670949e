"""Answers that are files: how OpenAPI describes them, and under which name they are saved."""

_TEXT, _BINARY = {"type": "string"}, {"type": "string", "format": "binary"}
# What a paper may be; photos are stored as JPEG, unless they are papers.
PAPERS = ("application/pdf", "image/jpeg", "image/png")


def a_file(*kinds: str) -> dict[int | str, dict[str, object]]:
    """OpenAPI's description of an answer that is a file of one of these media types."""
    content = {kind: {"schema": _TEXT if kind.startswith("text/") else _BINARY} for kind in kinds}
    return {200: {"description": "The file", "content": content}}


def download(name: str) -> dict[str, str]:
    """The header by which a file is saved under a name, not displayed."""
    return {"Content-Disposition": f'attachment; filename="{name.lower().replace(" ", "-")}"'}
