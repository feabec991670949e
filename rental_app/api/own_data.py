"""What people may ask for about their own data: what is possible now, a copy, and erasure."""

import os
from collections.abc import Iterator
from typing import IO

from starlette.responses import StreamingResponse

from rental_app.api.dependencies import CallRouter, CurrentActor, a_file, download, refusals
from rental_app.infrastructure.db import read, run, write
from rental_app.schemas.own_data import ErasureAnswer, ErasureRefusal, OwnDataAnswer
from rental_app.schemas.sign_in import OwnPassword
from rental_app.services.accounts import erasure, export, hashing, login

router = CallRouter(prefix="/api/user", tags=["account"])
ZIP = "application/zip"
PIECE_BYTES = 256 * 1024


@router.get("/your-data", responses=refusals(401, 429))
def your_data(actor: CurrentActor) -> OwnDataAnswer:
    """What stands in the way of erasing the account, and when the next copy of its data may be fetched."""
    return read(erasure.state, actor)


@router.get("/export", response_class=StreamingResponse, responses=a_file(ZIP) | refusals(401, 403, 429))
async def export_data(actor: CurrentActor) -> StreamingResponse:
    """A copy of all that is kept about the account, as a ZIP with JSON, CSV and the files.

    It takes a session in which the password, a code of the second step or a passkey was given within 15 minutes (403
    `confirm_password`), and is made once an hour (429). Of other people it has name and reference alone.
    """
    made = await run(export.make, actor)
    size = {"Content-Length": str(os.fstat(made.fileno()).st_size)}
    return StreamingResponse(_pieces(made), media_type=ZIP, headers=download("your-data.zip") | size)


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        file.seek(0)
        while piece := file.read(PIECE_BYTES):
            yield piece


@router.post("/delete", responses=refusals(400, 401, 403, 409, 429, conflict=ErasureRefusal))
async def delete_account(actor: CurrentActor, body: OwnPassword) -> ErasureAnswer:
    """Ask for the account to be erased, by its password (422 `wrong_password`).

    Every session ends, and a vendor's vehicles are shown no more. A week later what is kept about the person goes;
    bookings, their accounts and tax invoices stay. A login before that takes it back. Refused while something is open
    (409 `open_trips` with the `obstacles`), and for operators (403 `operators_stay`).
    """
    await hashing.hash_in_queue_of(actor.account, actor, login.confirm_password, body.password, actor)
    erase_on = await run(write, erasure.ask, actor)
    return ErasureAnswer(erase_on=erase_on, message=erasure.ERASURE_WAITS)
