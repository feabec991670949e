"""Photos of the demo: its vehicles, drawn by `python -m bench.fleet_photos` so that seeding only stores them, and their
handovers and returns, with odometers that are drawn here."""

import hashlib
import io
import logging
import secrets
import uuid
from functools import cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from sqlmodel import Session

from rental_app.domain.errors import UnavailableError
from rental_app.domain.uploads import PUBLIC_GROUPS
from rental_app.models import Vehicle, VehicleFile
from rental_app.seed.tables import row_id
from rental_app.services.files import storage
from rental_app.services.files.storage import CheckedFile

SIZE = (640, 480)
BLACK, WHITE = "#1c1f21", "#ffffff"
ODOMETER = "Odometer Reading"


def photos(plate: str, odometer: int) -> list[CheckedFile]:
    """A photo of each side of a vehicle, and of an odometer with this many kilometres; nothing is stored yet."""
    sides = [_file(side, file_of(plate, side).read_bytes(), "avif") for side in PUBLIC_GROUPS]
    picture = Image.new("RGB", SIZE, BLACK)
    pen = ImageDraw.Draw(picture)
    pen.rounded_rectangle((100, 150, 540, 330), 24, outline=WHITE, width=6)
    pen.text((SIZE[0] / 2, SIZE[1] / 2), f"{odometer} km", WHITE, font=_font(72), anchor="mm")
    stream = io.BytesIO()
    picture.save(stream, "JPEG", quality=70)
    return [*sides, _file(ODOMETER, stream.getvalue(), "jpeg")]


def _file(group: str, data: bytes, kind: str) -> CheckedFile:
    key = f"private/{uuid.uuid4().hex}.{kind}"
    return CheckedFile(group, key, f"image/{kind}", len(data), {key: data})


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


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
        session.add(
            VehicleFile(
                vehicle_id=row_id(vehicle),
                group_name=photo.group,
                key=photo.key,
                content_type=photo.content_type,
                size=photo.size,
            )
        )
        if photo.group == COVER:
            vehicle.image = photo.public_path
    session.flush()


def _photo(plate: str, side: str) -> CheckedFile:
    """One picture for both cards and pages: it is small already."""
    data = file_of(plate, side).read_bytes()
    key = f"public/{hashlib.sha256(data).hexdigest()[:24]}{secrets.token_hex(4)}.avif"
    return CheckedFile(side, key, "image/avif", len(data), {key: data})
