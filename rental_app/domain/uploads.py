"""Which files a vehicle needs, and how many and how large they may be."""

from collections.abc import Collection
from typing import Literal, get_args

from rental_app.domain.errors import InvalidInputError
from rental_app.domain.pictures import SIDES, PhotoSide

# Everyone sees the photos among these; only the owner sees the rest, which are papers and details.
PUBLIC_GROUPS = SIDES
FILE_GROUPS = ("RC", "Insurance", "Pollution", *PUBLIC_GROUPS, "Odometer Reading", "Tyre", "Engine")
# A vendor's own picture.
AVATAR = "image"
# What is photographed when a vehicle goes out and comes back; only a booking's two sides see it.
TripGroup = Literal[PhotoSide, "Odometer Reading"]
TRIP_GROUPS: tuple[str, ...] = get_args(TripGroup)
DAMAGE_GROUP = "Damage"
RETURN_GROUPS = (*TRIP_GROUPS, DAMAGE_GROUP)
# What shows what a customer objects to, and what its vendor answers with.
OBJECTION, ANSWER_GROUP = "Objection", "Answer"
MAX_OBJECTION_PHOTOS = 4
# A file of one of a customer's own documents (domain/identity.py).
IDENTITY = "Identity document"
# What anybody, or any customer, uploads ahead for themselves.
OWN_GROUPS = (OBJECTION, IDENTITY)
# The same, uploaded ahead: private from the start, unlike a vehicle's own photos.
_OF_A_TRIP = "Trip "
TRIP_UPLOADS = tuple(_OF_A_TRIP + group for group in (*RETURN_GROUPS, ANSWER_GROUP))
UPLOAD_GROUPS = (*FILE_GROUPS, AVATAR, *TRIP_UPLOADS)
# Private from the start too, and re-encoded.
PRIVATE_PHOTOS = (*TRIP_UPLOADS, OBJECTION)
MEGABYTE = 1024 * 1024
MAX_FILES_A_GROUP = 8
MAX_FILE_BYTES = 12 * MEGABYTE
MAX_SHEET_BYTES = 5 * MEGABYTE
# What is said of these limits, by the browser before it sends a file and by the server.
TOO_MANY = f"at most {MAX_FILES_A_GROUP} files"
TOO_LARGE = f"a file can have at most {MAX_FILE_BYTES // MEGABYTE} MB"
PICTURE_HINT = f"JPEG, PNG, WebP or HEIC, at most {MAX_FILE_BYTES // MEGABYTE} MB"
MAX_REQUEST_BYTES = 60 * MEGABYTE
# Enough for two forms with eight files in each group.
MAX_UNCLAIMED = 2 * MAX_FILES_A_GROUP * len(FILE_GROUPS)
# Of a customer, whose only forms with files are an objection and four documents with four files each.
MAX_UNCLAIMED_OBJECTION = 2 * MAX_OBJECTION_PHOTOS
MAX_UNCLAIMED_OWN = {OBJECTION: MAX_UNCLAIMED_OBJECTION, IDENTITY: 16}


def require_group(sent: set[str], groups: Collection[str], field: str = "") -> None:
    """Raise InvalidInputError for a group not in `groups`, at the `field` that names it or else at the group's own."""
    if unknown := sorted(sent - set(groups)):
        name = unknown[0][:60]
        message = f"There is no upload group {name}"
        raise InvalidInputError(message, code="unknown_group", fields={field or name: message})


def trip_upload(group: str) -> str:
    """The group in which a photo of a handover or return is uploaded ahead."""
    return f"{_OF_A_TRIP}{group}"


def trip_group(upload: str) -> str:
    """The trip's group of a photo that was uploaded ahead."""
    return upload.removeprefix(_OF_A_TRIP)
