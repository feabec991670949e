"""Decoding pictures that people send, and re-encoding them."""

import io
import warnings
from collections.abc import Sequence

from PIL import Image, ImageOps

from rental_app.errors import TooLargeError, UnsupportedTypeError

FORMATS = ("JPEG", "PNG", "WEBP")
DRAFT = (1600, 1600)
NO_PICTURE = "this is not a picture we can read (JPEG, PNG or WebP)"
NO_PAPER = "this is not a picture (JPEG, PNG or WebP) or a PDF we can read"
# A page has two dozen cards; the best quality that stays below this size is used.
CARD_BYTES, CARD_QUALITIES = 60_000, (80, 60, 40, 20, 0)
# Half as large as the JPEG; better methods take five times as long to save a tenth.
WIDE_QUALITY, WIDE_METHOD = 75, 2
Image.MAX_IMAGE_PIXELS = 40_000_000


def content_type(data: bytes) -> str:
    """The type of a picture, which is decoded completely; raises as `redrawn` does."""
    try:
        return Image.MIME[_decode(data).format or ""]
    except Exception as error:
        raise _refusal(error, NO_PAPER) from None


def redrawn(data: bytes, width: int, card_width: int, *widths: int) -> list[bytes]:
    """A picture without its metadata: a JPEG and a WebP for cards; if it is wider than the least of `widths`, also
    WebPs of these widths, provided all are smaller than the JPEG.

    Raises UnsupportedTypeError, and TooLargeError past 40 megapixels.
    """
    try:
        image = _upright(_decode(data))
        full = _encode(image, (width, width * 2), "JPEG", quality=82)
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
    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        Image.open(io.BytesIO(data), formats=FORMATS).verify()
        image = Image.open(io.BytesIO(data), formats=FORMATS)
        image.draft("RGB", DRAFT)
        image.load()
    return image


def _upright(image: Image.Image) -> Image.Image:
    ImageOps.exif_transpose(image, in_place=True)
    plain = image.convert("RGB")
    # Comments would be written again, and any metadata may reveal places and names.
    plain.info.clear()
    return plain


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
