"""`python -m rental_app.people`: what the operator does about people at the machine.

decide: list what vendors ask to have changed, or decide one request; operator: make an operator, or with --end unmake
one; second-step-off: let somebody in again who has lost app and recovery codes, once you know who it is.
"""

import argparse

from rental_app.domain import clock
from rental_app.domain.characters import without_hidden
from rental_app.domain.errors import RentalError
from rental_app.infrastructure import db
from rental_app.infrastructure.settings import settings, settings_or_exit
from rental_app.services.accounts import operators, requests, second_step
from rental_app.services.accounts.actor import at_the_machine
from rental_app.services.accounts.requests import OpenRequest


def on_a_few_lines(waiting: OpenRequest) -> str:
    """A request: whose it is, what is asked for, and why."""
    asked = waiting.request
    why = _on_one_line(asked.why) or "(no reason given)"
    return (
        f"{asked.id}: {_on_one_line(waiting.name)} ({waiting.email}) on {clock.friendly(asked.created_at)}"
        f"\n    another {requests.CALLED[asked.field]}: {_on_one_line(asked.value)}\n    {why}"
    )


def _on_one_line(text: str) -> str:
    """What somebody typed, so that it cannot pass for other lines of the list, or run backwards in them."""
    return " ".join(without_hidden(text).split())


def decide(given: argparse.Namespace) -> str:
    """List what is asked for, or decide one request."""
    if not given.decision:
        waiting = db.read(requests.open_requests, at_the_machine())
        return "\n".join(map(on_a_few_lines, waiting)) or "Nothing to decide."
    grant = given.decision == "grant"
    decided = db.write(requests.decide, at_the_machine(), given.request, grant=grant, reason=given.reason)
    return f"{decided.id} is {decided.state}, and its vendor is told."


def operator(given: argparse.Namespace) -> str:
    """Make or unmake an operator."""
    if given.end:
        db.write(operators.unmake, at_the_machine(), given.email)
        return f"{given.email} is no operator any more, and is logged out."
    link = db.write(operators.make, at_the_machine(), given.email)
    return f"{given.email} is an operator, and sets a password within 30 minutes at\n{link}"


def second_step_off(given: argparse.Namespace) -> str:
    """Turn off the second step of an account."""
    db.write(second_step.take_off, at_the_machine(), given.email)
    return f"{given.email} logs in with the password alone, and is told so."


def arguments() -> argparse.ArgumentParser:
    """What the command line may say."""
    parser = argparse.ArgumentParser(
        prog="python -m rental_app.people", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = parser.add_subparsers(required=True, metavar="WHAT")
    deciding = what.add_parser("decide")
    deciding.add_argument("request", nargs="?", type=int, default=0)
    deciding.add_argument("decision", nargs="?", choices=("grant", "refuse"))
    deciding.add_argument("--reason", default="", help="told to whoever asked")
    deciding.set_defaults(do=decide)
    making = what.add_parser("operator")
    making.add_argument("email", type=operators.email_of)
    making.add_argument("--end", action="store_true", help="make a customer of an operator again")
    making.set_defaults(do=operator)
    turning_off = what.add_parser("second-step-off")
    turning_off.add_argument("email", type=operators.email_of)
    turning_off.set_defaults(do=second_step_off)
    return parser


def main() -> None:
    """Do what the command line asks for."""
    given = arguments().parse_args()
    with settings_or_exit():
        settings()
    try:
        print(given.do(given))  # noqa: T201
    except RentalError as error:
        raise SystemExit(error.message) from None


if __name__ == "__main__":
    main()
