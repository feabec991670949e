"""Accounts: register, log in and out, read and change one's own data."""

from dataclasses import replace

from rental_app.api.dependencies import NEVER_CACHED, Anyone, CallRouter, CurrentActor, TokenOwner, refusals
from rental_app.infrastructure.db import read, write
from rental_app.schemas.accounts import ProfileUpdate, Registration, UserAnswer
from rental_app.schemas.sign_in import Credentials, LoginRefusal, TokenAnswer
from rental_app.schemas.wire import Answer
from rental_app.services.accounts import hashing, profile, sessions, sign_up
from rental_app.services.accounts import login as accounts_login

router = CallRouter(prefix="/api/user", tags=["account"])
_NOT_LOGGED_IN: dict[int | str, dict[str, object]] = {
    401: {"model": LoginRefusal, "description": "Not the right email and password, or a second step has to follow"}
}


@router.post("/register", responses=refusals(400, 404, 409, 429), dependencies=[NEVER_CACHED])
async def register(body: Registration, caller: Anyone) -> TokenAnswer:
    """Create an account; the token is valid for seven days."""
    token = await hashing.hash_in_queue(sign_up.register, body, caller)
    return TokenAnswer(token=token, message=sign_up.SIGNED_UP)


@router.post("/login", responses=refusals(400, 401, 403, 429) | _NOT_LOGGED_IN, dependencies=[NEVER_CACHED])
async def login(body: Credentials, caller: Anyone) -> TokenAnswer:
    """Exchange email and password for a token.

    Accounts with a second step get 401 `second_step` with a `challenge`, for `POST /api/user/second-step`.
    """
    caller_on_device = replace(caller, device_key=body.device or "")
    token = await hashing.hash_in_queue(accounts_login.sign_in, body, caller_on_device)
    return TokenAnswer(token=token, message=accounts_login.LOGGED_IN)


@router.post("/logout", responses=refusals(401, 429))
def logout(actor: TokenOwner) -> Answer:
    """Revoke the token this call is made with."""
    write(sessions.sign_out, actor)
    return Answer(message=sessions.LOGGED_OUT)


@router.post("/logout-everywhere", responses=refusals(401, 429))
def logout_everywhere(actor: TokenOwner) -> Answer:
    """Revoke every token of the account."""
    write(sessions.sign_out_everywhere, actor)
    return Answer(message="You have been logged out on all devices")


@router.get("/data", responses=refusals(401, 429))
def data(actor: TokenOwner) -> UserAnswer:
    """The account the token belongs to."""
    return UserAnswer(user=read(profile.profile, actor))


@router.put("/update", responses=refusals(400, 401, 429))
def update(actor: CurrentActor, body: ProfileUpdate) -> Answer:
    """Update the editable part of the profile; locked fields in the object are ignored."""
    write(profile.update_profile, actor, body)
    return Answer(message=profile.UPDATED)
