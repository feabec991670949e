"""A vendor's vehicles: listing, editing, switching on and off."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import delete
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.acts import Act, changes
from rental_app.domain.errors import RentalError
from rental_app.domain.uploads import FILE_GROUPS, require_group
from rental_app.infrastructure.db import violated
from rental_app.infrastructure.settings import settings
from rental_app.models import Vehicle, VehiclePrice
from rental_app.schemas.calendars import BookingInTheWay, ToggleAnswer
from rental_app.schemas.validation import refuse_together, validated
from rental_app.schemas.vehicles import EditedFiles, EditedVehicle, PickupPlace, VehicleData, require_fields
from rental_app.schemas.wire import Identified
from rental_app.services import audit, throttle
from rental_app.services.accounts import emails
from rental_app.services.accounts.actor import Actor, require_manager, require_own
from rental_app.services.bookings import rows
from rental_app.services.files import limits, uploads
from rental_app.services.files.checks import CheckedUploads
from rental_app.services.files.storage import CheckedFile
from rental_app.services.fleet import listing_checks
from rental_app.services.fleet import papers as fleet_files

LISTED = "Vehicle listed successfully"
_NOT_COLUMNS = {"id", "type_id", "manufacturer_id", "prices", "drop_files", *PickupPlace.model_fields}


class EditResult(NamedTuple):
    """The result of an edit: a message for the vendor, and the store keys no longer used."""

    message: str
    unused: list[str]


def submit(session: Session, actor: Actor, data: Mapping[str, Any], sent: CheckedUploads) -> int:
    """List a vehicle submitted by a form, with its files; returns its id.

    All that is wrong with data, prices and files is reported at once, by `refuse_together`. Raises ForbiddenError (not
    a vendor) and ConflictError (the account may list no more vehicles, or has no room for the files).
    """
    throttle.count("change", actor)
    require_manager(actor)
    limits.require_place(session, actor.vendor)
    with limits.room(session, actor.vendor, sent.checked):
        files = SentFiles(session, actor, sent)
        refuse_together(
            partial(require_fields, data),
            partial(_require_all_groups, sent.groups()),
            partial(validated, VehicleData, data),
            *listing_checks.of_new(session, actor, data),
            *files.checks(),
        )
        return _add(session, actor, validated(VehicleData, data), files.taken)


def change(session: Session, actor: Actor, data: Mapping[str, Any], sent: CheckedUploads) -> EditResult:
    """Change a vehicle, identified by the `id` in its data, as a form submits it; refuses as `submit` does.

    If the data hold only the `id`, with files or with `drop_files`, only the files change. Raises NotFoundError for a
    vehicle that is not the actor's, and ConflictError if the account has no room for the files.
    """
    throttle.count("change", actor)
    vehicle = _own(session, actor, validated(Identified, data).id)
    with limits.room(session, actor.vendor, sent.checked):
        files = SentFiles(session, actor, sent)
        if data.keys() <= EditedFiles.model_fields.keys() and ("drop_files" in data or sent.groups()):
            refuse_together(partial(validated, EditedFiles, data), *files.checks())
            return _edit(session, actor, vehicle, validated(EditedFiles, data), files.taken)
        refuse_together(
            partial(require_fields, data),
            partial(validated, EditedVehicle, data),
            *listing_checks.of_changed(session, actor, data, vehicle),
            *files.checks(),
        )
        return _edit(session, actor, vehicle, validated(EditedVehicle, data), files.taken)


class SentFiles:
    """The files that a form sends, checked together with its data."""

    def __init__(
        self, session: Session, actor: Actor, sent: CheckedUploads, groups: Collection[str] = FILE_GROUPS
    ) -> None:
        self._claim = partial(uploads.claim, session, actor, sent.ahead)
        self._sent, self._groups = sent, groups
        self.taken = [*sent.checked]

    def checks(self) -> Iterator[Callable[[], object]]:
        """The checks that raise all that is wrong with the files; uploads are claimed along the way."""
        yield self._known_groups
        yield from (partial(_refuse, refusal) for refusal in self._sent.refused)
        yield lambda: self.taken.extend(self._claim())

    def _known_groups(self) -> None:
        require_group(self._sent.groups(), self._groups)


def _refuse(refusal: RentalError) -> None:
    raise refusal


def _require_all_groups(groups: set[str]) -> None:
    """Raise InvalidInputError naming every upload group without a file."""
    if missing := [group for group in FILE_GROUPS if group not in groups]:
        raise fleet_files.missing_documents(missing)


def _add(session: Session, actor: Actor, data: VehicleData, files: Sequence[CheckedFile]) -> int:
    vehicle = Vehicle(
        vendor_id=actor.vendor,
        location_id=listing_checks.locality_of_vehicle(session, actor, data),
        is_approved=settings().listing_approval == "auto" and emails.may_list(session, actor.vendor),
        **listing_checks.own_address(data),
        **data.model_dump(exclude=_NOT_COLUMNS),
    )
    session.add(vehicle)
    _flush_unique(session, actor, data)
    _put_prices(session, vehicle.id or 0, data)
    fleet_files.put(session, vehicle, files)
    audit.record(
        session, actor, Act.LISTING_ADDED, ("vehicle", vehicle.id or 0), after={"rc_number": vehicle.rc_number}
    )
    return vehicle.id or 0


def _edit(
    session: Session, actor: Actor, vehicle: Vehicle, data: EditedVehicle | EditedFiles, files: Sequence[CheckedFile]
) -> EditResult:
    message, earlier = "Vehicle updated successfully!", vehicle.model_dump(mode="json")
    # What an operator has refused or taken down is mended by this, and waits for them again.
    is_sent_again, vehicle.refusal = bool(vehicle.refusal), ""
    if is_sent_again or listing_checks.needs_approval(vehicle, data, files=bool(files)):
        vehicle.is_approved = False
        message += " It waits for approval again and cannot be booked until then."
    if isinstance(data, EditedVehicle):
        _replace_data(session, actor, vehicle, data)
    edited = EditResult(message, fleet_files.put(session, vehicle, files, data.drop_files))
    before, after = changes(earlier, vehicle.model_dump(mode="json"))
    if isinstance(data, EditedVehicle) and "prices" in data.model_fields_set:
        after["prices"] = [plan.model_dump(mode="json") for plan in data.prices]
    after |= {"new_files": sorted({file.group for file in files})} if files else {}
    after |= {"dropped_files": data.drop_files} if data.drop_files else {}
    audit.record(session, actor, Act.LISTING_CHANGED, ("vehicle", vehicle.id or 0), before=before, after=after)
    return edited


def _replace_data(session: Session, actor: Actor, vehicle: Vehicle, data: EditedVehicle) -> None:
    vehicle.location_id = listing_checks.locality_of_vehicle(session, actor, data, vehicle)
    address = listing_checks.own_address(data, vehicle)
    if not data.leaves_address:
        vehicle.sqlmodel_update(address)
    vehicle.sqlmodel_update(data.model_dump(exclude=_NOT_COLUMNS, exclude_unset=True))
    _flush_unique(session, actor, data)
    if "prices" in data.model_fields_set:
        _put_prices(session, data.id, data)


def toggle(session: Session, actor: Actor, vehicle_id: int) -> ToggleAnswer:
    """Switch a vehicle off if it is on, and on if it is off; says which bookings are ahead of one that is off."""
    throttle.count("change", actor)
    vehicle = _own(session, actor, vehicle_id)
    return set_active(session, actor, vehicle, not vehicle.is_active)


def switch(session: Session, actor: Actor, vehicle_id: int, wanted: bool) -> ToggleAnswer:
    """Set a vehicle on or off, even if it already is; says which bookings are ahead of one that is off."""
    throttle.count("change", actor)
    return set_active(session, actor, _own(session, actor, vehicle_id), wanted)


def bookings_ahead(session: Session, actor: Actor, vehicle_id: int) -> list[BookingInTheWay]:
    """The bookings ahead of one of the vendor's vehicles. Raises ForbiddenError and NotFoundError."""
    throttle.count("list", actor)
    require_manager(actor)
    require_own(session, actor, vehicle_id)
    return rows.in_the_way_of(session, vehicle_id, clock.now())


def set_active(session: Session, actor: Actor, vehicle: Vehicle, wanted: bool) -> ToggleAnswer:
    """Switch a locked vehicle; its existing bookings are left alone, and their vendor is told which they are."""
    if vehicle.is_active != wanted:
        before, after = {"is_active": vehicle.is_active}, {"is_active": wanted}
        audit.record(session, actor, Act.LISTING_SWITCHED, ("vehicle", vehicle.id or 0), before=before, after=after)
    vehicle.is_active = wanted
    if wanted:
        return ToggleAnswer(message="Vehicle is now on the platform")
    left = rows.in_the_way_of(session, vehicle.id or 0, clock.now())
    return ToggleAnswer(message="Vehicle is now blocked from booking", bookings=left)


def _own(session: Session, actor: Actor, vehicle_id: int) -> Vehicle:
    require_manager(actor)
    # Locked so that two switches, or an edit and a switch, run one after the other.
    require_own(session, actor, vehicle_id, lock=True)
    return session.get_one(Vehicle, vehicle_id)


def _flush_unique(session: Session, actor: Actor, data: VehicleData) -> None:
    try:
        session.flush()
    except IntegrityError as error:
        if violated(error) != "uq_vehicle_rc_number":
            raise
        raise listing_checks.rc_number_taken(actor, data) from None


def _put_prices(session: Session, vehicle_id: int, data: VehicleData) -> None:
    session.execute(delete(VehiclePrice).where(col(VehiclePrice.vehicle_id) == vehicle_id))
    session.add_all(VehiclePrice(vehicle_id=vehicle_id, **price.model_dump(mode="python")) for price in data.prices)
    session.flush()
