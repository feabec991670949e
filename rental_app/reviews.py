"""`python -m rental_app.reviews`: reported reviews, for the operator to hide or to leave."""

import argparse

from rental_app.domain import clock
from rental_app.domain.errors import NotFoundError
from rental_app.infrastructure import db
from rental_app.infrastructure.settings import settings, settings_or_exit
from rental_app.models import Review
from rental_app.services.accounts.actor import at_the_machine
from rental_app.services.reviews import judging


def on_a_few_lines(review: Review) -> str:
    """A review: what was reported, by whom and why."""
    reported = f"reported by account {review.reported_by}" if review.reported_at else "not reported"
    at = f" on {clock.friendly(review.reported_at)}: {review.report_note}" if review.reported_at else ""
    return (
        f"{review.id}: {review.stars} of 5 by the {review.side} of booking {review.booking_id}"
        f"\n    {review.text or '(no words)'}\n    {reported}{at}"
    )


def main() -> None:
    """List what was reported, or judge one review."""
    parser = argparse.ArgumentParser(prog="python -m rental_app.reviews", description=__doc__)
    parser.add_argument("verdict", nargs="?", choices=("list", "hide", "keep"), default="list")
    parser.add_argument("review", nargs="?", type=int, default=0)
    operator, arguments = at_the_machine(), parser.parse_args()
    with settings_or_exit():
        settings()
    if arguments.verdict == "list":
        print("\n".join(on_a_few_lines(one) for one in db.read(judging.reported, operator)) or "Nothing to look at.")  # noqa: T201
        return
    try:
        judged = db.write(judging.judge, operator, arguments.review, hide=arguments.verdict == "hide")
    except NotFoundError as error:
        raise SystemExit(error.message) from None
    print(f"{judged.id} is {'hidden' if judged.is_hidden else 'shown'}.")  # noqa: T201


if __name__ == "__main__":
    main()
