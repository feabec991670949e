"""Photos of the demo's handovers and returns: those of its listed vehicles, and odometers that are drawn here."""

import io
import uuid
from functools import cache

from PIL import Image, ImageDraw, ImageFont

from rental_app.domain.uploads import PUBLIC_GROUPS
from rental_app.seed.fleet_photos import file_of
from rental_app.services.files.storage import CheckedFile

SIZE = (640, 480)
BLACK, WHITE = "#1c1f21", "#ffffff"
ODOMETER = "Odometer Reading"


def photos(plate: str, odometer: int) -> list[CheckedFile]:
    """A photo of each side of a vehicle, and of an odometer with this many kilometres; nothing is stored yet."""
    sides = [_file(side, file_of(plate, side).read_bytes(), "avif") for side in PUBLIC_GROUPS]
    return [*sides, _file(ODOMETER, _display(odometer), "jpeg")]


def _file(group: str, data: bytes, kind: str) -> CheckedFile:
    key = f"private/{uuid.uuid4().hex}.{kind}"
    return CheckedFile(group, key, f"image/{kind}", len(data), {key: data})


def _display(odometer: int) -> bytes:
    picture = Image.new("RGB", SIZE, BLACK)
    pen = ImageDraw.Draw(picture)
    pen.rounded_rectangle((100, 150, 540, 330), 24, outline=WHITE, width=6)
    pen.text((SIZE[0] / 2, SIZE[1] / 2), f"{odometer} km", WHITE, font=_font(72), anchor="mm")
    return _jpeg(picture)


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _jpeg(picture: Image.Image) -> bytes:
    stream = io.BytesIO()
    picture.save(stream, "JPEG", quality=70)
    return stream.getvalue()
