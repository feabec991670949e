"""Photos of the demo's handovers and returns: drawn here, so that nobody's vehicle or number plate is shown."""

import io
import uuid
from functools import cache

from PIL import Image, ImageDraw, ImageFont

from rental_app.rules.uploads import PUBLIC_GROUPS
from rental_app.services.files import CheckedFile

SIZE = (640, 480)
SKY, ROAD, BODY, GLASS, BLACK, WHITE = "#cfe3ea", "#8b8f92", "#0f766e", "#e8f3f1", "#1c1f21", "#ffffff"
ODOMETER = "Odometer Reading"


def photos(odometer: int) -> list[CheckedFile]:
    """A photo of each side, and of an odometer that shows so many kilometres; nothing is stored yet."""
    return [*(_file(side, _side(side)) for side in PUBLIC_GROUPS), _file(ODOMETER, _display(odometer))]


def _file(group: str, data: bytes) -> CheckedFile:
    key = f"private/{uuid.uuid4().hex}.jpg"
    return CheckedFile(group, key, "image/jpeg", len(data), {key: data})


@cache
def _side(side: str) -> bytes:
    """A vehicle in a street, long from its sides and narrow from its ends."""
    picture = Image.new("RGB", SIZE, SKY)
    pen = ImageDraw.Draw(picture)
    pen.rectangle((0, 340, *SIZE), ROAD)
    left, right = (90, 550) if side in ("Left", "Right") else (200, 440)
    pen.rounded_rectangle((left, 230, right, 360), 30, BODY)
    pen.rounded_rectangle((left + 60, 150, right - 60, 250), 30, BODY)
    pen.rounded_rectangle((left + 80, 168, right - 80, 236), 18, GLASS)
    for middle in (left + 70, right - 70):
        pen.ellipse((middle - 42, 318, middle + 42, 402), BLACK)
    pen.text((24, 20), side, BLACK, font=_font(36))
    return _jpeg(picture)


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
