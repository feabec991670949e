"""`python -m rental_app.people decide`: what vendors ask to have changed of their accounts, for the operator."""

import argparse

from rental_app.domain import clock
from rental_app.domain.errors import RentalError
from rental_app.infrastructure import db
from rental_app.infrastructure.settings import settings, settings_or_exit
from rental_app.services.accounts import requests
from rental_app.services.accounts.actor import at_the_machine
from rental_app.services.accounts.requests import OpenRequest


def on_a_few_lines(waiting: OpenRequest) -> str:
    """A request: whose it is, what is asked for, and why."""
    asked = waiting.request
    return (
        f"{asked.id}: {waiting.name} ({waiting.email}) on {clock.friendly(asked.created_at)}"
        f"\n    another {requests.CALLED[asked.field]}: {asked.value}\n    {asked.why or '(no reason given)'}"
    )


def main() -> None:
    """List what is asked for, or decide one request."""
    parser = argparse.ArgumentParser(prog="python -m rental_app.people", description=__doc__)
    parser.add_argument("what", choices=("decide",))
    parser.add_argument("request", nargs="?", type=int, default=0)
    parser.add_argument("decision", nargs="?", choices=("grant", "refuse"))
    parser.add_argument("--reason", default="", help="told to whoever asked")
    operator, arguments = at_the_machine(), parser.parse_args()
    with settings_or_exit():
        settings()
    if not arguments.decision:
        print("\n".join(map(on_a_few_lines, db.read(requests.open_requests, operator))) or "Nothing to decide.")  # noqa: T201
        return
    grant = arguments.decision == "grant"
    try:
        decided = db.write(requests.decide, operator, arguments.request, grant=grant, reason=arguments.reason)
    except RentalError as error:
        raise SystemExit(error.message) from None
    print(f"{decided.id} is {decided.state}, and its vendor is told.")  # noqa: T201


if __name__ == "__main__":
    main()
