"""The fields of a sign-up form, before there is an account."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from rental_app.errors import InvalidInputError
from rental_app.schemas.people import Registration
from rental_app.schemas.validation import refuse_together, validated
from rental_app.security import check_new_password
from rental_app.services import throttle
from rental_app.services.catalogue import place_of_pincode
from rental_app.services.throttle import Caller


def registration(data: Mapping[str, Any], caller: Caller) -> Registration:
    """What a form says; raises InvalidInputError with all that is wrong with it, and TooManyRequestsError.

    Password and pincode are judged here only where something else is wrong as well: else `accounts.register` does it.
    """
    try:
        return validated(Registration, data)
    except InvalidInputError:
        # A password's verdict takes its time.
        throttle.count("register", caller)
        refuse_together(
            partial(validated, Registration, data),
            partial(place_of_pincode, str(data.get("pincode", ""))),
            partial(check_new_password, str(data.get("password", ""))[:1000], ()),
        )
        raise
