"""Damaged files of any kind are refused in the product's words and never cause a failure."""

import io
import os
import random
import time
from collections.abc import Callable
from contextlib import suppress

import pytest
from PIL import Image

from rental_app.domain.errors import RentalError, TooLargeError, UnsupportedTypeError
from rental_app.services.files import pdf_check, pictures
from tests.support.pdfs import made, policy, scan, signed
from tests.support.pictures import DAMAGED_METADATA, display_p3, photo, saved, turned

# Thirty before a release, a fraction of one in every run.
SECONDS = float(os.environ.get("MUTATION_SECONDS", "0.2"))
SOURCES = {
    "jpeg": photo(exif=turned((0x8769, 4, 1, b"\x26\0\0\0"), (0x010F, 2, 4, b"abc\0"))),
    "progressive": photo(progressive=True),
    "png": photo("PNG", exif=turned(), icc_profile=bytes(200)),
    "webp": photo("WEBP", exif=turned()),
    "heic": photo("HEIF", exif=turned()),
    "several in one": photo("MPO", save_all=True, append_images=[Image.new("RGB", (48, 40))]),
    "grey of 16 bits": saved(Image.new("I;16", (48, 40), 999), "PNG", transparency=999),
    "colours of a phone": photo(icc_profile=display_p3()),
    "moving webp": photo("WEBP", save_all=True, append_images=[Image.new("RGB", (48, 40))]),
    "moving png": photo("PNG", save_all=True, append_images=[Image.new("RGB", (48, 40))]),
}
PDFS: dict[str, Callable[[], bytes]] = {"scan": scan, "letter": policy, "signed": lambda: made(signed)}


def damaged(source: bytes, dice: random.Random) -> bytes:
    """Return the source with some bytes changed, and sometimes with the end cut off."""
    data = bytearray(source)
    for _ in range(dice.randint(1, 8)):
        data[dice.randrange(4, len(data))] = dice.randrange(256)
    return bytes(data[: dice.choice([None, None, dice.randrange(8, len(data))])])


def until_time_is_up(source: bytes, look: Callable[[bytes], object]) -> None:
    dice, end = random.Random(source), time.monotonic() + SECONDS  # noqa: S311 - the same damage every time
    while time.monotonic() < end:
        with suppress(RentalError):
            look(damaged(source, dice))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", SOURCES)
def test_pictures(kind: str) -> None:
    pictures.redrawn(SOURCES[kind], 30, 20)
    until_time_is_up(SOURCES[kind], lambda data: pictures.redrawn(data, 30, 20))


@pytest.mark.parametrize("kind", PDFS)
def test_pdfs(kind: str) -> None:
    until_time_is_up(PDFS[kind](), pdf_check.check)


@pytest.mark.parametrize("name", DAMAGED_METADATA)
def test_metadata(name: str) -> None:
    with pytest.raises(UnsupportedTypeError, match="not a picture"):
        pictures.redrawn(DAMAGED_METADATA[name], 30, 20)


def test_large_metadata_is_left_behind() -> None:
    profile = os.urandom(60_000)
    for source in (photo(icc_profile=profile, exif=b"Exif\0\0" + profile), photo("PNG", icc_profile=profile)):
        drawn, card = pictures.redrawn(source, 30, 20)
        assert max(len(drawn), len(card)) < 5_000
        assert not Image.open(io.BytesIO(drawn)).info.get("icc_profile")


def test_too_many_pixels_are_refused_unread() -> None:
    out = io.BytesIO()
    Image.new("1", (8000, 5001)).save(out, "PNG")
    with pytest.raises(TooLargeError, match="40 megapixels"):
        pictures.as_paper(out.getvalue())
