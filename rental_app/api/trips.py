"""A booking and what its customer does with it."""

from typing import Annotated

from fastapi import Path, Query, Response

from rental_app.api.dependencies import CallRouter, CurrentActor, TokenOwner, a_file, download, id_of, refusals
from rental_app.api.idempotency import OnlyOnce, message_answer
from rental_app.api.media import stored_file
from rental_app.infrastructure.db import read, read_or_store
from rental_app.schemas.bookings import BookingRefusal
from rental_app.schemas.trips import (
    CancellationAnswer,
    CancelRefusal,
    CancelRequest,
    ChangeRequest,
    EqualsAnswer,
    ExtendRefusal,
    ExtendRequest,
    ExtensionAnswer,
    ExtensionRequest,
    ObjectRequest,
    ProposalAnswerRequest,
    ReplacementRequest,
    TripAnswer,
)
from rental_app.schemas.wire import Answer, Id
from rental_app.services.bookings import counter
from rental_app.services.trips import answers, cancellations, changes, detail, documents, moves, papers

router = CallRouter(prefix="/api/bookings/{ref}", tags=["trips"])
PhotoId = Annotated[Id, id_of("photo")]
EntryId = Annotated[Id, id_of("line of the account")]
Ref = Annotated[str, Path(max_length=40, description="The booking's id or its reference", examples=["PH-4X7K20"])]


@router.get("", responses=refusals(401, 404, 429))
def booking(actor: TokenOwner, ref: Ref) -> TripAnswer:
    """A booking in full, for its customer, its vendor and operators; 404 for everyone else."""
    return TripAnswer(booking=read(detail.view_of, actor, ref))


@router.get("/cancellation", responses=refusals(401, 404, 409, 429))
def cancellation(actor: CurrentActor, ref: Ref) -> CancellationAnswer:
    """What cancelling now would retain and refund, and when it becomes more expensive.

    Nothing is retained while the vehicle is still out with someone else after the pickup time.
    """
    return CancellationAnswer(**dict(read(cancellations.preview, actor, ref)))


@router.post("/cancel", responses=refusals(400, 401, 403, 404, 409, 429, conflict=CancelRefusal))
def cancel(actor: CurrentActor, ref: Ref, body: CancelRequest, once: OnlyOnce) -> TripAnswer:
    """Cancel at the previewed terms. If they changed, nothing is done: 409 `terms_changed` with the new preview."""
    return once.on_booking(cancellations.DONE, cancellations.cancel, actor, ref, body)


@router.get("/equals", responses=refusals(401, 403, 404, 409, 429))
def equals(actor: CurrentActor, ref: Ref) -> EqualsAnswer:
    """After its vendor has cancelled a booking: vehicles like its own that are free for its dates.

    Those are of the same type, with as many seats and as large an engine at least, within 5 km.
    """
    return EqualsAnswer(equals=read(moves.equals, actor, ref))


@router.post("/replacement", responses=refusals(400, 401, 403, 404, 409, 429, conflict=BookingRefusal))
def replacement(actor: CurrentActor, ref: Ref, body: ReplacementRequest, once: OnlyOnce) -> TripAnswer:
    """Take one of the same vendor's equals instead: a new booking, confirmed at once, at no higher price.

    Others are requested as usual.
    """
    return once(lambda booking: TripAnswer(message=moves.REPLACED, booking=booking), moves.replace, actor, ref, body)


@router.post("/proposal", responses=refusals(400, 401, 403, 404, 409, 429))
def proposal(actor: CurrentActor, ref: Ref, body: ProposalAnswerRequest, once: OnlyOnce) -> TripAnswer:
    """Agree to what the vendor proposes (`booking.proposal`), or refuse it; then the booking stays as it is.

    If it is not what was shown any more, nothing is done: 409 `terms_changed`, `dates_taken` or `proposal_over`.
    """
    message = answers.AGREED if body.answer == "yes" else answers.REFUSED
    return once.on_booking(message, answers.answer, actor, ref, body)


@router.post("/change", responses=refusals(400, 401, 403, 404, 409, 429, conflict=BookingRefusal))
def change(actor: CurrentActor, ref: Ref, body: ChangeRequest, once: OnlyOnce) -> TripAnswer:
    """Move a pending request to other dates at a new price; the vendor's time to answer starts again.

    Repeating its own dates at its own price changes nothing.
    """
    return once.on_booking(changes.MOVED, changes.change, actor, ref, body)


@router.get("/extension", responses=refusals(401, 404, 409, 429))
def extension(actor: CurrentActor, ref: Ref, request: Annotated[ExtensionRequest, Query()]) -> ExtensionAnswer:
    """What a later return costs, under the rules for extensions."""
    return ExtensionAnswer(**dict(read(changes.preview, actor, ref, request)))


@router.post("/extend", responses=refusals(400, 401, 403, 404, 409, 429, conflict=ExtendRefusal))
def extend(actor: CurrentActor, ref: Ref, body: ExtendRequest, once: OnlyOnce) -> TripAnswer:
    """Ask to return later, at least 24 hours before the current return; granted at once if the vehicle is free."""
    return once.on_booking(changes.EXTENDED, changes.extend, actor, ref, body)


@router.post("/join", responses=refusals(401, 404, 429))
def join(actor: CurrentActor, ref: Ref, once: OnlyOnce) -> Answer:
    """Add a booking that a vendor made for your confirmed mobile number to your own; the guest's link ends then."""
    return once(message_answer, counter.join, actor, ref)


@router.post("/acknowledge", responses=refusals(401, 403, 404, 409, 429))
def acknowledge(actor: CurrentActor, ref: Ref, once: OnlyOnce) -> TripAnswer:
    """Confirm the handover as the vendor noted it."""
    return once.on_booking(answers.ACKNOWLEDGED, answers.acknowledge, actor, ref)


@router.post("/object", responses=refusals(400, 401, 403, 404, 409, 429))
def object_to(actor: CurrentActor, ref: Ref, body: ObjectRequest, once: OnlyOnce) -> TripAnswer:
    """Object to a line of the account (`entry`) or to the handover, within 24 hours.

    `photos` that show it are uploaded ahead (`POST /api/uploads`). The vendor is told, and answers once: the answer is
    an event of the timeline whose `about` is the objection.
    """
    return once.on_booking(answers.NOTED, answers.object_to, actor, ref, body)


@router.get("/calendar.ics", responses=a_file("text/calendar") | refusals(401, 404, 429), response_class=Response)
def calendar(actor: CurrentActor, ref: Ref) -> Response:
    """The booking as a calendar file; later versions of the file replace this one."""
    return Response(read(papers.calendar_of, actor, ref), media_type="text/calendar", headers=download("booking.ics"))


@router.get("/receipt.pdf", responses=a_file("application/pdf") | refusals(401, 404, 409, 429), response_class=Response)
def receipt(actor: CurrentActor, ref: Ref) -> Response:
    """The account on one page: once the receipt has its number, as it stood then."""
    return _pdf(read_or_store(papers.receipt_of, actor, ref), "receipt.pdf")


@router.get("/invoice.pdf", responses=a_file("application/pdf") | refusals(401, 404, 409, 429), response_class=Response)
def invoice(actor: CurrentActor, ref: Ref) -> Response:
    """The tax invoice of a vendor with a GST number: once the vehicle is back, or something is kept of a booking that
    does not take place. Before that: 409 `not_issued`; of a vendor without a GST number 409 `no_gst_number`.

    It never changes. `booking.invoices` lists it with the credit and debit notes about it.
    """
    return _pdf(read(documents.invoice_of, actor, ref), "invoice.pdf")


@router.get(
    "/notes/{entry}.pdf", responses=a_file("application/pdf") | refusals(401, 404, 429), response_class=Response
)
def note(actor: CurrentActor, ref: Ref, entry: EntryId) -> Response:
    """The credit or debit note for a line that was written after the invoice; 404 `unknown_note` for other lines."""
    return _pdf(read(documents.note_of, actor, ref, entry), "note.pdf")


@router.get(
    "/agreement.pdf", responses=a_file("application/pdf") | refusals(401, 404, 409, 429), response_class=Response
)
def agreement(actor: CurrentActor, ref: Ref) -> Response:
    """The rental agreement: what was agreed, and the terms that were accepted, in their version. A later return or
    another vehicle makes another one."""
    return _pdf(read_or_store(documents.agreement_of, actor, ref), "agreement.pdf")


def _pdf(body: bytes, name: str) -> Response:
    return Response(body, media_type="application/pdf", headers=download(name))


@router.get("/photos/{photo_id}", responses=a_file("image/jpeg") | refusals(401, 404, 429), response_class=Response)
def photo(actor: TokenOwner, ref: Ref, photo_id: PhotoId) -> Response:
    """A photo taken at the handover or the return."""
    file = read(detail.photo, actor, ref, photo_id)
    return stored_file(file.key, file.content_type)


@router.get(
    "/objection-photos/{photo_id}",
    responses=a_file("image/jpeg") | refusals(401, 404, 429),
    response_class=Response,
)
def objection_photo(actor: CurrentActor, ref: Ref, photo_id: PhotoId) -> Response:
    """A photo of an objection or of the vendor's answer to it."""
    file = read(detail.event_photo, actor, ref, photo_id)
    return stored_file(file.key, file.content_type)
