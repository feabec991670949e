"""Shapes of files that are uploaded ahead of their form."""

from pydantic import Field

from rental_app.schemas.wire import Answer, Wire


class UploadView(Wire):
    """A file that waits for its form; its sender loads it from where it was sent to, by its `id`."""

    id: int
    group: str
    size: int
    content_type: str = Field(alias="contentType")


class UploadAnswer(Answer):
    """The file just stored."""

    upload: UploadView
