"""The fields of a sign-up form, before there is an account."""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import Any

from rental_app.db import read
from rental_app.errors import InvalidInputError
from rental_app.schemas.people import Registration, as_signed_up
from rental_app.schemas.validation import refuse_together, validated
from rental_app.security import check_new_password
from rental_app.services import throttle
from rental_app.services.accounts import refuse_taken
from rental_app.services.catalogue import place_of_pincode
from rental_app.services.throttle import Caller


def registration(data: Mapping[str, Any], caller: Caller) -> Registration:
    """The sign-up in a form; raises InvalidInputError with all that is wrong with it, and TooManyRequestsError.

    E-mail, pincode and password are checked here only if something else is wrong too: else `accounts.register` checks
    them.
    """
    try:
        return validated(Registration, data)
    except InvalidInputError as error:
        # Checking a password takes time.
        throttle.count("register", caller)
        refuse_together(
            partial(validated, Registration, data),
            *_email_checks(data, error.fields),
            partial(place_of_pincode, str(data.get("pincode", ""))),
            partial(check_new_password, str(data.get("password", ""))[:1000], "", ()),
        )
        raise


def _email_checks(data: Mapping[str, Any], refused: Collection[str]) -> Iterator[Callable[[], object]]:
    if "email" not in refused:
        yield partial(read, refuse_taken, as_signed_up(str(data["email"])))
