"""Codes texted for bookings, as those read them out who got them."""

from sqlalchemy import select
from sqlmodel import col

from rental_app.content.texts import TRIP_CANCEL, TRIP_NO, TRIP_OBJECT, TRIP_YES
from rental_app.infrastructure.db import read, write
from rental_app.models import Outbox, User
from rental_app.schemas.trips import TripView
from rental_app.services.bookings.guests import CodeSent
from rental_app.services.mail import messages
from rental_app.services.mail.messages import TextMessage
from rental_app.services.trips import answers
from tests.support.shop import actor

WORDS = (TRIP_YES, TRIP_NO, TRIP_OBJECT, TRIP_CANCEL)


def texted() -> list[Outbox]:
    """The texts with codes, the oldest first."""
    sent = select(Outbox).where(col(Outbox.kind).in_(WORDS)).order_by(col(Outbox.id))
    return list(read(lambda session: session.scalars(sent).all()))


def text() -> TextMessage:
    """The latest of them, as it is sent."""
    made = read(messages.compose, texted()[-1].id or 0)
    assert made
    assert isinstance(made.message, TextMessage)
    return made.message


def code() -> str:
    """The code of the latest."""
    return text().values["code"]


def another(than: str) -> str:
    """A code that is not this one."""
    return f"{(int(than) + 1) % 10**6:06}"


def send_code(user: User, ref: object) -> CodeSent:
    """Have a code sent, as the vendor."""
    return write(answers.send_code, actor(user), str(ref))


def type_code(user: User, ref: object, typed: str) -> TripView:
    """Type in what the customer reads out, as the vendor."""
    found = write(answers.try_code, actor(user), str(ref), typed)
    return write(answers.agree_by_code, actor(user), str(ref), found)
