"""A guest's files by their link, and the link sent again."""

from typing import Annotated

from fastapi import APIRouter, Path, Response

from rental_app.api.dependencies import Anyone, CurrentStaff, a_file, download, refusals
from rental_app.api.idempotency import OnlyOnce
from rental_app.api.trips import Ref
from rental_app.infrastructure.db import read
from rental_app.schemas.wire import Answer
from rental_app.services.bookings import guest_links
from rental_app.services.trips import guest_page

router = APIRouter(tags=["trips"])
Secret = Annotated[str, Path(max_length=100, description="The secret part of a guest's link")]


@router.get(
    "/trip/{secret}/receipt.pdf", responses=a_file("application/pdf") | refusals(404, 409, 429), response_class=Response
)
def receipt(caller: Anyone, secret: Secret) -> Response:
    """The receipt of a guest's booking, for whoever has its link."""
    found = read(guest_page.receipt, caller, secret)
    return Response(found, media_type="application/pdf", headers=download("receipt.pdf"))


@router.get(
    "/trip/{secret}/calendar.ics", responses=a_file("text/calendar") | refusals(404, 429), response_class=Response
)
def calendar(caller: Anyone, secret: Secret) -> Response:
    """A guest's booking as a calendar file, for whoever has its link."""
    found = read(guest_page.calendar, caller, secret)
    return Response(found, media_type="text/calendar", headers=download("booking.ics"))


@router.post("/api/vendor/bookings/{ref}/guest-link", responses=refusals(401, 403, 404, 409, 429))
def send_link(actor: CurrentStaff, ref: Ref, once: OnlyOnce) -> Answer:
    """Send a guest the link to their booking again: a new one, by text and e-mail; the one before ends.

    At most 3 texts a booking, and 30 a day for all of a vendor's (409 `texts_used_up`).
    """
    return once(lambda message: Answer(message=message), guest_links.send_again, actor, ref)
