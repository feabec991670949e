"""Pictures for tests: ordinary ones, and damaged or hostile ones."""

import io
import struct
from typing import Any

import pillow_heif
from PIL import Image, ImageCms

pillow_heif.register_heif_opener()
# Red, green and blue of the screens of phones, as a profile has them.
DISPLAY_P3 = {
    b"rXYZ": (0.51512, 0.24120, -0.00105),
    b"gXYZ": (0.29198, 0.69225, 0.04189),
    b"bXYZ": (0.1571, 0.06657, 0.78407),
}
UPSIDE = (0x0112, 3, 1, struct.pack("<I", 6))


def photo(kind: str = "JPEG", size: tuple[int, int] = (48, 40), **options: Any) -> bytes:
    """Return a picture that is not blank."""
    out = io.BytesIO()
    Image.effect_noise(size, 60).convert("RGB").save(out, kind, **options)
    return out.getvalue()


def turned(*entries: tuple[int, int, int, bytes]) -> bytes:
    """Return EXIF data with a rotation, which makes readers rewrite all of it; entries are tag, type, count, value."""
    parts = [struct.pack("<HHI4s", *entry) for entry in (UPSIDE, *entries)]
    return b"Exif\0\0II*\0" + struct.pack("<IH", 8, len(parts)) + b"".join(parts) + bytes(4)


def saved(image: Image.Image, kind: str, **options: Any) -> bytes:
    """Return a picture as a file."""
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def display_p3() -> bytes:
    """Return the profile that iPhones embed, made from the one for sRGB."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    (tags,) = struct.unpack_from(">I", profile, 128)
    for at in range(132, 132 + 12 * tags, 12):
        name, place, _ = struct.unpack_from(">4sII", profile, at)
        if name in DISPLAY_P3:
            struct.pack_into(">3i", profile, place + 8, *(round(value * 65536) for value in DISPLAY_P3[name]))
    return bytes(profile)


def declaring(heic: bytes, width: int, height: int) -> bytes:
    """Return a HEIC that claims to be of another size than it is."""
    data = bytearray(heic)
    at = data.index(b"ispe")
    struct.pack_into(">II", data, at + 8, width, height)
    return bytes(data)


def scans(many: int) -> bytes:
    """Return a 36-megapixel progressive JPEG that repeats its last scan: each one costs a pass over all pixels."""
    out = io.BytesIO()
    Image.new("L", (6000, 6000)).save(out, "JPEG", progressive=True)
    head, mark, last = out.getvalue()[:-2].rpartition(b"\xff\xda")
    return head + (mark + last) * many + b"\xff\xd9"


DAMAGED_METADATA = {
    "a size below nothing": photo(exif=turned((0x0100, 9, 1, struct.pack("<i", -5)))),
    "a size with a fraction": photo(exif=turned((0x0100, 11, 1, struct.pack("<f", 1e30)))),
    "text for a table's place": photo(exif=turned((0xA005, 2, 4, b"abc\0"))),
    "no table at all": photo("PNG", exif=b"garbage!"),
    "no table in a WebP": photo("WEBP", exif=b"garbage!"),
}
