"""`python -m rental_app.approve E-MAIL`: lifts the limits on a vendor's files and vehicles."""

import argparse

from rental_app.domain.errors import NotFoundError
from rental_app.infrastructure import db
from rental_app.infrastructure.settings import settings, settings_or_exit
from rental_app.services.accounts.actor import at_the_machine
from rental_app.services.files import limits


def main() -> None:
    """Approve the account of an e-mail."""
    parser = argparse.ArgumentParser(prog="python -m rental_app.approve", description=__doc__)
    parser.add_argument("email")
    email = parser.parse_args().email
    with settings_or_exit():
        settings()
    try:
        db.write(limits.approve, at_the_machine(), email)
    except NotFoundError as error:
        raise SystemExit(error.message) from None
    print(f"{email} may keep and list as much as there is room for.")  # noqa: T201


if __name__ == "__main__":
    main()
