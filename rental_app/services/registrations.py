"""The fields of a sign-up form, before there is an account."""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import Any

from rental_app.db import read
from rental_app.errors import InvalidInputError
from rental_app.schemas.people import Registration, as_signed_up, typed_place
from rental_app.schemas.validation import refuse_together, validated
from rental_app.security import check_new_password
from rental_app.services import throttle
from rental_app.services.accounts import refuse_taken
from rental_app.services.catalogue import settled_place
from rental_app.services.throttle import Caller


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
        yield partial(read, refuse_taken, as_signed_up(str(data["email"])))


def _password_checks(data: Mapping[str, Any]) -> Iterator[Callable[[], object]]:
    if password := str(data.get("password") or "")[:1000]:
        yield partial(check_new_password, password, "", ())
