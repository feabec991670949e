"""What a booking costs with a later return: with the vehicle's current plans, and extras and offer as booked."""

import math
from dataclasses import replace
from datetime import datetime

from sqlmodel import Session, col

from rental_app.domain.booking_events import EventKind
from rental_app.domain.clock import Window
from rental_app.domain.counter import AGREED_OTHERWISE
from rental_app.domain.errors import RentalError
from rental_app.domain.money import Paise
from rental_app.domain.pricing import Discount, PriceLine, Quote, extra_lines, quote, sorted_extras
from rental_app.models import Booking, Listing, ListingInFull, Vehicle, listing, listings
from rental_app.services.bookings import events
from rental_app.services.pricing import promotions
from rental_app.services.pricing.promotions import Redemption
from rental_app.services.pricing.tariffs import tariffs


def requoted(session: Session, booking: Booking, window: Window, instant: datetime) -> Quote:
    """What the whole of a booking's longer window costs at an instant (paise), with no fewer kilometres than agreed.

    What was agreed to be more or less than computed stays so by the same amount.
    """
    price = _computed(session, booking, window, instant)
    return replace(
        price,
        total=price.total + _agreed_apart(session, booking, instant),
        kms_included=_kms(booking.kms_included, price.kms_included),
    )


def _computed(session: Session, booking: Booking, window: Window, instant: datetime) -> Quote:
    vehicle = _priced_vehicle(session, booking)
    tariff, extras = tariffs(session, [vehicle])[vehicle.id], _extras(booking, window)
    return quote(window, tariff, booking.deposit_paise, extras, _discount(session, booking, window, instant))


def _agreed_apart(session: Session, booking: Booking, instant: datetime) -> int:
    """How far the price of a booking is from what it would cost now (paise), if it was agreed otherwise than computed.

    At the counter, in place of another booking, or for another vehicle, whose own price is not what was promised.
    """
    is_agreed = any(line["label"].startswith(AGREED_OTHERWISE) for line in booking.lines)
    if not is_agreed and all(event.what != EventKind.MOVED for event in events.events(session, booking)):
        return 0
    present = Window(booking.pickup_at, booking.return_at)
    return booking.price_paise - _computed(session, booking, present, instant).total


def _kms(agreed: int | None, quoted: int | None) -> int | None:
    """The more generous of two limits; None is unlimited."""
    return None if agreed is None or quoted is None else max(agreed, quoted)


def _priced_vehicle(session: Session, booking: Booking) -> Listing:
    """The vehicle; if it no longer has a daily price, with the booking's price and kilometres per day."""
    row = session.execute(listings(ListingInFull).where(col(Vehicle.id) == booking.vehicle_id)).one()
    vehicle = listing(row, ListingInFull)
    if vehicle.daily_paise:
        return vehicle
    kms_a_day = math.ceil((booking.kms_included or 0) / Window(booking.pickup_at, booking.return_at).days)
    return replace(vehicle, daily_paise=Paise(booking.daily_paise), kms_limit=kms_a_day)


def _extras(booking: Booking, window: Window) -> list[PriceLine]:
    """The extras at the rates they were booked at, even if they are no longer available with the vehicle."""
    booked = [line["rate"] for line in booking.lines if line.get("kind") == "extra"]
    # `extra_lines` made them in this order; bookings from before there were extras have neither.
    rates = dict(zip(sorted_extras(booking.extras or []), booked, strict=False))
    return extra_lines(rates, rates, window)


def _discount(session: Session, booking: Booking, window: Window, instant: datetime) -> Discount | None:
    """What the offer takes off; one that is no longer available keeps taking off the same amount."""
    if not booking.offer:
        return None
    by = Redemption(instant, booking.customer_id, booking)
    try:
        return promotions.discount(session, booking.offer, window.days, by)
    except RentalError:
        taken_off = sum(line["amount"] for line in booking.lines if line.get("kind") == "discount")
        return Discount(booking.offer, off=-taken_off)
