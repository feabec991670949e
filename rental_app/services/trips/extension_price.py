"""What a booking costs with a later return: with the vehicle's current plans, and extras and offer as booked."""

import math
from dataclasses import replace
from datetime import datetime

from sqlmodel import Session, col

from rental_app.domain.clock import Window
from rental_app.domain.counter import CONTINUES
from rental_app.domain.errors import RentalError
from rental_app.domain.money import Paise
from rental_app.domain.pricing import Discount, PriceLine, Quote, extra_lines, quote, sorted_extras
from rental_app.models import Booking, Listing, ListingInFull, Vehicle, listing, listings
from rental_app.services.pricing import promotions
from rental_app.services.pricing.promotions import Redeeming
from rental_app.services.pricing.tariffs import tariffs


def requoted(session: Session, booking: Booking, window: Window, instant: datetime) -> Quote:
    """What the whole of a booking's longer window costs at an instant (paise), with no fewer kilometres than agreed."""
    vehicle = _priced_vehicle(session, booking)
    tariff, extras = tariffs(session, [vehicle])[vehicle.id], _extras(booking, window)
    price = quote(window, tariff, booking.deposit_paise, extras, _discount(session, booking, window, instant))
    return replace(price, kms_included=_kms(booking.kms_included, price.kms_included))


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
    """What the offer takes off; one that is no longer available keeps taking off the same amount, and so does what
    continues another booking."""
    if not booking.offer:
        continued = sum(line["amount"] for line in booking.lines if line["label"].startswith(CONTINUES))
        return Discount(CONTINUES, off=-continued) if continued else None
    by = Redeeming(instant, booking.customer_id, booking)
    try:
        return promotions.discount(session, booking.offer, window.days, by)
    except RentalError:
        taken_off = sum(line["amount"] for line in booking.lines if line.get("kind") == "discount")
        return Discount(booking.offer, off=-taken_off)
