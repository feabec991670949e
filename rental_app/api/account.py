"""What people do about their own account: passwords, addresses, devices."""

from typing import Annotated

from fastapi import APIRouter, Path

from rental_app.api.dependencies import NEVER_CACHED, Anyone, CurrentActor, CurrentVendor, refusals
from rental_app.api.idempotency import OnlyOnce
from rental_app.infrastructure.db import read, run, write
from rental_app.schemas.people import (
    ChangeAnswer,
    ChangesAnswer,
    ChangeView,
    ChangeWish,
    Details,
    EmailChange,
    ForgottenPassword,
    LinkUse,
    PasswordChange,
    PasswordReset,
    SessionsAnswer,
    TokenAnswer,
)
from rental_app.schemas.wire import Answer, Id
from rental_app.services.accounts import details, devices, emails, hashing, login, passwords, requests

router = APIRouter(prefix="/api/user", tags=["account"])


@router.post("/forgot-password", responses=refusals(400, 429), dependencies=[NEVER_CACHED])
def forgot_password(body: ForgottenPassword, caller: Anyone) -> Answer:
    """Send a link for a new password to an account's email; the answer is the same for every address.

    The link works once, for 30 minutes; a newer one ends it.
    """
    write(passwords.ask_for_link, caller, body)
    return Answer(message=passwords.ASKED)


@router.post("/reset-password", responses=refusals(400, 429), dependencies=[NEVER_CACHED])
async def reset_password(body: PasswordReset, caller: Anyone) -> Answer:
    """Set a new password by the token of such a link (400 `link_invalid`); every session of the account ends.

    The account's owner is told by email. Nobody is logged in by it: log in with the new password.
    """
    await hashing.hash_in_queue_of(body.token, caller, passwords.reset, body, caller)
    return Answer(message=passwords.RESET)


@router.post("/change-password", responses=refusals(400, 401, 429))
async def change_password(actor: CurrentActor, body: PasswordChange) -> TokenAnswer:
    """Set a new password (422 `wrong_password` if the present one is not right).

    Every session of the account ends, this one too: the answer has the token of a new one.
    """
    token = await hashing.hash_in_queue_of(actor.account, actor, passwords.change, body, actor)
    return TokenAnswer(token=token, message=passwords.CHANGED)


@router.put("/details", responses=refusals(400, 401, 403, 404, 429))
def change_details(actor: CurrentActor, body: Details) -> Answer:
    """Change a customer's name, mobile number and address (403 `locked` for vendors, who ask for it)."""
    write(details.change, actor, body)
    return Answer(message=details.SAVED)


@router.get("/sessions", responses=refusals(401, 429))
def sessions(actor: CurrentActor) -> SessionsAnswer:
    """Where the account is logged in: this device first, then the one used last."""
    return SessionsAnswer(sessions=read(devices.open_sessions, actor))


@router.delete("/sessions/{session_id}", responses=refusals(401, 404, 429))
def end_session(actor: CurrentActor, session_id: Annotated[str, Path(max_length=100)]) -> Answer:
    """Log a device out (404 `unknown_session` if it is not logged in)."""
    return Answer(message=write(devices.end, actor, session_id))


@router.post("/verify-email", responses=refusals(400, 429), dependencies=[NEVER_CACHED])
def verify_email(body: LinkUse, caller: Anyone) -> Answer:
    """Confirm an account's email by the token of the link sent to it (400 `link_invalid`).

    The link works once, for 24 hours; it is sent at the sign-up.
    """
    return Answer(message=write(emails.verify, caller, body))


@router.post("/verify-email/send", responses=refusals(401, 429))
def send_verification(actor: CurrentActor) -> Answer:
    """Send the link that confirms the account's email again; it ends the earlier one."""
    return Answer(message=write(emails.send_again, actor))


@router.post("/change-email", responses=refusals(400, 401, 403, 429))
async def change_email(actor: CurrentActor, body: EmailChange) -> Answer:
    """Ask for another email, which changes when the link sent to the new address is used.

    Refused without the password (422 `wrong_password`), and for vendors (403 `locked`), who ask for it. The answer is
    the same for every address. The present address gets a link that takes the change back for 7 days.
    """
    await hashing.hash_in_queue_of(actor.account, actor, emails.ask_change, body, actor)
    return Answer(message=emails.ASKED)


@router.post("/confirm-email", responses=refusals(400, 429), dependencies=[NEVER_CACHED])
def confirm_email(body: LinkUse, caller: Anyone) -> Answer:
    """Change an account's email by the token of the link sent to the new address (400 `link_invalid`)."""
    return Answer(message=write(emails.confirm, caller, body))


@router.post("/undo-email", responses=refusals(400, 429), dependencies=[NEVER_CACHED])
def undo_email(body: LinkUse, caller: Anyone) -> Answer:
    """Give an account the email back that it had, by the token of the link sent there (400 `link_invalid`).

    Every session and every other link of the account ends: set a new password next.
    """
    return Answer(message=write(emails.undo, caller, body))


@router.get("/requests", responses=refusals(401, 403, 429))
def change_requests(actor: CurrentVendor) -> ChangesAnswer:
    """What the vendor has asked to have changed of their account, the latest first."""
    return ChangesAnswer(requests=read(requests.of_vendor, actor))


@router.post("/requests", responses=refusals(400, 401, 403, 409, 429))
async def request_change(actor: CurrentVendor, body: ChangeWish, once: OnlyOnce) -> ChangeAnswer:
    """Ask for another name, email, mobile number or bank account, or for the first bank account.

    It takes the password (422 `wrong_password`). One of a kind is open at a time (409 `request_open`). The account's
    owner is told by email, and when it is decided.
    """
    await hashing.hash_in_queue_of(actor.account, actor, login.confirm_password, body.password, actor)
    return await run(once, _asked, requests.ask, actor, body)


def _asked(request: ChangeView) -> ChangeAnswer:
    return ChangeAnswer(message=requests.ASKED, request=request)


@router.delete("/requests/{request_id}", responses=refusals(401, 403, 404, 429))
def withdraw_request(actor: CurrentVendor, request_id: Annotated[Id, Path()]) -> Answer:
    """Withdraw an open request (404 `unknown_request` if there is none)."""
    return Answer(message=write(requests.withdraw, actor, request_id))
