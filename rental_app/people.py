"""`python -m rental_app.people`: what the operator does at the machine, without the console.

decide: list what vendors ask to have changed, or decide one request; review: list what was reported, or remove or keep
one review; approve: lift the limits on a vendor's files and vehicles; operator: make an operator, or with --end unmake
one; second-step-off: let somebody in again who has lost app and recovery codes, once you know who it is; read-only: let
everybody look around, and nobody book or change anything, or with --off open the shop again; erase: have an account
erased in a week, for somebody who asked by letter; retention: show what is over, or with --run delete what is held back
too; affected: count whose data there are, for a report of a breach; logout-all: end every session of everybody.
"""

import argparse
from datetime import date, datetime

from sqlmodel import Session

from rental_app.domain import clock
from rental_app.domain.characters import without_hidden
from rental_app.domain.errors import RentalError
from rental_app.infrastructure import db
from rental_app.infrastructure.settings import settings, settings_or_exit
from rental_app.models import Review
from rental_app.schemas.operating import ReadOnlyRequest, ReviewDecision
from rental_app.services import retention
from rental_app.services.accounts import erasure, operators, requests, second_step
from rental_app.services.accounts.actor import at_the_machine
from rental_app.services.accounts.erasure import OpenTripsError
from rental_app.services.accounts.requests import OpenRequest
from rental_app.services.files import limits, storage
from rental_app.services.operating import breach, read_only, reviews
from rental_app.services.reviews import writing


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


def review(given: argparse.Namespace) -> str:
    """List reported reviews, or remove or keep one."""
    if not given.decision:
        waiting = db.read(writing.reported, at_the_machine())
        return "\n".join(map(_reported, waiting)) or "Nothing to look at."
    request = ReviewDecision(decision=given.decision, reason=given.reason)
    return db.write(reviews.decide, at_the_machine(), given.review, request)


def _reported(found: Review) -> str:
    at = f" on {clock.friendly(found.reported_at)}: {_on_one_line(found.report_note)}" if found.reported_at else ""
    return (
        f"{found.id}: {found.stars} of 5 by the {found.side} of booking {found.booking_id}"
        f"\n    {_on_one_line(found.text) or '(no words)'}\n    reported by account {found.reported_by}{at}"
    )


def approve(given: argparse.Namespace) -> str:
    """Lift the limits of a vendor's account."""
    db.write(limits.approve, at_the_machine(), given.email)
    return f"{given.email} may keep and list as much as there is room for."


def switch(given: argparse.Namespace) -> str:
    """Make the shop read-only, or open it again."""
    return db.write(read_only.switch, at_the_machine(), ReadOnlyRequest(on=not given.off, message=given.message))


def erase(given: argparse.Namespace) -> str:
    """Have an account erased for somebody who has asked by letter, or say what is in the way."""
    try:
        day = db.write(erasure.ask_for, at_the_machine(), given.email)
    except OpenTripsError as error:
        raise SystemExit("\n".join((f"{error.message}:", *(one.text for one in error.obstacles)))) from None
    return f"{given.email} is erased on {clock.full_day(day)}, unless they log in before; they are told so."


def apply_retention(given: argparse.Namespace) -> str:
    """Show what is not to be kept any longer, or delete it, what is held back too."""
    instant = clock.now()
    before = over = _rows_over(instant) if given.run else 0
    while over:
        storage.remove(db.write(_delete_batch, instant))
        over = _rows_over(instant)
    lines = [f"{one.name}: {one.rows} of {one.total}{_held(one)}" for one in db.read(retention.lapsed, instant)]
    return "\n".join(([f"{before} rows are deleted."] if given.run else []) + lines) or "Nothing is over."


def _delete_batch(session: Session, instant: datetime) -> list[str]:
    return retention.run(session, instant, held_too=True)


def _rows_over(instant: datetime) -> int:
    return sum(one.rows for one in db.read(retention.lapsed, instant))


def _held(one: retention.Lapsed) -> str:
    return ", held back until --run" if one.held else ""


def affected(given: argparse.Namespace) -> str:
    """Say how many people's data there are, and which, for a report to the Board."""
    counts = db.read(breach.affected, at_the_machine(), given.since)
    return "\n".join(f"{what}: {many}" for what, many in counts.items())


def logout_all(_: argparse.Namespace) -> str:
    """End every session of everybody."""
    ended = db.write(breach.end_all_sessions, at_the_machine())
    return f"{ended} sessions have ended: everybody logs in again."


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
    judging_one = what.add_parser("review")
    judging_one.add_argument("review", nargs="?", type=int, default=0)
    judging_one.add_argument("decision", nargs="?", choices=("remove", "keep"))
    judging_one.add_argument("--reason", default="", help="told to whoever wrote it")
    judging_one.set_defaults(do=review)
    approving = what.add_parser("approve")
    approving.add_argument("email", type=operators.email_of)
    approving.set_defaults(do=approve)
    switching = what.add_parser("read-only")
    switching.add_argument("message", nargs="?", default="", help="what people are told meanwhile")
    switching.add_argument("--off", action="store_true", help="open the shop again")
    switching.set_defaults(do=switch)
    making = what.add_parser("operator")
    making.add_argument("email", type=operators.email_of)
    making.add_argument("--end", action="store_true", help="make a customer of an operator again")
    making.set_defaults(do=operator)
    turning_off = what.add_parser("second-step-off")
    turning_off.add_argument("email", type=operators.email_of)
    turning_off.set_defaults(do=second_step_off)
    erasing = what.add_parser("erase")
    erasing.add_argument("email", type=operators.email_of)
    erasing.set_defaults(do=erase)
    keeping = what.add_parser("retention")
    keeping.add_argument("--run", action="store_true", help="delete what is over, however much it is")
    keeping.set_defaults(do=apply_retention)
    counting = what.add_parser("affected")
    counting.add_argument("since", nargs="?", type=date.fromisoformat, help="a day such as 2026-11-30")
    counting.set_defaults(do=affected)
    ending = what.add_parser("logout-all")
    ending.set_defaults(do=logout_all)
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
