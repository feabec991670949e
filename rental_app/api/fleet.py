"""A vendor's fleet: changes of many vehicles at once, renewed papers, retired vehicles, maintenance."""

from typing import Annotated

from rental_app.api.dependencies import CallRouter, CurrentManager, counted, current_manager, id_of, refusals
from rental_app.api.idempotency import OnlyOnce, message_answer
from rental_app.api.submission import UPLOAD, FormOnlyOnce, Submitted, json_part, keep, multipart
from rental_app.infrastructure.db import read, write
from rental_app.schemas.fleet import (
    BulkAnswer,
    BulkRefusal,
    BulkRequest,
    InUseRefusal,
    MaintenanceAnswer,
    MaintenanceEntryAnswer,
    MaintenanceIn,
    RenewRequest,
)
from rental_app.schemas.validation import validated
from rental_app.schemas.wire import Answer, Id
from rental_app.services.accounts.actor import Actor
from rental_app.services.files import checks
from rental_app.services.files.checks import CheckedUploads
from rental_app.services.fleet import bulk, maintenance, renewal, retirement

router = CallRouter(prefix="/api/vendor/vehicles", tags=["vendor"])
VehiclePath = Annotated[Id, id_of("vehicle", examples=[17])]
EntryPath = Annotated[Id, id_of("entry", examples=[3])]
_RENEWED = json_part("What was renewed, and until when it is valid", RenewRequest)


@router.put("/bulk", responses=refusals(400, 401, 403, 404, 409, 429, conflict=BulkRefusal))
def change_many(actor: CurrentManager, body: BulkRequest) -> BulkAnswer:
    """Change at most 200 vehicles at once, all or none.

    `pause` and `resume` switch them; `block` takes `from`, `to`, `reason` and a `note`, as `/api/vendor/blocks` does;
    `price` takes a `percent`, or an `amount` for one `plan`; `terms` takes the charges and terms to set; `renew` takes
    a `paper` and `validUntil`. A refusal names the vehicles by their RC numbers. With `preview` a price change only
    says what it would do. To undo one, send the `before` of each price to `/api/vendor/prices`, with its `after` as
    `shown`.
    """
    return read(bulk.preview, actor, body) if body.preview else write(bulk.change, actor, body)


@router.post(
    "/{vehicle_id}/renew", openapi_extra=multipart("Insurance", "Pollution", texts={"data": _RENEWED}), **UPLOAD
)
async def renew(
    actor: Annotated[Actor, counted("upload", current_manager)],
    vehicle_id: VehiclePath,
    form: Submitted,
    once: FormOnlyOnce,
) -> Answer:
    """Renew a paper: its new last day and its files together. The files it replaces are kept (`replaced_files`).

    The files are sent along under the paper's name, or named in `uploads`. Of two renewals at once the second is
    refused: 409 `paper_renewed`, because the last day is not the one it has `shown` any more.
    """
    request = validated(RenewRequest, form.json_object("data"), exact=True)
    files = await checks.check_uploads(form.uploads)
    sent = CheckedUploads(files.checked, files.refused, {request.paper: request.uploads})
    return await keep(sent.checked, once, message_answer, renewal.renew, actor, vehicle_id, request, sent)


@router.post("/{vehicle_id}/retire", responses=refusals(401, 403, 404, 409, 429, conflict=InUseRefusal))
def retire(actor: CurrentManager, vehicle_id: VehiclePath, once: OnlyOnce) -> Answer:
    """Take a vehicle out of the fleet: it leaves search, lists, calendar and limits; what it did stays readable.

    Refused while it has bookings ahead, or trips that are out or not settled: 409 `vehicle_in_use` with `bookings`.
    """
    return once(message_answer, retirement.retire, actor, vehicle_id)


@router.post("/{vehicle_id}/bring-back", responses=refusals(401, 403, 404, 409, 429))
def bring_back(actor: CurrentManager, vehicle_id: VehiclePath, once: OnlyOnce) -> Answer:
    """Take a retired vehicle back, switched off; 409 `rc_number_taken` if its RC number has been listed anew."""
    return once(message_answer, retirement.bring_back, actor, vehicle_id)


@router.get("/{vehicle_id}/maintenance", responses=refusals(401, 403, 404, 429))
def maintenance_of(actor: CurrentManager, vehicle_id: VehiclePath) -> MaintenanceAnswer:
    """What was done to a vehicle, what it cost by year, and what is due again by day or by kilometres."""
    return read(maintenance.of_vehicle, actor, vehicle_id)


@router.post("/{vehicle_id}/maintenance", responses=refusals(400, 401, 403, 404, 409, 429))
def note_maintenance(
    actor: CurrentManager, vehicle_id: VehiclePath, body: MaintenanceIn, once: OnlyOnce
) -> MaintenanceEntryAnswer:
    """Note what was done to a vehicle, at which reading and cost, and when it is due again."""
    return once(
        lambda entry: MaintenanceEntryAnswer(message=maintenance.NOTED, entry=entry),
        maintenance.add,
        actor,
        vehicle_id,
        body,
    )


@router.put("/{vehicle_id}/maintenance/{entry_id}", responses=refusals(400, 401, 403, 404, 409, 429))
def change_maintenance(
    actor: CurrentManager, vehicle_id: VehiclePath, entry_id: EntryPath, body: MaintenanceIn
) -> MaintenanceEntryAnswer:
    """Replace what was noted."""
    entry = write(maintenance.change, actor, vehicle_id, entry_id, body)
    return MaintenanceEntryAnswer(message=maintenance.CHANGED, entry=entry)


@router.delete("/{vehicle_id}/maintenance/{entry_id}", responses=refusals(401, 403, 404, 409, 429))
def remove_maintenance(actor: CurrentManager, vehicle_id: VehiclePath, entry_id: EntryPath) -> Answer:
    """Remove what was noted."""
    return Answer(message=write(maintenance.remove, actor, vehicle_id, entry_id))
