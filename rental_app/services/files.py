"""Uploaded files: checked, re-encoded where public, and kept in a folder or an S3 bucket."""

import io
import logging
import threading
import uuid
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache

import obstore
import obstore.exceptions
import pikepdf
from obstore.store import LocalStore, ObjectStore, from_url
from PIL import Image, ImageOps, UnidentifiedImageError

from rental_app.errors import InvalidInputError, NotFoundError, TooLargeError, UnavailableError, UnsupportedTypeError
from rental_app.models.vehicle import PUBLIC_GROUPS
from rental_app.settings import settings

MAX_FILE_BYTES = 12 * 1024 * 1024
MAX_FILES_A_GROUP = 8
MAX_REQUEST_BYTES = 60 * 1024 * 1024
MAX_PDF_PAGES = 50
ACTIVE_KEYS = {"/JS", "/JavaScript", "/EF", "/EmbeddedFiles"}
ACTIONS = ("/JavaScript", "/Launch")
FULL_WIDTH, CARD_WIDTH, AVATAR_WIDTH = 1600, 640, 320
STORE_FAILURES = (OSError, obstore.exceptions.BaseError)
STORE_AWAY = "Files cannot be reached right now, please try again shortly"
IMAGE_FORMATS = ("JPEG", "PNG", "WEBP")
Image.MAX_IMAGE_PIXELS = 40_000_000

log = logging.getLogger(__name__)
# Decoding takes tens of megabytes a picture: two at a time bound the memory.
_decoding = threading.BoundedSemaphore(2)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it arrived; its name is never used."""

    group: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file fit to be kept: its key, type, and the objects (key to bytes) to put into the store."""

    group: str
    key: str
    content_type: str
    size: int
    objects: dict[str, bytes] = field(repr=False)

    @property
    def public_path(self) -> str:
        """Where a public picture loads from."""
        return f"/media/{self.key}"


@cache
def store() -> ObjectStore:
    """The folder `files` in the data folder, or what RENTAL_FILES_URL names."""
    if url := settings().files_url:
        return from_url(url)
    return LocalStore(settings().data_dir.absolute() / "files", mkdir=True)


def check_uploads(uploads: Sequence[Upload]) -> list[CheckedFile]:
    """Check every upload and prepare what will be kept.

    Raises InvalidInputError (too many), TooLargeError, UnsupportedTypeError, each naming the group.
    """
    for group in {upload.group for upload in uploads}:
        if sum(upload.group == group for upload in uploads) > MAX_FILES_A_GROUP:
            message = f"{group}: at most {MAX_FILES_A_GROUP} files"
            raise InvalidInputError(message, code="too_many_files", fields={group: message})
    return [_check(upload) for upload in uploads]


def _check(upload: Upload) -> CheckedFile:
    _check_size(upload)
    if upload.group in PUBLIC_GROUPS:
        return picture(upload, FULL_WIDTH, CARD_WIDTH)
    return _paper(upload)


def _check_size(upload: Upload) -> None:
    if len(upload.data) > MAX_FILE_BYTES:
        message = f"{upload.group}: a file can have at most {MAX_FILE_BYTES // 1024 // 1024} MB"
        raise TooLargeError(message, fields={upload.group: message})


def picture(upload: Upload, width: int, card_width: int) -> CheckedFile:
    """A public picture, re-encoded without metadata: a JPEG and, for cards, a WebP beside it."""
    stem = f"public/{uuid.uuid4().hex}"
    with _decoding:
        image = _decode(upload)
        full = _encode(image, width, "JPEG", quality=82)
        card = _encode(image, card_width, "WEBP", quality=80)
    return CheckedFile(
        upload.group, f"{stem}.jpg", "image/jpeg", len(full), {f"{stem}.jpg": full, f"{stem}.webp": card}
    )


def avatar(upload: Upload) -> CheckedFile:
    """An account's picture, small and without metadata; raises as `check_uploads`."""
    _check_size(upload)
    return picture(upload, AVATAR_WIDTH, AVATAR_WIDTH)


def objects_of(key: str) -> list[str]:
    """Every object in the store that belongs to a file's key; none for a blank key."""
    if key.startswith("public/"):
        return [key, key.removesuffix(".jpg") + ".webp"]
    return [key] if key else []


def _paper(upload: Upload) -> CheckedFile:
    if upload.data.startswith(b"%PDF-"):
        _check_pdf(upload)
        content_type = "application/pdf"
    else:
        with _decoding:
            content_type = Image.MIME[_decode(upload).format or "JPEG"]
    key = f"private/{uuid.uuid4().hex}"
    return CheckedFile(upload.group, key, content_type, len(upload.data), {key: upload.data})


def _unsupported(upload: Upload, reason: str) -> UnsupportedTypeError:
    message = f"{upload.group}: {reason}"
    return UnsupportedTypeError(message, fields={upload.group: message})


def _decode(upload: Upload) -> Image.Image:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            Image.open(io.BytesIO(upload.data), formats=IMAGE_FORMATS).verify()
            image = Image.open(io.BytesIO(upload.data), formats=IMAGE_FORMATS)
            image.draft("RGB", (FULL_WIDTH, FULL_WIDTH))
            image.load()
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        message = f"{upload.group}: a picture can have at most 40 megapixels"
        raise TooLargeError(message, fields={upload.group: message}) from None
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError):
        raise _unsupported(upload, "this is not a picture (JPEG, PNG or WebP) or a PDF we can read") from None
    return image


def _encode(image: Image.Image, width: int, kind: str, quality: int) -> bytes:
    upright = ImageOps.exif_transpose(image).convert("RGB")
    # Comments would be written again; places and names hide in all of it.
    upright.info.clear()
    upright.thumbnail((width, width * 2), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    upright.save(out, kind, quality=quality)
    return out.getvalue()


def _check_pdf(upload: Upload) -> None:
    try:
        with pikepdf.open(io.BytesIO(upload.data)) as pdf:
            if pdf.is_encrypted or len(pdf.attachments) or len(pdf.pages) > MAX_PDF_PAGES or _acts(pdf):
                raise _unsupported(upload, "PDFs must be plain: no password, scripts or attachments, 50 pages at most")
    except (pikepdf.PdfError, pikepdf.PasswordError, ValueError, KeyError, TypeError, RuntimeError):
        raise _unsupported(upload, "this PDF cannot be read or is protected by a password") from None


def _acts(pdf: pikepdf.Pdf) -> bool:
    """Whether anything in a PDF runs, launches or carries something: actions hide inside of annotations too."""
    waiting = list(pdf.objects)
    while waiting:
        thing = waiting.pop()
        if isinstance(thing, pikepdf.Array):
            parts = list(thing)
        elif isinstance(thing, pikepdf.Dictionary | pikepdf.Stream):
            if ACTIVE_KEYS & set(thing.keys()) or thing.get("/S") in ACTIONS:
                return True
            parts = [part for _, part in thing.items()]
        else:
            continue
        # What is a numbered object itself is in the list from the start.
        waiting += [part for part in parts if isinstance(part, pikepdf.Object) and not part.is_indirect]
    return False


@contextmanager
def kept(files: Sequence[CheckedFile]) -> Iterator[None]:
    """Store the files around a transaction; if it fails, nothing of them is left behind."""
    put: list[str] = []
    try:
        for key, data in ((key, data) for file in files for key, data in file.objects.items()):
            put.append(key)
            _put(key, data)
        yield
    except BaseException:
        remove(put)
        raise


def remove(keys: Sequence[str]) -> None:
    """Delete stored objects; what cannot be deleted is logged and left, as nothing refers to it any more."""
    for key in keys:
        try:
            obstore.delete(store(), key)
        except FileNotFoundError:
            continue
        except STORE_FAILURES as error:
            log.error("stored object %s could not be deleted: %s", key, type(error).__name__)


def _put(key: str, data: bytes) -> None:
    try:
        obstore.put(store(), key, data)
    except STORE_FAILURES as error:
        raise UnavailableError(STORE_AWAY) from error


def load(key: str) -> bytes:
    """The bytes of a stored object; raises NotFoundError, and UnavailableError when the store is away."""
    try:
        return bytes(obstore.get(store(), key).bytes())
    except (FileNotFoundError, ValueError):
        raise NotFoundError("There is no such file") from None
    except STORE_FAILURES as error:
        raise UnavailableError(STORE_AWAY) from error
