"""Operators remove reviews or keep them, and send messages again."""

from datetime import timedelta

import pytest
from sqlalchemy import select
from sqlmodel import col

from rental_app.content.messages import NEW_DEVICE, RESET_PASSWORD
from rental_app.domain import clock
from rental_app.domain.errors import InvalidInputError, NotFoundError, RentalError
from rental_app.infrastructure.db import read, write
from rental_app.models import Outbox, User
from rental_app.schemas.operating import ReviewDecision
from rental_app.schemas.reviews import ReportRequest
from rental_app.services.accounts.letters import tell
from rental_app.services.mail import outbox
from rental_app.services.operating import messages, people, reviews
from rental_app.services.reviews import writing
from tests.conftest import Clock
from tests.support.operating import last_entry, letters, version
from tests.support.reviews import only_review, public, returned, review, wrong_sums
from tests.support.shop import Shop, actor, add_user, statements


@pytest.fixture
def reported(stopped_clock: Clock, shop: Shop) -> int:
    """A review that everybody sees, and that the vendor has reported."""
    trip = returned(shop, stopped_clock)
    review(shop.customer, trip.id, 1, "Thieves, all of them")
    review(shop.vendor, trip.id, 4)
    bad = only_review()
    write(writing.report, actor(shop.vendor), bad, ReportRequest(note="It insults"))
    return bad


def decide(operator: User, review_id: int, decision: str, reason: str = "It insults", expected: str = "") -> str:
    request = ReviewDecision.model_validate({"decision": decision, "reason": reason, "expected": expected})
    return write(reviews.decide, actor(operator), review_id, request)


def code_of(service: object, *args: object) -> str:
    with pytest.raises(RentalError) as refusal:
        write(service, *args)
    return refusal.value.code


def test_a_removed_review_is_gone_and_both_know_why(shop: Shop, operator: User, reported: int) -> None:
    with pytest.raises(InvalidInputError):
        decide(operator, reported, "remove", "")
    assert decide(operator, reported, "remove") == reviews.REMOVED
    assert public(shop).reviews == []
    assert "We have removed one of your reviews" in letters(shop.customer)[-1]
    assert "We have removed the review" in letters(shop.vendor)[-1]
    assert (last_entry().act, last_entry().about) == ("review.judged", "It insults")
    decide(operator, reported, "keep", "")
    assert public(shop).rating == 1.0
    assert wrong_sums() == []


def test_of_two_operators_one_decides_about_a_review(shop: Shop, operator: User, reported: int) -> None:
    looked_at = version("reviews", reported)
    decide(operator, reported, "keep", expected=looked_at)
    assert "The review stays" in letters(shop.vendor)[-1]
    request = ReviewDecision(decision="remove", reason="It insults", expected=looked_at)
    assert code_of(reviews.decide, actor(operator), reported, request) == "changed_meanwhile"
    again = ReviewDecision(decision="keep")
    assert code_of(reviews.decide, actor(operator), reported, again) == "already_decided"
    with pytest.raises(NotFoundError):
        decide(operator, 10**9, "keep")


def test_its_vehicle_is_locked_before_the_review(operator: User, reported: int) -> None:
    with statements() as sent:
        decide(operator, reported, "remove")
    of_vehicle = next(number for number, each in enumerate(sent) if "FROM vehicle" in each)
    of_review = next(number for number, each in enumerate(sent) if "review.stars" in each)
    assert of_vehicle < of_review


def written(user: User) -> int:
    """The latest message to somebody."""
    own = select(col(Outbox.id)).where(col(Outbox.user_id) == user.id).order_by(col(Outbox.id).desc())
    return int(read(lambda session: session.scalars(own).first()) or 0)


def letter(message_id: int) -> Outbox:
    return read(lambda session: session.get_one(Outbox, message_id))


def test_a_message_given_up_is_sent_again(stopped_clock: Clock, shop: Shop, operator: User) -> None:
    write(tell, NEW_DEVICE, shop.vendor.id, note="Chrome")
    message = written(shop.vendor)
    assert code_of(messages.resend, actor(operator), message) == "still_waiting"
    stopped_clock.instant += timedelta(days=2)
    write(outbox.claim, clock.now())
    assert write(outbox.failed, message, "SMTPException: no such mailbox")
    assert letter(message).due_at is None
    assert write(messages.resend, actor(operator), message) == messages.AGAIN
    now = letter(message)
    assert (now.due_at, now.tries, now.error) == (stopped_clock.instant, 0, "")
    assert last_entry().act == "message.sent_again"
    assert message in write(outbox.claim, clock.now())
    write(outbox.done, message, [message], clock.now())
    write(messages.resend, actor(operator), message)


def test_no_message_is_sent_again_that_nobody_can_use(stopped_clock: Clock, shop: Shop, operator: User) -> None:
    write(people.send_reset_link, actor(operator), shop.vendor.id or 0)
    link = written(shop.vendor)
    assert letter(link).kind == RESET_PASSWORD
    write(outbox.done, link, [link], clock.now())
    stopped_clock.instant += timedelta(hours=1)
    assert code_of(messages.resend, actor(operator), link) == "link_expired"
    write(tell, NEW_DEVICE, shop.vendor.id, note="Chrome")
    dropped = written(shop.vendor)
    write(outbox.done, dropped, [], clock.now())
    assert code_of(messages.resend, actor(operator), dropped) == "not_sent"
    assert code_of(messages.resend, actor(operator), 10**9) == "unknown_message"
    assert code_of(messages.resend, actor(add_user()), dropped) == "operators_only"
