"""`python -m rental_app.approve E-MAIL`: lifts the limits on a vendor's files and vehicles."""

import argparse

from rental_app import db
from rental_app.errors import NotFoundError
from rental_app.services import storage
from rental_app.settings import settings, settings_or_exit


def main() -> None:
    """Approve the account of an e-mail."""
    parser = argparse.ArgumentParser(prog="python -m rental_app.approve", description=__doc__)
    parser.add_argument("email")
    email = parser.parse_args().email
    with settings_or_exit():
        settings()
    try:
        db.write(storage.approve, email)
    except NotFoundError as error:
        raise SystemExit(error.message) from None
    print(f"{email} may keep and list as much as there is room for.")  # noqa: T201


if __name__ == "__main__":
    main()
