"""What people do about their own account: passwords, addresses, devices."""

from dataclasses import replace
from typing import Annotated

from fastapi import Path

from rental_app.api.dependencies import (
    NEVER_CACHED,
    Anyone,
    CallRouter,
    CurrentActor,
    CurrentVendor,
    PerhapsActor,
    id_of,
    refusals,
)
from rental_app.api.idempotency import OnlyOnceWithPassword
from rental_app.infrastructure.db import read, run, write
from rental_app.schemas.accounts import (
    ChangeAnswer,
    ChangesAnswer,
    ChangeWish,
    Details,
    EmailChange,
    RecoveryAnswer,
)
from rental_app.schemas.sign_in import (
    CodeLogin,
    ForgottenPassword,
    LinkUse,
    LoginCodeWish,
    NewPasskey,
    OwnLinkUse,
    OwnPassword,
    PasskeyAnswer,
    PasskeyLogin,
    PasskeyOptionsAnswer,
    PasskeysAnswer,
    PasswordChange,
    PasswordReset,
    Phone,
    PhoneCode,
    RecoveryCodesAnswer,
    SessionsAnswer,
    StepAnswer,
    StepCode,
    StepOff,
    StepSetupAnswer,
    TokenAnswer,
)
from rental_app.schemas.wire import Answer, Id
from rental_app.services.accounts import (
    emails,
    hashing,
    login,
    passkeys,
    passwords,
    phones,
    profile,
    recovery,
    requests,
    second_step,
    sessions,
    way_back,
)

router = CallRouter(prefix="/api/user", tags=["account"])


@router.post("/forgot-password", responses=refusals(400, 429), dependencies=[NEVER_CACHED])
def forgot_password(body: ForgottenPassword, caller: Anyone) -> Answer:
    """Send a link for a new password to an account's email; the answer is the same for every address.

    The link works once, for 30 minutes; a newer one ends it.
    """
    write(passwords.ask_for_link, caller, body)
    return Answer(message=passwords.LINK_SENT)


@router.post("/reset-password", responses=refusals(400, 429), dependencies=[NEVER_CACHED])
async def reset_password(body: PasswordReset, caller: Anyone) -> Answer:
    """Set a new password by the token of such a link (400 `link_invalid`); every session of the account ends.

    The account's owner is told by email. Nobody is logged in by it: log in with the new password.
    """
    await hashing.hash_in_queue_of(body.token, caller, passwords.reset, body, caller)
    return Answer(message=passwords.RESET)


@router.post("/change-password", responses=refusals(400, 401, 409, 429))
async def change_password(actor: CurrentActor, body: PasswordChange) -> TokenAnswer:
    """Set a new password (422 `wrong_password` if the present one is not right).

    Every session of the account ends, this one too: the answer has the token of a new one (409 `changed_meanwhile` if
    another password was set at the same moment).
    """
    token = await hashing.hash_in_queue_of(actor.account, actor, passwords.change, body, actor)
    return TokenAnswer(token=token, message=passwords.CHANGED)


@router.put("/details", responses=refusals(400, 401, 403, 404, 429))
def change_details(actor: CurrentActor, body: Details) -> Answer:
    """Change a customer's name, mobile number and address (403 `locked` for vendors, who ask for it).

    Another number takes a confirmed email (403 `confirm_email_first`) and, where there is a second step, a session that
    has given it (403 `give_second_step`).
    """
    write(profile.change, actor, body)
    return Answer(message=profile.SAVED)


@router.get("/sessions", responses=refusals(401, 429))
def open_sessions(actor: CurrentActor) -> SessionsAnswer:
    """Where the account is logged in: this device first, then the one used last."""
    return SessionsAnswer(sessions=read(sessions.open_sessions, actor))


@router.delete("/sessions/{session_id}", responses=refusals(401, 404, 429))
def end_session(
    actor: CurrentActor,
    session_id: Annotated[str, Path(max_length=100, description="Id of the session, as in the list")],
) -> Answer:
    """Log a device out (404 `unknown_session` if it is not logged in)."""
    return Answer(message=write(sessions.end, actor, session_id))


@router.post("/verify-email", responses=refusals(400, 403, 429), dependencies=[NEVER_CACHED])
async def verify_email(body: OwnLinkUse, caller: PerhapsActor) -> Answer:
    """Confirm an account's email by the token of the link sent to it (400 `link_invalid`).

    The link works once, for 24 hours; it is sent at the sign-up. It takes a bearer token of the account, or its
    password (403 `password_needed` without either, 422 `wrong_password`): whoever reads the message need not be who
    signed up. To them the message offers "I did not sign up".
    """
    return Answer(message=await hashing.hash_in_queue_of(body.token, caller, emails.verify, body, caller))


@router.post("/decline-email", responses=refusals(400, 429), dependencies=[NEVER_CACHED])
def decline_email(body: LinkUse, caller: Anyone) -> Answer:
    """Take an address from the account that somebody else has signed up with it, by the token of the link that would
    confirm it (400 `link_invalid`)."""
    return Answer(message=write(emails.decline, caller, body))


@router.post("/verify-email/send", responses=refusals(401, 409, 429))
def send_verification(actor: CurrentActor) -> Answer:
    """Send the link that confirms the account's email again; it ends the earlier one (409 `no_email` without one)."""
    return Answer(message=write(emails.send_again, actor))


@router.post("/change-email", responses=refusals(400, 401, 403, 429))
async def change_email(actor: CurrentActor, body: EmailChange) -> Answer:
    """Ask for another email, which changes when the link sent to the new address is used.

    Refused without the password (422 `wrong_password`), for vendors (403 `locked`), who ask for it, and in a session
    that has not given the account's second step (403 `give_second_step`). The answer is
    the same for every address. The present address gets a link that takes the change back for 7 days.
    """
    await hashing.hash_in_queue_of(actor.account, actor, emails.ask_change, body, actor)
    return Answer(message=emails.LINK_SENT)


@router.post("/confirm-email", responses=refusals(400, 403, 429), dependencies=[NEVER_CACHED])
async def confirm_email(body: OwnLinkUse, caller: PerhapsActor) -> Answer:
    """Change an account's email by the token of the link sent to the new address (400 `link_invalid`).

    It takes a bearer token of the account, or its password, as `verify-email` does.
    """
    return Answer(message=await hashing.hash_in_queue_of(body.token, caller, emails.confirm, body, caller))


@router.post("/undo-email", responses=refusals(400, 429), dependencies=[NEVER_CACHED])
def undo_email(body: LinkUse, caller: Anyone) -> Answer:
    """Give an account the email back that it had, by the token of the link sent there (400 `link_invalid`).

    Every session and every other link of the account ends, and the app and the passkeys that were added since the
    change was asked for are taken off: set a new password next. The address is kept for the account as long as the
    link works, 7 days.
    """
    return Answer(message=write(emails.undo, caller, body))


@router.post("/not-me", responses=refusals(400, 429), dependencies=[NEVER_CACHED])
def not_me(body: LinkUse, caller: Anyone) -> Answer:
    """Take off what was added to an account, by the token in the message that told of it (400 `link_invalid`).

    An authenticator app, a passkey or a confirmed mobile number is told of with such a link, which works for 7 days.
    All that was added since goes, and every session and link ends: set a new password next.
    """
    return Answer(message=write(way_back.not_me, caller, body))


@router.post("/keep-account", responses=refusals(400, 429), dependencies=[NEVER_CACHED])
def keep_account(body: LinkUse, caller: Anyone) -> Answer:
    """Stop another email or mobile number for an account, by the token of the link that was sent to all its addresses
    when an operator began it, within 72 hours (400 `link_invalid`)."""
    return Answer(message=write(recovery.stop, caller, body))


@router.get("/recovery", responses=refusals(401, 429))
def own_recovery(actor: CurrentActor) -> RecoveryAnswer:
    """Whether somebody has asked the operators to move the account to another email or mobile number, and when it
    changes: null if nothing waits."""
    return RecoveryAnswer(recovery=read(recovery.of_account, actor))


@router.delete("/recovery", responses=refusals(401, 409, 429))
def stop_recovery(actor: CurrentActor) -> Answer:
    """Stop that (409 `no_recovery` if nothing waits); all addresses, old and new, are told."""
    return Answer(message=write(recovery.stop_own, actor))


@router.post("/phone-code", responses=refusals(400, 401, 403, 429))
def send_phone_code(actor: CurrentActor, body: Phone) -> Answer:
    """Text a code of six digits to a mobile number, which confirms it within 10 minutes; a newer one ends it.

    It takes a confirmed email (403 `confirm_email_first`) and a session that has given the account's second step, if it
    has one (403 `give_second_step`). Whoever asks gets five such codes a day for a number (429), all who ask eight, and
    an account that has confirmed the number before five of its own. Vendors confirm the number they have (403
    `locked`), and ask for another one.
    """
    write(phones.send_code, actor, body)
    return Answer(message=phones.SENT)


@router.post("/verify-phone", responses=refusals(400, 401, 403, 409, 429))
def verify_phone(actor: CurrentActor, body: PhoneCode) -> Answer:
    """Confirm a mobile number by the code sent there (422 `wrong_code`; after five tries no code is right).

    It becomes the account's number. An account that had confirmed it before has it no more, and is told by email.
    Refused as the code is (403).
    """
    phones.verify(body, actor)
    return Answer(message=phones.VERIFIED)


@router.post("/login-code", responses=refusals(400, 429), dependencies=[NEVER_CACHED])
def send_login_code(body: LoginCodeWish, caller: Anyone) -> Answer:
    """Text a code to log in with to a confirmed mobile number; the answer is the same for every number.

    It works once, for 10 minutes; a newer one asked for by the same `device`, or without one at the same address, ends
    it. Five a day are sent to a number for one address (429), eight for all, and five more for devices that its account
    was logged in from. There is none for accounts with a second step, for operators, and for a number that was not used
    for 180 days.
    """
    write(phones.ask_login_code, replace(caller, device_key=body.device or ""), body)
    return Answer(message=phones.CODE_SENT)


@router.post("/login-with-code", responses=refusals(400, 401, 429), dependencies=[NEVER_CACHED])
def login_with_code(body: CodeLogin, caller: Anyone) -> TokenAnswer:
    """Exchange a mobile number and the code sent there for a token (401 `wrong_code`).

    Wrong codes count for whoever asked for one, by `device` or address: after five, that code is right no more. Who has
    not asked has five tries a day, all of them together twenty (429), and ends nobody's code.
    Until the password is given in such a session, what takes it is refused there (403 `confirm_password`).
    """
    caller_on_device = replace(caller, device_key=body.device or "")
    return TokenAnswer(token=phones.log_in(body, caller_on_device), message=login.LOGGED_IN)


@router.post("/second-step/setup", responses=refusals(400, 401, 403, 409, 429))
async def set_up_second_step(actor: CurrentActor, body: OwnPassword) -> StepSetupAnswer:
    """Begin with an authenticator app (422 `wrong_password`): the key for it, which counts once a code is confirmed.

    It takes a confirmed email (403 `confirm_email_first`).
    """
    await hashing.hash_in_queue_of(actor.account, actor, login.confirm_password, body.password, actor)
    begun = await run(write, second_step.set_up, actor)
    return StepSetupAnswer(**begun.model_dump(), message="Add this to your app, and confirm a code that it shows")


@router.post("/second-step/confirm", responses=refusals(400, 401, 403, 409, 429))
def confirm_second_step(actor: CurrentActor, body: StepCode) -> RecoveryCodesAnswer:
    """Turn the second step on by a code of the app (422 `wrong_code`); the answer has ten recovery codes.

    Every other session of the account ends. It takes a confirmed email (403 `confirm_email_first`).
    They can be asked for again until they are kept (`.../recovery-codes`).
    """
    return RecoveryCodesAnswer(recovery_codes=write(second_step.confirm, actor, body.code), message=second_step.ON)


@router.get("/second-step/recovery-codes", responses=refusals(401, 429))
def own_recovery_codes(actor: CurrentActor) -> RecoveryCodesAnswer:
    """The account's unused recovery codes, until they are kept, or for a week: then none.

    There are none either in a session in which the second step was not given.
    """
    return RecoveryCodesAnswer(recovery_codes=read(second_step.unkept_codes, actor))


@router.post("/second-step/recovery-codes", responses=refusals(400, 401, 409, 429))
async def renew_recovery_codes(actor: CurrentActor, body: StepOff) -> RecoveryCodesAnswer:
    """Make ten new recovery codes, by password and code (422 `wrong_password`, `wrong_code`).

    The earlier ones are void. Refused without a second step (409 `second_step_off`). The account's owner is told by
    email.
    """
    await hashing.hash_in_queue_of(actor.account, actor, login.confirm_password, body.password, actor)
    codes = await run(write, second_step.renew_codes, actor, body.code)
    return RecoveryCodesAnswer(recovery_codes=codes, message=second_step.RENEWED)


@router.post("/second-step/recovery-codes/kept", responses=refusals(401, 429))
def keep_recovery_codes(actor: CurrentActor) -> Answer:
    """Say that the recovery codes are kept: they can be used, and are not shown again."""
    return Answer(message=write(second_step.keep_codes, actor))


@router.delete("/second-step", responses=refusals(400, 401, 403, 409, 429))
async def end_second_step(actor: CurrentActor, body: StepOff) -> Answer:
    """Turn the second step off, by password and code (422 `wrong_password`, `wrong_code`).

    It takes a session that has given it (403 `give_second_step`).
    """
    await hashing.hash_in_queue_of(actor.account, actor, login.confirm_password, body.password, actor)
    await run(write, second_step.end, actor, body.code)
    return Answer(message=second_step.OFF)


@router.post("/second-step", responses=refusals(400, 401, 429), dependencies=[NEVER_CACHED])
def give_second_step(body: StepAnswer, caller: Anyone) -> TokenAnswer:
    """Go on with a login that was refused with 401 `second_step` and a `challenge`: by a code of the account's app.

    A challenge ends after five minutes and five tries (401 `challenge_ended`); a code is right once (401 `wrong_code`).
    """
    caller_on_device = replace(caller, device_key=body.device or "")
    return TokenAnswer(token=login.give_second_step(body, caller_on_device), message=login.LOGGED_IN)


@router.get("/passkeys", responses=refusals(401, 429))
def own_passkeys(actor: CurrentActor) -> PasskeysAnswer:
    """The account's passkeys, in the order they were added."""
    return PasskeysAnswer(passkeys=read(passkeys.of_account, actor))


@router.post("/passkeys/options", responses=refusals(400, 401, 403, 409, 429))
async def passkey_options(actor: CurrentActor, body: OwnPassword) -> PasskeyOptionsAnswer:
    """Begin with a passkey (422 `wrong_password`): the options with which a browser makes it, within five minutes.

    Other options end these. An account has 20 passkeys at most (409 `too_many_passkeys`). It takes a confirmed email
    (403 `confirm_email_first`) and a session that has given the account's second step, if it has one (403
    `give_second_step`).
    """
    await hashing.hash_in_queue_of(actor.account, actor, login.confirm_password, body.password, actor)
    return PasskeyOptionsAnswer(options=await run(write, passkeys.begin, actor))


@router.post("/passkeys", responses=refusals(400, 401, 403, 409, 429))
def add_passkey(actor: CurrentActor, body: NewPasskey) -> PasskeyAnswer:
    """Add the passkey that a browser has made by such options, which work once (400 `challenge_ended`).

    Refused is what was made for another site, or without looking who holds the device (422 `wrong_passkey`). The
    account's owner is told by email. Refused as the options are (403).
    """
    return PasskeyAnswer(passkey=write(passkeys.add, actor, body), message=passkeys.ADDED)


@router.delete("/passkeys/{passkey_id}", responses=refusals(401, 403, 404, 409, 429))
def remove_passkey(actor: CurrentActor, passkey_id: Annotated[Id, id_of("passkey")]) -> Answer:
    """Remove a passkey (404 `unknown_passkey`); the account's owner is told by email.

    Other sessions that it has opened end.

    Refused in a session that a code opened (403 `confirm_password`) or that has not given the account's second step
    (403 `give_second_step`), and for an operator who has no other second step
    (409 `only_second_step`).
    """
    return Answer(message=write(passkeys.remove, actor, passkey_id))


@router.post("/login-with-passkey/options", responses=refusals(429), dependencies=[NEVER_CACHED])
def passkey_login_options(caller: Anyone) -> PasskeyOptionsAnswer:
    """The options with which a browser signs by any passkey for this site, within five minutes."""
    return PasskeyOptionsAnswer(options=write(passkeys.begin_login, caller))


@router.post("/login-with-passkey", responses=refusals(400, 401, 429), dependencies=[NEVER_CACHED])
def login_with_passkey(body: PasskeyLogin, caller: Anyone) -> TokenAnswer:
    """Exchange what a passkey signed by such options for a token: it is both steps of a login.

    Options work once (401 `challenge_ended`). Refused are a passkey of no account (401 `unknown_passkey`), what it has
    not signed (401 `wrong_passkey`), and one that has signed fewer times than before, as a copy would have (401
    `passkey_copied`); the account's owner is told of that by email.
    """
    caller_on_device = replace(caller, device_key=body.device or "")
    return TokenAnswer(token=passkeys.log_in(body, caller_on_device), message=login.LOGGED_IN)


@router.post("/confirm-password", responses=refusals(400, 401, 429))
async def confirm_password(actor: CurrentActor, body: OwnPassword) -> Answer:
    """Give the password in a session that a code opened (422 `wrong_password`): then it may do everything."""
    await hashing.hash_in_queue_of(actor.account, actor, login.confirm_password, body.password, actor)
    await run(write, sessions.note_password, actor)
    return Answer(message=login.CONFIRMED)


@router.get("/requests", responses=refusals(401, 403, 429))
def change_requests(actor: CurrentVendor) -> ChangesAnswer:
    """What the vendor has asked to have changed of their account, the latest first."""
    return ChangesAnswer(requests=read(requests.of_vendor, actor))


@router.post("/requests", responses=refusals(400, 401, 403, 409, 429))
async def request_change(actor: CurrentVendor, body: ChangeWish, once: OnlyOnceWithPassword) -> ChangeAnswer:
    """Ask for another name, email, mobile number or bank account, or for the first bank account.

    It takes the password (422 `wrong_password`). One of a kind is open at a time (409 `request_open`). The account's
    owner is told by email, and when it is decided.
    """
    await hashing.hash_in_queue_of(actor.account, actor, login.confirm_password, body.password, actor)
    return await run(
        once,
        lambda request: ChangeAnswer(message=requests.REQUEST_SENT, request=request),
        requests.ask,
        actor,
        body,
    )


@router.delete("/requests/{request_id}", responses=refusals(401, 403, 404, 429))
def withdraw_request(actor: CurrentVendor, request_id: Annotated[Id, id_of("request")]) -> Answer:
    """Withdraw an open request (404 `unknown_request` if there is none)."""
    return Answer(message=write(requests.withdraw, actor, request_id))
