"""Drafts of Add New Vehicle, and sheets of vehicles that become drafts."""

from typing import Annotated

from rental_app.api.dependencies import CallRouter, CurrentManager, counted, current_manager, id_of, refusals
from rental_app.api.idempotency import OnlyOnce
from rental_app.api.submission import FormOnlyOnce, Submitted, multipart
from rental_app.domain.uploads import MAX_SHEET_BYTES, MEGABYTE
from rental_app.infrastructure.db import read, run, write
from rental_app.schemas.drafts import DraftAnswer, DraftBegun, DraftChange, DraftsAnswer, SheetAnswer
from rental_app.schemas.wire import Answer, Id
from rental_app.services.accounts.actor import Actor
from rental_app.services.files import checks
from rental_app.services.fleet import drafts, sheet_import
from rental_app.services.fleet.sheet_import import Imported

router = CallRouter(prefix="/api/vendor/drafts", tags=["vendor"])
DraftId = Annotated[Id, id_of("draft")]
Importer = Annotated[Actor, counted("file", current_manager)]
SAVED = "Draft saved"


@router.get("", responses=refusals(401, 403, 429))
def mine(actor: CurrentManager) -> DraftsAnswer:
    """The vehicles that the vendor has begun to list, the last saved first: at most 200, each kept for 90 days."""
    return DraftsAnswer(drafts=read(drafts.of_vendor, actor))


@router.post("", responses=refusals(400, 401, 403, 404, 409, 429))
def begin(actor: CurrentManager, body: DraftBegun, once: OnlyOnce) -> DraftAnswer:
    """Begin a draft, blank, with what was typed, or like a vehicle that the vendor has listed.

    The 201st is refused (409 `too_many_drafts`).
    """
    return once(lambda draft: DraftAnswer(message=SAVED, draft=draft), drafts.begin, actor, body.fields, body.like)


@router.post(
    "/import",
    max_body_size=MAX_SHEET_BYTES + MEGABYTE,
    openapi_extra=multipart("file", several=False),
    responses=refusals(400, 401, 403, 409, 429),
)
async def import_sheet(actor: Importer, form: Submitted, once: FormOnlyOnce) -> SheetAnswer:
    """Make drafts of the rows of a sheet (`file`: XLSX or CSV), as many as there is room for up to 200 drafts.

    A row becomes a draft if its RC number or its model can be read. `problems` lists what could not be read, by row and
    column, and the rows that were not taken. Formulas are not evaluated; macros, old .xls files and passwords are
    refused (415).
    """
    sheet = await checks.check_sheet(form.only("file"))
    return await run(once, _answer, sheet_import.take, actor, sheet)


def _answer(imported: Imported) -> SheetAnswer:
    drafts_made, problems = [*imported.drafts], [*imported.problems]
    return SheetAnswer(message=sheet_import.summary(imported), drafts=drafts_made, problems=problems)


@router.get("/{draft_id}", responses=refusals(401, 403, 404, 429))
def one(actor: CurrentManager, draft_id: DraftId) -> DraftAnswer:
    """A draft with what was typed."""
    return DraftAnswer(draft=read(drafts.one, actor, draft_id))


@router.put("/{draft_id}", responses=refusals(400, 401, 403, 404, 409, 429))
def save(actor: CurrentManager, draft_id: DraftId, body: DraftChange) -> DraftAnswer:
    """Replace what a draft holds; one that was saved meanwhile is not overwritten (409 `draft_elsewhere`)."""
    return DraftAnswer(message=SAVED, draft=write(drafts.save, actor, draft_id, body.fields, body.edition))


@router.delete("/{draft_id}", responses=refusals(401, 403, 404, 429))
def remove(actor: CurrentManager, draft_id: DraftId) -> Answer:
    """Delete a draft; its uploads wait for a day, like any others."""
    return Answer(message=write(drafts.remove, actor, draft_id))
