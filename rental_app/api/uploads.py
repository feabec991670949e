"""Files that a form uploads ahead, as they are chosen: a vendor's, or a customer's for an objection or a document."""

from collections.abc import Collection
from typing import Annotated

from fastapi import Response

from rental_app.api.dependencies import (
    PAPERS,
    CallRouter,
    CurrentActor,
    CurrentStaff,
    FileId,
    a_file,
    counted,
    current_actor,
    current_staff,
    download,
    refusals,
)
from rental_app.api.idempotency import Once
from rental_app.api.media import stored_file
from rental_app.api.submission import FormOnlyOnce, Submission, Submitted, keep, multipart
from rental_app.domain.uploads import (
    IDENTITY,
    MAX_FILE_BYTES,
    MEGABYTE,
    OBJECTION,
    OWN_GROUPS,
    UPLOAD_GROUPS,
    require_group,
)
from rental_app.infrastructure.db import read, run, write
from rental_app.schemas.uploads import UploadAnswer
from rental_app.schemas.wire import Answer
from rental_app.services.accounts.actor import Actor
from rental_app.services.files import checks, storage, uploads
from rental_app.services.files.checks import Upload

router = CallRouter(prefix="/api/vendor/uploads", tags=["vendor"])
customers = CallRouter(prefix="/api/uploads", tags=["trips"])
Sender = Annotated[Actor, counted("file", current_staff)]
Customer = Annotated[Actor, counted("file", current_actor)]


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
    return await _store(actor, form, once, UPLOAD_GROUPS)


@customers.post(
    "",
    max_body_size=MAX_FILE_BYTES + MEGABYTE,
    openapi_extra=multipart("file", texts={"group": f"{OBJECTION} or {IDENTITY}"}, several=False),
    responses=refusals(400, 401, 403, 409, 429),
)
async def send_photo(actor: Customer, form: Submitted, once: FormOnlyOnce) -> UploadAnswer:
    """Check one photo (`file`) for an objection, or a file of one of the customer's own documents, for a day.

    `POST /api/bookings/{ref}/object` and `POST /api/user/papers` refer to it by its `id`. Until then only its sender
    can load it. Of a document, pictures of the first four pages are stored; one that shows a whole Aadhaar number is
    refused (400 `unmasked`).
    """
    return await _store(actor, form, once, OWN_GROUPS)


async def _store(actor: Actor, form: Submission, once: Once, groups: Collection[str]) -> UploadAnswer:
    group = form.fields.get("group", "")
    require_group({group}, groups, field="group")
    checked = await checks.check_upload(Upload(group, form.only("file")))
    return await keep([checked], once, lambda upload: UploadAnswer(upload=upload), uploads.store, actor, checked)


@router.get("/{upload_id}", responses=a_file(*PAPERS) | refusals(401, 403, 404, 429), response_class=Response)
def waiting_file(actor: CurrentStaff, upload_id: FileId) -> Response:
    """An uploaded file that no form has claimed yet, as a download."""
    return _download(actor, upload_id)


@customers.get("/{upload_id}", responses=a_file("image/jpeg") | refusals(401, 404, 429), response_class=Response)
def waiting_photo(actor: CurrentActor, upload_id: FileId) -> Response:
    """An uploaded photo that nothing has claimed yet, as a download; of a document the first page."""
    return _download(actor, upload_id)


def _download(actor: Actor, upload_id: int) -> Response:
    file = read(uploads.own_upload, actor, upload_id)
    return stored_file(file.key, file.content_type, download(f"{file.group_name}-{file.id}"))


@router.delete("/{upload_id}", responses=refusals(401, 403, 404, 429))
async def forget_file(actor: CurrentStaff, upload_id: FileId) -> Answer:
    """Remove an uploaded file that no form has claimed yet."""
    return await _remove(actor, upload_id)


@customers.delete("/{upload_id}", responses=refusals(401, 404, 429))
async def forget_photo(actor: CurrentActor, upload_id: FileId) -> Answer:
    """Remove an uploaded photo that nothing has claimed yet."""
    return await _remove(actor, upload_id)


async def _remove(actor: Actor, upload_id: int) -> Answer:
    await run(storage.remove, await run(write, uploads.drop, actor, upload_id))
    return Answer(message="File removed")
