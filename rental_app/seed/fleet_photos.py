"""The demo vehicles' photos: drawn beforehand by `python -m bench.fleet_photos`, so that seeding only stores them."""

import hashlib
import logging
import secrets
from pathlib import Path

from sqlmodel import Session

from rental_app.domain.errors import UnavailableError
from rental_app.domain.uploads import PUBLIC_GROUPS
from rental_app.models import Vehicle, VehicleFile
from rental_app.seed.tables import row_id
from rental_app.services.files import storage
from rental_app.services.files.storage import CheckedFile

FOLDER = Path(__file__).parent / "fleet_photos"
# The picture of the vehicle everywhere else, as of every listed one.
COVER = "Front"

log = logging.getLogger(__name__)


def file_of(plate: str, side: str) -> Path:
    """The file with the photo of one side of a vehicle."""
    return FOLDER / f"{plate}-{side.lower()}.avif"


def add_photos(session: Session, fleet: dict[str, Vehicle]) -> None:
    """Store four photos of each vehicle, by plate; if the file store is unavailable, vehicles keep showing drawings."""
    taken = [(vehicle, _photo(plate, side)) for plate, vehicle in fleet.items() for side in PUBLIC_GROUPS]
    try:
        with storage.storing([photo for _, photo in taken]):
            _note(session, taken)
    except UnavailableError:
        log.warning("the demo's photos could not be stored")


def _note(session: Session, taken: list[tuple[Vehicle, CheckedFile]]) -> None:
    for vehicle, photo in taken:
        session.add(_row(row_id(vehicle), photo))
        if photo.group == COVER:
            vehicle.image = photo.public_path
    session.flush()


def _photo(plate: str, side: str) -> CheckedFile:
    """One picture for both cards and pages: it is small already."""
    data = file_of(plate, side).read_bytes()
    key = f"public/{hashlib.sha256(data).hexdigest()[:24]}{secrets.token_hex(4)}.avif"
    return CheckedFile(side, key, "image/avif", len(data), {key: data})


def _row(vehicle_id: int, photo: CheckedFile) -> VehicleFile:
    return VehicleFile(
        vehicle_id=vehicle_id,
        group_name=photo.group,
        key=photo.key,
        content_type=photo.content_type,
        size=photo.size,
    )
