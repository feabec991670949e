"""Files that a vendor's form uploads ahead, as they are chosen."""

from typing import Annotated

from fastapi import APIRouter, Path, Response

from rental_app.api.dependencies import CurrentStaff, counted, current_staff, refusals
from rental_app.api.downloads import PAPERS, a_file, download
from rental_app.api.media import stored_file
from rental_app.api.submission import FormOnlyOnce, Submitted, keep, multipart
from rental_app.domain.uploads import MAX_FILE_BYTES, MEGABYTE, UPLOAD_GROUPS, require_known
from rental_app.infrastructure.db import read, run, write
from rental_app.schemas.uploads import UploadAnswer, UploadView
from rental_app.schemas.wire import Answer, Id
from rental_app.services.accounts.actor import Actor
from rental_app.services.files import checks, storage, uploads
from rental_app.services.files.checks import Upload

router = APIRouter(prefix="/api/vendor/uploads", tags=["vendor"])
Sender = Annotated[Actor, counted("file", current_staff)]


@router.post(
    "",
    max_body_size=MAX_FILE_BYTES + MEGABYTE,
    openapi_extra=multipart("file", texts={"group": f"One of {', '.join(UPLOAD_GROUPS)}"}, several=False),
    responses=refusals(400, 401, 403, 409, 429),
)
async def send_ahead(actor: Sender, form: Submitted, once: FormOnlyOnce) -> UploadAnswer:
    """Check one file (`file`) of a group (`group`) and keep it for a form: for a day, or as long as a draft needs it.

    The pages' forms refer to it by its `id` when they are sent. Until then only its sender can load it; a trip's photo
    can be loaded by the vendor and their members.
    """
    group = form.fields.get("group", "")
    require_known({group}, UPLOAD_GROUPS, field="group")
    checked = await checks.check_upload(Upload(group, form.only("file")))
    return await keep([checked], once, _uploaded, uploads.store, actor, checked)


def _uploaded(upload: UploadView) -> UploadAnswer:
    return UploadAnswer(upload=upload)


@router.get("/{upload_id}", responses=a_file(*PAPERS) | refusals(401, 403, 404, 429), response_class=Response)
def waiting_file(actor: CurrentStaff, upload_id: Annotated[Id, Path()]) -> Response:
    """An uploaded file that no form has claimed yet, as a download."""
    file = read(uploads.own_upload, actor, upload_id)
    return stored_file(file.key, file.content_type, download(f"{file.group_name}-{file.id}"))


@router.delete("/{upload_id}", responses=refusals(401, 403, 404, 429))
async def forget_file(actor: CurrentStaff, upload_id: Annotated[Id, Path()]) -> Answer:
    """Remove an uploaded file that no form has claimed yet."""
    await run(storage.remove, await run(write, uploads.drop, actor, upload_id))
    return Answer(message="File removed")
