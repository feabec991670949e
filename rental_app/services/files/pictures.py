"""Decoding pictures that people send, and re-encoding them."""

import io
import struct
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont, ImageOps

import rental_app.content
from rental_app.domain.errors import TooLargeError, UnsupportedTypeError

FORMATS = ("JPEG", "PNG", "WEBP")
DRAFT = (1600, 1600)
NO_PICTURE = "this is not a picture we can read (JPEG, PNG, WebP or HEIC)"
NO_PAPER = "this is not a picture (JPEG, PNG, WebP or HEIC) or a PDF we can read"
# What browsers shrink photos to, before they send them.
PAPER_ROOM, PAPER_QUALITY = (2000, 2000), 85
LEAST_WATERMARKED = 720
WATERMARK_FONT = Path(next(iter(rental_app.content.__path__))) / "fonts" / "dejavu-sans-condensed-bold.ttf"
# In degrees.
WATERMARK_SLOPE = 20
# A page has two dozen cards; the best quality that stays below this size is used.
CARD_BYTES, CARD_QUALITIES = 60_000, (80, 60, 40, 20, 0)
# Half as large as the JPEG; better methods take five times as long to save a tenth.
WIDE_QUALITY, WIDE_METHOD = 75, 2
# Red, green and blue as profiles have them, under the numbers that say the same in a HEIC without one (ITU-T H.273).
DISPLAY_P3, BT_2020 = 12, 9
PRIMARIES: Mapping[int, Mapping[bytes, tuple[float, float, float]]] = {
    DISPLAY_P3: {
        b"rXYZ": (0.51512, 0.24120, -0.00105),
        b"gXYZ": (0.29198, 0.69225, 0.04189),
        b"bXYZ": (0.15710, 0.06657, 0.78407),
    },
    BT_2020: {
        b"rXYZ": (0.67349, 0.27904, -0.00194),
        b"gXYZ": (0.16567, 0.67535, 0.02998),
        b"bXYZ": (0.12505, 0.04561, 0.79686),
    },
}
Image.MAX_IMAGE_PIXELS = 40_000_000


def as_paper(data: bytes) -> tuple[str, list[bytes]]:
    """The type of a picture that is kept as it is, after decoding it completely, and a JPEG instead of it if it is a
    HEIC, which few programs show; raises as `redrawn` does.
    """
    try:
        image = _decode(data)
        if image.format == "HEIF":
            return "image/jpeg", [_encode(_plain(image, PAPER_ROOM), PAPER_ROOM, "JPEG", quality=PAPER_QUALITY)]
        # MPO is a JPEG followed by others: a preview, a depth map, or what makes it brighter.
        return Image.MIME["JPEG" if image.format == "MPO" else image.format or ""], []
    except Exception as error:
        raise _refusal(error, NO_PAPER) from None


def plain(data: bytes) -> bytes:
    """A picture of a document as a JPEG, upright and without its metadata; raises as `redrawn` does."""
    try:
        return as_jpeg(_plain(_decode(data), PAPER_ROOM))
    except Exception as error:
        raise _refusal(error, NO_PAPER) from None


def as_jpeg(image: Image.Image) -> bytes:
    """A picture of a document as it is stored."""
    return _encode(image.convert("RGB"), PAPER_ROOM, "JPEG", quality=PAPER_QUALITY)


def watermarked(data: bytes, text: str) -> bytes:
    """A stored picture of a document with a text all over it, as a JPEG; raises as `redrawn` does."""
    try:
        image = _decode(data).convert("RGB")
        # On a small picture there would be no room for the text.
        if max(image.size) < LEAST_WATERMARKED:
            image = ImageOps.contain(image, (LEAST_WATERMARKED, LEAST_WATERMARKED))
        size = max(image.size) // 45
        tile = _tile(text, ImageFont.truetype(WATERMARK_FONT, size))
        for y in range(0, image.height, tile.height):
            # Every other line begins elsewhere, so that no strip of the picture is free of it.
            for x in range(-(tile.width // 2) * (y // tile.height % 2), image.width, tile.width):
                image.paste(tile, (x, y), tile)
        return _encode(image, image.size, "JPEG", quality=PAPER_QUALITY)
    except Exception as error:
        raise _refusal(error, NO_PAPER) from None


def _tile(text: str, font: ImageFont.FreeTypeFont) -> Image.Image:
    """A text on a slope, light with a dark rim, to be laid over a picture."""
    left, top, right, bottom = font.getbbox(text)
    room = Image.new("RGBA", (int(right - left) + 4 * int(font.size), int(bottom - top) + 3 * int(font.size)))
    where = (2 * font.size, font.size)
    ImageDraw.Draw(room).text(
        where, text, font=font, fill=(255, 255, 255, 110), stroke_width=2, stroke_fill=(0, 0, 0, 90)
    )
    return room.rotate(WATERMARK_SLOPE, expand=True, resample=Image.Resampling.BICUBIC)


def redrawn(data: bytes, width: int, card_width: int, *widths: int) -> list[bytes]:
    """A picture without its metadata: a JPEG and a WebP for cards; if it is wider than the least of `widths`, also
    WebPs of these widths, provided all are smaller than the JPEG.

    Raises UnsupportedTypeError, and TooLargeError past 40 megapixels.
    """
    try:
        room = (width, width * 2)
        image = _plain(_decode(data), room)
        full = _encode(image, room, "JPEG", quality=82)
        wide = _wide(image, widths) if image.width > min(widths, default=width) else []
        smaller = all(len(each) < len(full) for each in wide)
        return [full, _card(image, card_width), *(wide if smaller else [])]
    # Damaged files make the decoders, and the reading of metadata, raise exceptions of any kind.
    except Exception as error:
        raise _refusal(error, NO_PICTURE) from None


def _refusal(error: Exception, reason: str) -> TooLargeError | UnsupportedTypeError:
    if isinstance(error, Image.DecompressionBombWarning | Image.DecompressionBombError):
        return TooLargeError("a picture can have at most 40 megapixels")
    return UnsupportedTypeError(reason)


def _decode(data: bytes) -> Image.Image:
    formats = _formats(data)
    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        Image.open(io.BytesIO(data), formats=formats).verify()
        image = Image.open(io.BytesIO(data), formats=formats)
        image.draft("RGB", DRAFT)
        image.load()
    return image


def _formats(data: bytes) -> tuple[str, ...]:
    """What a picture may be; the decoder of HEIC is loaded only for what looks like one."""
    if data[4:8] != b"ftyp":
        return FORMATS
    import pillow_heif

    # Of the file's pictures, only the one that is shown is decoded; other threads would need memory of their own.
    pillow_heif.register_heif_opener(thumbnails=False, depth_images=False, aux_images=False, decode_threads=1)
    return ("HEIF",)


def _plain(image: Image.Image, room: tuple[int, int]) -> Image.Image:
    """A picture that fits into some room: upright, in sRGB, on white where it is transparent."""
    ImageOps.exif_transpose(image, in_place=True)
    profile = image.info.get("icc_profile") or _profile_of_numbers(image)
    image = _eight_bits(image) if image.mode.startswith("I") else image
    if image.has_transparency_data:
        image = image if image.mode == "RGBA" else image.convert("RGBA")
        white = Image.new("RGB", image.size, "white")
        white.paste(image, mask=image.getchannel("A"))
        image = white
    elif image.mode not in {"RGB", "L", "CMYK"}:
        image = image.convert("RGB")
    image.thumbnail(room, Image.Resampling.LANCZOS)
    plain = _in_srgb(image, profile) if profile else image.convert("RGB")
    # Comments would be written again, and any metadata may reveal places and names.
    plain.info.clear()
    return plain


def _eight_bits(image: Image.Image) -> Image.Image:
    """Grey of 16 bits scaled to 8: a conversion alone turns all but the darkest into white."""
    grey = image.convert("I").point(lambda value: value * (1 / 257)).convert("L")
    if isinstance(clear := image.info.get("transparency"), int):
        grey.info["transparency"] = clear // 257
    return grey


def _profile_of_numbers(image: Image.Image) -> bytes | None:
    """The profile of a HEIC that names its colours by a number only; None if they are those of sRGB, or not known."""
    primaries = PRIMARIES.get((image.info.get("nclx_profile") or {}).get("color_primaries", 0))
    return profile_of(primaries) if primaries else None


def profile_of(primaries: Mapping[bytes, tuple[float, float, float]]) -> bytes:
    """The profile for sRGB with another red, green and blue."""
    from PIL import ImageCms

    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    (tags,) = struct.unpack_from(">I", profile, 128)
    for at in range(132, 132 + 12 * tags, 12):
        name, place, _ = struct.unpack_from(">4sII", profile, at)
        if name in primaries:
            struct.pack_into(">3i", profile, place + 8, *(round(value * 65536) for value in primaries[name]))
    return bytes(profile)


def _in_srgb(image: Image.Image, profile: bytes) -> Image.Image:
    """The colours that a profile means, for viewers that do not get it; a profile that cannot be used is ignored."""
    from PIL import ImageCms

    with suppress(ImageCms.PyCMSError, OSError):
        meant = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        converted = ImageCms.profileToProfile(image, meant, ImageCms.createProfile("sRGB"), outputMode="RGB")
        if converted:
            return converted
    return image.convert("RGB")


def _wide(image: Image.Image, widths: Sequence[int]) -> list[bytes]:
    """The picture at some widths, the least first; each is scaled down from the next larger one."""
    how = {"quality": WIDE_QUALITY, "method": WIDE_METHOD}
    return [_encode(image, (width, width * 2), "WEBP", **how) for width in sorted(widths, reverse=True)][::-1]


def _card(image: Image.Image, width: int) -> bytes:
    for quality in CARD_QUALITIES:
        # Cards are wider than they are high.
        data = _encode(image, (width, width * 3 // 4), "WEBP", quality=quality)
        if len(data) <= CARD_BYTES:
            break
    return data


def _encode(image: Image.Image, room: tuple[int, int], kind: str, **how: int) -> bytes:
    image.thumbnail(room, Image.Resampling.LANCZOS)
    out = io.BytesIO()
    image.save(out, kind, **how)
    return out.getvalue()
