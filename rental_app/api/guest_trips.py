"""A guest's files by their link, and the link sent again."""

from typing import Annotated

from fastapi import APIRouter, Path, Response

from rental_app.api.dependencies import Anyone, CurrentStaff, a_file, download, refusals
from rental_app.api.idempotency import OnlyOnce, message_answer
from rental_app.api.media import stored_file
from rental_app.api.trips import EntryId, PhotoId, Ref
from rental_app.infrastructure.db import read, read_or_store
from rental_app.schemas.wire import Answer
from rental_app.services.bookings import guests
from rental_app.services.trips import guest_page

router = APIRouter(tags=["trips"])
_PHOTO = a_file("image/jpeg") | refusals(404, 429)
Secret = Annotated[str, Path(max_length=100, description="The secret part of a guest's link")]


@router.get(
    "/trip/{secret}/receipt.pdf", responses=a_file("application/pdf") | refusals(404, 409, 429), response_class=Response
)
def receipt(caller: Anyone, secret: Secret) -> Response:
    """The receipt of a guest's booking, for whoever has its link: with its number, as things stood then."""
    pdf = read_or_store(guest_page.receipt, caller, secret)
    return Response(pdf, media_type="application/pdf", headers=download("receipt.pdf"))


@router.get(
    "/trip/{secret}/invoice.pdf", responses=a_file("application/pdf") | refusals(404, 409, 429), response_class=Response
)
def invoice(caller: Anyone, secret: Secret) -> Response:
    """The tax invoice of a guest's booking, for whoever has its link; 409 while there is none."""
    pdf = read(guest_page.invoice, caller, secret)
    return Response(pdf, media_type="application/pdf", headers=download("invoice.pdf"))


@router.get(
    "/trip/{secret}/notes/{entry}.pdf",
    responses=a_file("application/pdf") | refusals(404, 429),
    response_class=Response,
)
def note(caller: Anyone, secret: Secret, entry: EntryId) -> Response:
    """The credit or debit note for a line of a guest's account, for whoever has the booking's link."""
    pdf = read(guest_page.note, caller, secret, entry)
    return Response(pdf, media_type="application/pdf", headers=download("note.pdf"))


@router.get(
    "/trip/{secret}/agreement.pdf",
    responses=a_file("application/pdf") | refusals(404, 409, 429),
    response_class=Response,
)
def agreement(caller: Anyone, secret: Secret) -> Response:
    """The rental agreement of a guest's booking, for whoever has its link."""
    pdf = read_or_store(guest_page.agreement, caller, secret)
    return Response(pdf, media_type="application/pdf", headers=download("agreement.pdf"))


@router.get(
    "/trip/{secret}/calendar.ics", responses=a_file("text/calendar") | refusals(404, 429), response_class=Response
)
def calendar(caller: Anyone, secret: Secret) -> Response:
    """A guest's booking as a calendar file, for whoever has its link."""
    ics = read(guest_page.calendar, caller, secret)
    return Response(ics, media_type="text/calendar", headers=download("booking.ics"))


@router.get("/trip/{secret}/photos/{photo_id}", responses=_PHOTO, response_class=Response)
def photo(caller: Anyone, secret: Secret, photo_id: PhotoId) -> Response:
    """A photo of the handover, the return or a charge of a guest's booking, for whoever has its link."""
    file = read(guest_page.photo, caller, secret, photo_id)
    return stored_file(file.key, file.content_type)


@router.get("/trip/{secret}/objection-photos/{photo_id}", responses=_PHOTO, response_class=Response)
def objection_photo(caller: Anyone, secret: Secret, photo_id: PhotoId) -> Response:
    """A photo of an objection or of the vendor's answer to it, for whoever has the booking's link."""
    file = read(guest_page.event_photo, caller, secret, photo_id)
    return stored_file(file.key, file.content_type)


@router.post("/api/vendor/bookings/{ref}/guest-link", responses=refusals(401, 403, 404, 409, 429))
def send_link(actor: CurrentStaff, ref: Ref, once: OnlyOnce) -> Answer:
    """Send a guest the link to their booking again: a new one, by text and e-mail; the one before ends.

    At most 3 texts a booking (409 `texts_used_up`); 30 a day for a vendor's bookings, and 200 a day to one number
    (429 `texts_used_up`). Codes count, too.
    """
    return once(message_answer, guests.send_link_again, actor, ref)
