"""Groups of files that are uploaded as they are chosen, with previews and progress; the form around names them."""

from collections.abc import Mapping, Sequence
from typing import Any

import reflex as rx

from rental_app.domain.identity import MAX_FILES
from rental_app.domain.uploads import (
    ANSWER_GROUP,
    AVATAR,
    DAMAGE_GROUP,
    FILE_GROUPS,
    IDENTITY,
    MAX_FILE_BYTES,
    MAX_FILES_A_GROUP,
    MAX_OBJECTION_PHOTOS,
    OBJECTION,
    PICTURE_HINT,
    PRIVATE_PHOTOS,
    PUBLIC_GROUPS,
    TOO_LARGE,
    trip_upload,
)
from rental_app.schemas.validation import label_of
from rental_app.web.session.events import ERROR_MS

_SCRIPT = rx.asset("uploads.jsx", shared=True)
_LAZY = rx.asset("lazy_uploads.jsx", shared=True)
# The same again: what two pages share is a request of its own, larger than this.
_DOCUMENTS = rx.asset("lazy_documents.jsx", shared=True)
for _part in (
    "tile.jsx",
    "groups.jsx",
    "framed.jsx",
    "kept.js",
    "loaded.js",
    "room.js",
    "successors.js",
    "call.js",
    "wire.js",
):
    rx.asset(_part, shared=True)
rx.asset("uploads.css", shared=True)
# Systems that do not know HEIC know it by its endings.
_PHOTOS = "image/jpeg,image/png,image/webp,image/heic,image/heif,.heic,.heif"
# The groups of a vehicle as they stand on the page, with what is said of each section.
_SECTIONS = {
    "Photos for customers": (PUBLIC_GROUPS, "Daylight, whole vehicle, nothing in front."),
    "Close-ups": (("Odometer Reading", "Tyre", "Engine"), "Near enough to read and to see wear."),
    "Documents": (("RC", "Insurance", "Pollution"), "Private: only you and we see them. Photos or PDF, all sides."),
}
_SECTION_OF = {group: (section, about) for section, (groups, about) in _SECTIONS.items() for group in groups}
_HINTS = {
    "RC": "Both sides; photo or PDF",
    "Insurance": "The valid policy; photo or PDF",
    "Pollution": "The valid certificate; photo or PDF",
    "Front": "Whole vehicle from the front: the picture customers see first",
    "Left": "Whole vehicle from the left",
    "Right": "Whole vehicle from the right",
    "Back": "Whole vehicle from behind, number plate readable",
    "Odometer Reading": "The display, figures readable",
    "Tyre": "The tread of each tyre",
    "Engine": "The engine, or the motor of an electric vehicle",
    **{trip_upload(side): "The whole side, so that every scratch is seen" for side in PUBLIC_GROUPS},
    trip_upload("Odometer Reading"): "The display, figures readable",
    trip_upload(DAMAGE_GROUP): "What is broken, close up",
    **dict.fromkeys((OBJECTION, trip_upload(ANSWER_GROUP)), "Photos, if they help; the other side sees them"),
    AVATAR: PICTURE_HINT,
}


class _Uploads(rx.Component):
    """The React side. The form has a group's files in `files.<group>`, stored ones to be removed in `drop.<group>`,
    and the names of those that are not sent yet in `unsent.files`.
    """

    library = _SCRIPT.importable_path
    tag = "Uploads"

    groups: rx.Var[list[dict[str, str]]]
    stored: rx.Var[list[Any]]
    waiting: rx.Var[list[Any]]
    errors: rx.Var[dict[str, str]]
    most: rx.Var[int]
    most_bytes: rx.Var[int]
    too_many: rx.Var[str]
    too_large: rx.Var[str]
    address: rx.Var[str]
    framed: rx.Var[bool]
    before: rx.Var[list[Any]]
    noted: rx.Var[bool]
    tiles: rx.Var[bool]
    on_refused: rx.EventHandler[rx.event.passthrough_event_spec(str)]


class _LazyUploads(_Uploads):
    library = _LAZY.importable_path
    tag = "LazyUploads"


class _LazyDocuments(_Uploads):
    library = _DOCUMENTS.importable_path
    tag = "LazyDocuments"


def uploads(**props: Any) -> rx.Component:
    """The ten groups of a vehicle's files, inside of the form that names them.

    `stored` are the files the vehicle has, `waiting` those that were uploaded ahead before a reload, `errors` what is
    wrong by group.
    """
    return _create(FILE_GROUPS, most=MAX_FILES_A_GROUP, **props)


def paper_files(paper: str, **props: Any) -> rx.Component:
    """The one group of a paper that is renewed."""
    return _create((paper,), most=MAX_FILES_A_GROUP, **props)


def upload_tiles(**props: Any) -> rx.Component:
    """The same for a new vehicle, as tiles of one size in three sections; photos that customers see come first."""
    return _create([*_SECTION_OF], most=MAX_FILES_A_GROUP, tiles=True, **props)


def upload_of_picture(**props: Any) -> rx.Component:
    """The one group of a vendor's own picture."""
    return _create((AVATAR,), most=1, **props)


def trip_photos(
    *groups: str, most: int = MAX_FILES_A_GROUP, label: str = "", hint: str = "", **props: Any
) -> rx.Component:
    """Groups of photos taken beside the vehicle; a phone opens its camera for them, and keeps them until they are sent.

    `framed` shows one group at a time, in a frame, next to what it was `before` (a name and an address each). With
    `noted`, `waiting` grows by each photo that the server has noted, and the phone keeps it until then. A `label` and
    a `hint` stand in place of the group's own.
    """
    named = {"label": label, "heading": label, "hint": hint} if label else {}
    return _create([trip_upload(group) for group in groups], named, most=most, **props)


def objection_photos(**props: Any) -> rx.Component:
    """The photos for a customer's objection."""
    return _create((OBJECTION,), kind=_LazyUploads, most=MAX_OBJECTION_PHOTOS, address="/api/uploads", **props)


def document_files(**props: Any) -> rx.Component:
    """The files of a document that proves who somebody is: photos of it, or a PDF."""
    hint = f"Upright, whole and readable; at most {MAX_FILES} files"
    named = {"label": "Document", "heading": "", "hint": hint}
    return _create((IDENTITY,), named, kind=_LazyDocuments, most=MAX_FILES, address="/api/uploads", **props)


def _create(
    titles: Sequence[str], named: Mapping[str, str] = {}, *, kind: type[_Uploads] = _Uploads, **props: Any
) -> rx.Component:
    return kind.create(
        groups=[_group(title) | named for title in titles],
        most_bytes=MAX_FILE_BYTES,
        too_large=TOO_LARGE,
        too_many=f"At most {props['most']} files" if props["most"] > 1 else "Only one file",
        on_refused=lambda message: rx.toast.error(message, duration=ERROR_MS),
        **props,
    )


def _group(title: str) -> dict[str, str]:
    of_trip = title in PRIVATE_PHOTOS
    is_photo = of_trip or title in (*PUBLIC_GROUPS, AVATAR)
    accepted = _PHOTOS if is_photo else f"{_PHOTOS},application/pdf"
    # The picture's dialog has the name of its only group.
    label = "Photos" if title == OBJECTION else label_of(title)
    return {
        "title": title,
        "add": "Choose a picture" if title == AVATAR else "Add files",
        "more": "Choose another" if title == AVATAR else "Add more",
        "label": label,
        "heading": "" if title == AVATAR else label,
        "hint": _HINTS.get(title, ""),
        "section": _SECTION_OF.get(title, ("", ""))[0],
        "about": _SECTION_OF.get(title, ("", ""))[1],
        "accept": accepted,
        "capture": "environment" if of_trip else "",
        # Elsewhere the camera is offered beside the choice of a file.
        "camera": "" if of_trip or title == AVATAR else _PHOTOS,
    }
