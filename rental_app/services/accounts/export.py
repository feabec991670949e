"""A copy of all that is kept about somebody, as a ZIP."""

from pathlib import Path

from rental_app.domain.errors import UnavailableError
from rental_app.services.accounts.actor import Actor


def make(actor: Actor) -> Path:
    """Make the copy in a temporary file, which the caller removes; opens its own transactions.

    Raises ForbiddenError (`confirm_password`) and TooManyRequestsError (one an hour).
    """
    raise UnavailableError("Not yet")
