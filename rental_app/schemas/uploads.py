"""Shapes of files that are uploaded ahead of their form."""

from pydantic import Field

from rental_app.schemas.wire import Answer, FileGroup, ItsId, MediaType, Wire


class UploadView(Wire):
    """A file that waits for its form; its sender loads it from where it was sent to, by its `id`."""

    id: ItsId
    group: FileGroup
    size: int = Field(description="Size in bytes")
    content_type: MediaType = Field(alias="contentType")


class UploadAnswer(Answer):
    """The file just stored."""

    upload: UploadView = Field(description="The file as it is stored")
