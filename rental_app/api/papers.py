"""Customers' own documents, and what the vendor of a booking sees of them."""

from typing import Annotated

from fastapi import Path, Response
from pydantic import TypeAdapter, ValidationError

from rental_app.api.dependencies import (
    CallRouter,
    CurrentActor,
    CurrentOperator,
    CurrentStaff,
    a_file,
    counted,
    current_actor,
    id_of,
    refusals,
)
from rental_app.api.media import stored_file
from rental_app.api.submission import SecretFormOnlyOnce, Submission, Submitted, json_part, keep, multipart
from rental_app.api.trips import Ref
from rental_app.domain.identity import KINDS, MAX_FILES, IdentityKind
from rental_app.domain.uploads import IDENTITY, MAX_FILE_BYTES, MEGABYTE, require_group
from rental_app.infrastructure.db import read, run, write
from rental_app.schemas.identity import (
    BookingPapersAnswer,
    IdentityData,
    IdentityPaperAnswer,
    IdentityPapersAnswer,
    IdentityPaperView,
)
from rental_app.schemas.validation import refusal, validated
from rental_app.schemas.wire import Answer, Id
from rental_app.services.accounts.actor import Actor
from rental_app.services.console import evidence
from rental_app.services.files import checks
from rental_app.services.identity import bookings, papers, pictures
from rental_app.services.identity.pictures import WatermarkedPicture

router = CallRouter(prefix="/api/user/papers", tags=["account"])
of_bookings = CallRouter(prefix="/api/vendor/bookings/{ref}/papers", tags=["trips"])
of_operators = CallRouter(prefix="/api/operator/papers", tags=["operator"])
Sender = Annotated[Actor, counted("upload", current_actor)]
PaperId = Annotated[Id, id_of("document")]
Number = Annotated[Id, Path(description="The number of the picture, from 1")]
_A_PICTURE = a_file("image/jpeg") | refusals(401, 403, 404, 429)
_KIND = TypeAdapter(IdentityKind)


@router.get("", responses=refusals(401, 403, 429))
def own_papers(actor: CurrentActor) -> IdentityPapersAnswer:
    """The customer's own documents, which kinds are missing, who looked at them, and the next booking they are for."""
    return read(papers.of_actor, actor)


@router.post(
    "",
    max_body_size=MAX_FILES * MAX_FILE_BYTES + MEGABYTE,
    openapi_extra=multipart(
        "file", texts={"kind": f"One of {', '.join(KINDS)}", "data": json_part("What stands on it", IdentityData)}
    ),
    responses=refusals(400, 401, 403, 404, 409, 429),
)
async def send_paper(actor: Sender, form: Submitted, once: SecretFormOnlyOnce) -> IdentityPaperAnswer:
    """Send a document: its `kind`, `data` and one to four files (`file`, or the ids of `data.uploads`).

    It replaces what was sent of its kind, whose files are erased at once. Of the files, pictures of their first four
    pages are stored; of the number, its last four characters. A whole Aadhaar number, typed or in the text of a PDF, is
    refused (400 `unmasked`), and nothing is stored.
    """
    data = validated(IdentityData, form.json_object("data"), exact=True)
    kind = _kind_of(form)
    require_group({part.group for part in form.uploads}, ("file",))
    checked = [file.of_group(IDENTITY) for file in await checks.check_identity(form.uploads)]
    return await keep(checked, once, _answer, papers.send, actor, kind, data, checked)


def _kind_of(form: Submission) -> IdentityKind:
    try:
        return _KIND.validate_python(form.fields.get("kind"))
    except ValidationError:
        raise refusal({"kind": f"Choose one of {', '.join(KINDS)}"}) from None


def _answer(paper: IdentityPaperView) -> IdentityPaperAnswer:
    return IdentityPaperAnswer(message=papers.SENT, paper=paper)


@router.delete("/{id}", responses=refusals(401, 403, 404, 429))
def withdraw_paper(actor: CurrentActor, id: PaperId) -> Answer:
    """Withdraw a document: it is erased at once, with its files."""
    write(papers.withdraw, actor, id)
    return Answer(message=papers.WITHDRAWN)


@router.get("/{id}/pictures/{n}", responses=_A_PICTURE, response_class=Response)
def own_picture(actor: CurrentActor, id: PaperId, n: Number) -> Response:
    """A picture of one of the customer's own documents, as it is stored."""
    return stored_file(read(papers.own_picture, actor, id, n), "image/jpeg")


@of_bookings.get("", responses=refusals(401, 403, 404, 429))
def booking_papers(actor: CurrentStaff, ref: Ref) -> BookingPapersAnswer:
    """How the documents of a booking's customer stand; `checked` by us, they need no look at the handover.

    None for guests, after a cancellation, and from 24 hours after the return.
    """
    return read(bookings.of_booking, actor, ref)


@of_bookings.get("/{id}/pictures/{n}", responses=_A_PICTURE, response_class=Response)
async def booking_paper_picture(actor: CurrentStaff, ref: Ref, id: PaperId, n: Number) -> Response:
    """A picture of a document, with vendor, booking and time written over it, from the confirmation until 24 hours
    after the return. Its owner sees who looked, and when."""
    return await _seen(await run(write, bookings.see_picture, actor, ref, id, n))


@of_operators.get("/{id}/pictures/{n}", responses=_A_PICTURE, response_class=Response)
async def paper_picture(actor: CurrentOperator, id: PaperId, n: Number) -> Response:
    """A picture of anybody's document, with the operator and the time written over it; its owner sees that we
    looked."""
    return await _seen(await run(write, evidence.see_identity, actor, id, n))


async def _seen(picture: WatermarkedPicture) -> Response:
    return Response(await pictures.drawn(picture), media_type="image/jpeg")
