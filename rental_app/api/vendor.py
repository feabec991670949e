"""The vendor's calls: listing, editing, switching, dashboard, files."""

import json
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Path, Request, Response
from starlette.datastructures import UploadFile

from rental_app.api.deps import CurrentVendor, Paging, refusals
from rental_app.db import read, run, write
from rental_app.errors import InvalidInputError, RentalError, UnsupportedTypeError
from rental_app.rules.uploads import FILE_GROUPS, MAX_REQUEST_BYTES
from rental_app.schemas.bookings import DashboardAnswer
from rental_app.schemas.listing import REQUIRED_FIELDS, EditedFiles, EditedVehicle, ToggleRequest, VehicleData
from rental_app.schemas.validation import validated
from rental_app.schemas.vehicles import Asset, VendorVehiclesAnswer
from rental_app.schemas.wire import Answer, Id
from rental_app.services import accounts, dashboard, files, own_vehicles, throttle, vehicles
from rental_app.services.accounts import Actor
from rental_app.services.files import CheckedFile, Upload

router = APIRouter(prefix="/api/vendor", tags=["vendor"])
T = TypeVar("T")


class Submission:
    """A multipart form: its text fields and its files, read within the limits of one request."""

    def __init__(self, fields: dict[str, str], uploads: list[Upload]) -> None:
        self.fields = fields
        self.uploads = uploads

    def vehicle(self) -> dict[str, Any]:
        """The object in `vehicleData`; raises RentalError when it is missing or no JSON object."""
        try:
            data = json.loads(self.fields["vehicleData"])
        except KeyError:
            message = "vehicleData is missing"
            raise InvalidInputError(message, code="missing_part", fields={"vehicleData": message}) from None
        except (ValueError, RecursionError):
            raise RentalError("vehicleData is not valid JSON", code="malformed_json") from None
        if not isinstance(data, dict):
            raise InvalidInputError("vehicleData must be an object", fields={"vehicleData": "Send a JSON object"})
        return data


async def read_submission(request: Request) -> AsyncIterator[Submission]:
    """Read a multipart body; its temporary files are closed when the request is over."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise UnsupportedTypeError("Send multipart/form-data")
    async with request.form(max_files=100, max_fields=20) as form:
        uploads = [
            Upload(group, await value.read())
            for group, value in form.multi_items()
            if isinstance(value, UploadFile) and value.size
        ]
        yield Submission({name: value for name, value in form.items() if isinstance(value, str)}, uploads)


def uploader(actor: CurrentVendor) -> Actor:
    """The vendor, counted before up to 60 MB are read; what is done with them is counted by its service."""
    throttle.count("upload", actor)
    return actor


Submitted = Annotated[Submission, Depends(read_submission)]
Uploader = Annotated[Actor, Depends(uploader)]


def _multipart(*groups: str, data: bool = True) -> dict[str, Any]:
    """OpenAPI's description of a multipart body read by hand: the groups' names have spaces."""
    files_schema = {"type": "array", "items": {"type": "string", "format": "binary"}}
    properties: dict[str, Any] = dict.fromkeys(groups, files_schema)
    if data:
        properties["vehicleData"] = {"type": "string", "description": "The vehicle as a JSON object"}
    schema = {"type": "object", "properties": properties, "required": ["vehicleData"] if data else list(groups)}
    return {"requestBody": {"required": True, "content": {"multipart/form-data": {"schema": schema}}}}


def _require_fields(data: dict[str, Any]) -> None:
    if missing := [
        name for name in REQUIRED_FIELDS if str(data.get(name) if data.get(name) is not None else "").strip() == ""
    ]:
        message = f"Please fill all required fields: {', '.join(missing)}"
        raise InvalidInputError(message, code="missing_fields", fields=dict.fromkeys(missing, "Required"))


def _known_groups(uploads: list[Upload]) -> None:
    if unknown := sorted({upload.group for upload in uploads} - set(FILE_GROUPS)):
        message = f"There is no upload group {unknown[0][:60]}"
        raise InvalidInputError(message, code="unknown_group", fields={unknown[0][:60]: message})


def _edited(form: Submission) -> EditedVehicle | EditedFiles:
    data = form.vehicle()
    if data.keys() <= EditedFiles.model_fields.keys() and ("drop_files" in data or form.uploads):
        return validated(EditedFiles, data)
    _require_fields(data)
    return validated(EditedVehicle, data)


async def _keep(checked: Sequence[CheckedFile], service: Callable[..., T], *args: object) -> T:
    """Call a service that writes, with files that stay if it succeeds and go if it does not."""

    def write_with_files() -> T:
        with files.kept(checked):
            return write(service, *args)

    return await run(write_with_files)


_UPLOAD: dict[str, Any] = {
    "max_body_size": MAX_REQUEST_BYTES,
    "responses": refusals(400, 401, 403, 404, 409, 413, 415, 429),
}


@router.post("/add-vehicle", openapi_extra=_multipart(*FILE_GROUPS), **_UPLOAD)
async def add_vehicle(actor: Uploader, form: Submitted) -> Answer:
    """List a vehicle: `vehicleData` and at least one file under each of the ten groups."""
    data = form.vehicle()
    _require_fields(data)
    _known_groups(form.uploads)
    vehicles.require_all_groups({upload.group for upload in form.uploads})
    vehicle = validated(VehicleData, data)
    checked = await files.check_uploads(form.uploads)
    await _keep(checked, vehicles.add, actor, vehicle, checked)
    return Answer(message="Vehicle listed successfully")


@router.post("/edit-vehicle", openapi_extra=_multipart(*FILE_GROUPS), **_UPLOAD)
async def edit_vehicle(actor: Uploader, form: Submitted) -> Answer:
    """Replace a vehicle's data (`id` inside `vehicleData`) and the files of any groups sent along.

    Where `vehicleData` holds the `id` alone, with files or with `drop_files`, only the files change.
    """
    edited = _edited(form)
    _known_groups(form.uploads)
    checked = await files.check_uploads(form.uploads)
    done = await _keep(checked, vehicles.edit, actor, edited, checked)
    await run(files.remove, done.unused)
    return Answer(message=done.message)


@router.post("/update-image", openapi_extra=_multipart("image", data=False), **_UPLOAD)
async def update_image(actor: Uploader, form: Submitted) -> Answer:
    """Replace one's own avatar (field `image`)."""
    images = [upload for upload in form.uploads if upload.group == "image"]
    if len(images) != 1:
        message = "Send one picture under the name image"
        raise InvalidInputError(message, code="missing_part", fields={"image": message})
    avatar = await files.avatar(images[0])
    old = await _keep([avatar], accounts.set_image, actor, avatar.public_path)
    await run(files.remove, files.objects_of(old.removeprefix("/media/")))
    return Answer(message="Profile picture updated")


@router.get("/dashboard", responses=refusals(401, 403, 429))
def get_dashboard(actor: CurrentVendor) -> DashboardAnswer:
    """The vendor's figures."""
    return DashboardAnswer(dashboard=read(dashboard.of_vendor, actor))


@router.get("/my-assets", responses=refusals(401, 403, 429))
def my_assets(actor: CurrentVendor) -> list[Asset]:
    """The vendor's vehicles as sources to copy prices from."""
    return read(own_vehicles.assets, actor)


@router.get("/vehicles", responses=refusals(401, 403, 429))
def my_vehicles(actor: CurrentVendor, page: Paging) -> VendorVehiclesAnswer:
    """The vendor's vehicles."""
    part = read(own_vehicles.of_vendor, actor, page)
    return VendorVehiclesAnswer(vehicles=part.items, **part.tail)


@router.post("/toggle-vehicle", responses=refusals(400, 401, 403, 404, 429))
def toggle_vehicle(actor: CurrentVendor, body: ToggleRequest) -> Answer:
    """Switch a vehicle on or off."""
    return Answer(message=write(vehicles.toggle, actor, body.vehicle_id))


@router.get("/files/{file_id}", responses=refusals(401, 403, 404, 429), response_class=Response)
def private_file(actor: CurrentVendor, file_id: Annotated[Id, Path()]) -> Response:
    """A paper or photo of one of the vendor's own vehicles, as a download."""
    file = read(own_vehicles.private_file, actor, file_id)
    headers = {
        "Content-Disposition": f'attachment; filename="{file.group_name.lower().replace(" ", "-")}-{file.id}"',
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
    }
    return Response(files.load(file.key), media_type=file.content_type, headers=headers)
