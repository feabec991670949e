"""Uploaded files that wait for their form, as the form shows them."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from rental_app.domain.uploads import OWN_GROUPS
from rental_app.schemas.uploads import UploadView


class WaitingFile(BaseModel):
    """An upload under the name its owner knows it by."""

    id: int
    group: str
    name: str
    type: str
    url: str


def waiting_files(views: Sequence[UploadView], names: Mapping[int, str]) -> list[WaitingFile]:
    """Uploads with the names that the tab has kept for them."""
    return [
        WaitingFile(
            id=view.id,
            group=view.group,
            name=names[view.id],
            type=view.content_type,
            url=f"{_address(view.group)}/{view.id}",
        )
        for view in views
    ]


def _address(group: str) -> str:
    return "/api/uploads" if group in OWN_GROUPS else "/api/vendor/uploads"
