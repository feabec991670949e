"""Guests, the texts to them and what is booked for them."""

import dataclasses
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlmodel import col

from rental_app.content.texts import GUEST_TRIP
from rental_app.infrastructure.db import read, write
from rental_app.models import Booking, Member, Outbox, User, Vehicle
from rental_app.schemas.bookings import VendorBookingView
from rental_app.schemas.counter import CounterRequest
from rental_app.schemas.validation import validated
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import counter
from rental_app.services.mail import messages
from rental_app.services.mail.messages import TextMessage
from tests.support.shop import actor, wire

GUEST = {"name": "Suresh Babu", "phone": "+91 90000 20288"}


def texts() -> list[Outbox]:
    """The texts to guests, the oldest first."""
    sent = select(Outbox).where(col(Outbox.kind) == GUEST_TRIP).order_by(col(Outbox.id))
    return list(read(lambda session: session.scalars(sent).all()))


def secret_of(text: Outbox) -> str:
    """The secret that a text carries."""
    made = read(messages.compose, text.id or 0)
    assert made
    assert isinstance(made.message, TextMessage)
    return made.message.values["token"]


def at_counter(user: User, vehicle: Vehicle, pickup: datetime, return_at: datetime, **more: Any) -> VendorBookingView:
    """Book at the counter, as the vendor or one of their members."""
    asked = {"vehicle": vehicle.id, "pickupDate": wire(pickup), "returnDate": wire(return_at), "customer": GUEST}
    return write(counter.create, _acting(user), validated(CounterRequest, asked | more))


def _acting(user: User) -> Actor:
    member = read(lambda session: session.get(Member, user.id))
    return dataclasses.replace(actor(user), employer=member.vendor_id if member else 0)


def guest_of(booking: VendorBookingView) -> User:
    """The row of a booking's guest."""
    own = select(User).join(Booking, col(Booking.customer_id) == User.id).where(col(Booking.id) == booking.id)
    return read(lambda session: session.scalars(own).one())
