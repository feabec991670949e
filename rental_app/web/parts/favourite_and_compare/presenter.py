"""Texts about vehicles that somebody has marked."""

from rental_app.domain import clock
from rental_app.domain.clock import Window
from rental_app.models import Listing
from rental_app.services.pricing.quotes import PAPERS_EXPIRE
from rental_app.services.search.listings import Vehicles


def availability(car: Listing, vehicles: Vehicles, window: Window | None) -> tuple[str, bool]:
    """Whether a marked vehicle is available, in words and as a flag."""
    if until := vehicles.taken.get(car.id):
        return ("Taken on your dates" if window else f"Taken until {clock.friendly(until)}"), False
    if window and (refusal := car.hours.refusal(window)):
        return refusal[1], False
    if car.id in vehicles.expiring:
        return PAPERS_EXPIRE, False
    return ("Free on your dates" if window else "Free now"), True
