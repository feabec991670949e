"""Sign-up: the form's fields, and the account they make."""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from rental_app.content import legal
from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.errors import ConflictError, InvalidInputError
from rental_app.infrastructure.db import read, violated, write
from rental_app.infrastructure.security import address_digest, check_new_password, hash_password
from rental_app.models import User
from rental_app.schemas.accounts import Registration
from rental_app.schemas.people import as_signed_up, typed_place
from rental_app.schemas.validation import refuse_together, validated
from rental_app.services import audit, policies, throttle
from rental_app.services.accounts import emails, sessions
from rental_app.services.accounts.actor import proven_owner
from rental_app.services.accounts.sessions import open_session
from rental_app.services.catalogue import settled_place
from rental_app.services.throttle import Caller

SIGNED_UP = "Welcome! Your account is ready"
KNOWN_EMAIL = "An account with this email already exists"


def register(form: Registration, caller: Caller) -> str:
    """Create an account; returns its first token. Opens its own short transactions: a hash takes a quarter of a second.

    Raises InvalidInputError (weak password, or several problems), NotFoundError (pincode), ConflictError (e-mail taken)
    and TooManyRequestsError.
    """
    throttle.count("register", caller)
    _require_notice(form.notice_version)
    person = (form.name, form.phone_number, form.address, form.landmark, form.city, form.pincode)
    try:
        refuse_together(
            partial(read, refuse_known_email, form.email),
            partial(settled_place, form.pincode, form.typed_place),
            partial(check_new_password, form.password, form.email, person),
        )
    except ConflictError:
        write(emails.tell_owner, form.email)
        raise
    state, county = settled_place(form.pincode, form.typed_place)
    user = User(
        name=form.name,
        email=form.email,
        password_hash=hash_password(form.password),
        phone_number=form.phone_number,
        role="Vendor" if form.is_vendor else "Customer",
        address=form.address,
        landmark=form.landmark,
        zip_code=form.pincode,
        city=form.city,
        state=state,
        county=county,
        last_login_from=address_digest(form.email, caller.network),
        notice_version=form.notice_version,
        noticed_at=clock.now() if form.notice_version else None,
    )
    try:
        return write(_add_with_session, user, caller)
    except IntegrityError as error:
        if violated(error) != "uq_user_email":
            raise
        raise _taken() from None


def _require_notice(version: str | None) -> None:
    """Raise InvalidInputError for a version of the notice that nobody can have been shown."""
    if version and not legal.is_notice(version):
        message = "There is no such version of the notice: load the page again"
        raise InvalidInputError(message, code="unknown_notice", fields={"noticeVersion": message})


def _taken() -> ConflictError:
    return ConflictError(KNOWN_EMAIL, code="email_taken", fields={"email": KNOWN_EMAIL})


def refuse_known_email(session: Session, email: str) -> None:
    """Raise ConflictError if an e-mail, written as `Registration` writes it, is an account's or kept for one."""
    if emails.is_unavailable(session, email):
        raise _taken()


def _add_with_session(session: Session, user: User, caller: Caller) -> str:
    if user.role == "Vendor":
        user.commission_bps = policies.current(session).commission_bps
    session.add(user)
    session.flush()
    sessions.recognise_device(session, user, caller)
    emails.send_link(session, user)
    actor = proven_owner(user, caller)
    audit.record(
        session, actor, Act.ACCOUNT_CREATED, ("user", actor.id), after={"email": user.email, "role": user.role}
    )
    return open_session(session, actor.id, caller.user_agent)


def registration(data: Mapping[str, Any], caller: Caller) -> Registration:
    """The sign-up in a form; raises InvalidInputError with all that is wrong with it, and TooManyRequestsError.

    E-mail, pincode and password are checked here only if something else is wrong too: else `accounts.register` checks
    them.
    """
    try:
        return validated(Registration, data)
    except InvalidInputError as error:
        checks = [*_email_checks(data, error.fields), *_password_checks(data)]
        if checks:
            # Checking a password takes time, and checking an e-mail says who has an account.
            throttle.count("register", caller)
        refuse_together(
            partial(validated, Registration, data),
            partial(settled_place, str(data.get("pincode", "")), typed_place(data)),
            *checks,
        )
        raise


def _email_checks(data: Mapping[str, Any], refused: Collection[str]) -> Iterator[Callable[[], object]]:
    if "email" not in refused:
        yield partial(read, refuse_known_email, as_signed_up(str(data["email"])))


def _password_checks(data: Mapping[str, Any]) -> Iterator[Callable[[], object]]:
    if password := str(data.get("password") or "")[:1000]:
        yield partial(check_new_password, password, "", ())
