"""Shapes of files that are uploaded ahead of their form."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import Field, TypeAdapter, ValidationError

from rental_app.domain.errors import InvalidInputError
from rental_app.domain.uploads import AVATAR, FILE_GROUPS
from rental_app.schemas.wire import Answer, FileGroup, Id, ItsId, MediaType, Wire


class UploadView(Wire):
    """A file that waits for its form; its sender loads it from where it was sent to, by its `id`."""

    id: ItsId
    group: FileGroup
    size: int = Field(description="Size in bytes")
    content_type: MediaType = Field(alias="contentType")


class UploadAnswer(Answer):
    """The file just stored."""

    upload: UploadView = Field(description="The file as it is stored")


class NamedUpload(Wire):
    """An upload as a form names it; the file's name is chosen by its owner and shown only to them."""

    id: Id
    name: str = Field(max_length=300)


_UPLOADS = TypeAdapter(list[NamedUpload])


def uploads_of(form: Mapping[str, Any], groups: Iterable[str] = (*FILE_GROUPS, AVATAR)) -> dict[str, list[NamedUpload]]:
    """The uploads a form names, by group. Raises InvalidInputError for what no form of ours sends."""
    try:
        texts = {group: str(form.get(f"files.{group}") or "[]") for group in groups}
        return {group: files for group, text in texts.items() if (files := _UPLOADS.validate_json(text))}
    except ValidationError:
        raise InvalidInputError("The files could not be understood") from None
