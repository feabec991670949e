"""The vendor's calls: listing, editing, switching, dashboard, files."""

from typing import Annotated

from fastapi import Query, Response

from rental_app.api.dependencies import (
    PAPERS,
    CallRouter,
    CurrentManager,
    FileId,
    Paging,
    a_file,
    counted,
    current_manager,
    current_vendor,
    download,
    refusals,
)
from rental_app.api.idempotency import OnlyOnce, message_answer
from rental_app.api.media import stored_file
from rental_app.api.submission import UPLOAD, FormOnlyOnce, Submitted, json_part, keep, multipart
from rental_app.domain.uploads import AVATAR, FILE_GROUPS
from rental_app.infrastructure.db import read, run
from rental_app.schemas.bookings import DashboardAnswer
from rental_app.schemas.calendars import ToggleAnswer
from rental_app.schemas.vehicles import (
    Asset,
    EditedFiles,
    EditedVehicle,
    ToggleRequest,
    VehicleData,
    VendorVehiclesAnswer,
)
from rental_app.schemas.wire import Answer
from rental_app.services.accounts import profile
from rental_app.services.accounts.actor import Actor
from rental_app.services.earnings import dashboard
from rental_app.services.files import checks, storage, uploads
from rental_app.services.files.checks import Upload
from rental_app.services.fleet import own_vehicles, vehicles

router = CallRouter(prefix="/api/vendor", tags=["vendor"])


Uploader = Annotated[Actor, counted("upload", current_manager)]
PictureUploader = Annotated[Actor, counted("upload", current_vendor)]
_NEW = json_part("The vehicle", VehicleData)
_CHANGED = json_part(
    "The vehicle's new data, or nothing but which it is and which files to remove", EditedVehicle, EditedFiles
)


@router.post(
    "/add-vehicle", openapi_extra=multipart(*FILE_GROUPS, texts={"vehicleData": _NEW}, all_of_them=True), **UPLOAD
)
async def add_vehicle(actor: Uploader, form: Submitted, once: FormOnlyOnce) -> Answer:
    """List a vehicle: `vehicleData` and at least one file under each of the ten groups."""
    data, sent = form.json_object("vehicleData"), await checks.check_uploads(form.uploads)
    return await keep(sent.checked, once, lambda _: message_answer(vehicles.LISTED), vehicles.submit, actor, data, sent)


@router.post("/edit-vehicle", openapi_extra=multipart(*FILE_GROUPS, texts={"vehicleData": _CHANGED}), **UPLOAD)
async def edit_vehicle(actor: Uploader, form: Submitted, once: FormOnlyOnce) -> Answer:
    """Replace a vehicle's data (`id` inside `vehicleData`) and the files of any groups sent along.

    Optional fields that `vehicleData` leaves out stay as they are: prices, terms, extra payments, address.
    If `vehicleData` has nothing but the `id`, with files or with `drop_files`, only the files change.
    """
    data, sent = form.json_object("vehicleData"), await checks.check_uploads(form.uploads)
    unused: list[str] = []

    def answer_of(done: vehicles.EditResult) -> Answer:
        unused.extend(done.unused)
        return message_answer(done.message)

    answer = await keep(sent.checked, once, answer_of, vehicles.change, actor, data, sent)
    await run(storage.remove, unused)
    return answer


@router.post("/update-image", openapi_extra=multipart(AVATAR), **UPLOAD)
async def update_image(actor: PictureUploader, form: Submitted, once: FormOnlyOnce) -> Answer:
    """Replace the vendor's own avatar (field `image`)."""
    avatar = await checks.check_upload(Upload(AVATAR, form.only(AVATAR)))
    unused: list[str] = []

    def answer_of(replaced: list[str]) -> Answer:
        unused.extend(replaced)
        return message_answer(profile.PICTURE_UPDATED)

    answer = await keep([avatar], once, answer_of, uploads.set_avatar, actor, avatar)
    await run(storage.remove, unused)
    return answer


@router.get("/dashboard", responses=refusals(401, 403, 429))
def get_dashboard(actor: CurrentManager) -> DashboardAnswer:
    """The vendor's figures."""
    return DashboardAnswer(dashboard=read(dashboard.of_vendor, actor))


@router.get("/my-assets", responses=refusals(401, 403, 429))
def my_assets(actor: CurrentManager) -> list[Asset]:
    """The vendor's vehicles as sources to copy prices from."""
    return read(own_vehicles.assets, actor)


@router.get("/vehicles", responses=refusals(401, 403, 429))
def my_vehicles(
    actor: CurrentManager,
    page: Paging,
    retired: Annotated[bool, Query(description="Whether to return those that were retired, in place of the fleet")] = (
        False
    ),
) -> VendorVehiclesAnswer:
    """The vendor's vehicles."""
    part = read(own_vehicles.of_vendor, actor, page, retired=retired)
    return VendorVehiclesAnswer(vehicles=part.items, **part.tail)


@router.post("/toggle-vehicle", responses=refusals(400, 401, 403, 404, 409, 429))
def toggle_vehicle(actor: CurrentManager, body: ToggleRequest, once: OnlyOnce) -> ToggleAnswer:
    """Switch a vehicle on or off. Bookings ahead of one that is switched off stand, and are listed (`bookings`): each
    can be moved (`/move`) or cancelled (`/cancel`).
    """
    return once(lambda answer: answer, vehicles.toggle, actor, body.vehicle_id)


@router.get("/files/{file_id}", responses=a_file(*PAPERS) | refusals(401, 403, 404, 429), response_class=Response)
def private_file(actor: CurrentManager, file_id: FileId) -> Response:
    """A paper or photo of one of the vendor's own vehicles, as a download."""
    file = read(own_vehicles.own_file, actor, file_id)
    return stored_file(file.key, file.content_type, download(f"{file.group_name}-{file.id}"))
