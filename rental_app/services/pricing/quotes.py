"""What a vehicle costs over a window, under the same rules that apply to a booking."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cache, partial
from typing import Any, NamedTuple

from sqlalchemy import and_, bindparam
from sqlmodel import Session, col

from rental_app.domain import clock, pricing
from rental_app.domain.clock import MIN_LENGTH, Window
from rental_app.domain.confirm_at_once import AtOnceConditions
from rental_app.domain.errors import ConflictError, InvalidInputError
from rental_app.domain.hours import resolve
from rental_app.domain.money import format_rupees
from rental_app.domain.policies import Policies
from rental_app.domain.pricing import Discount, Extra, Quote, Tariff, earlier_return, quote
from rental_app.infrastructure.constants import with_constants
from rental_app.models import Columns, Listing, ListingInFull, Snapshot, Vehicle, listing, listings, snapshot
from rental_app.schemas.bookings import BookingRequest
from rental_app.schemas.quotes import Cheaper, QuoteLine, QuoteRequest, QuoteView
from rental_app.schemas.wire import read_window
from rental_app.services import policies, throttle
from rental_app.services.accounts.actor import Actor, unknown_vehicle
from rental_app.services.bookings import confirm_at_once, free_dates
from rental_app.services.bookings.confirm_at_once import AtOnce
from rental_app.services.pricing import promotions
from rental_app.services.pricing.promotions import Redemption
from rental_app.services.pricing.tariffs import tariffs
from rental_app.services.search.cache import Slot, current_cache, fetch_missing
from rental_app.services.search.eligibility import is_listed
from rental_app.services.throttle import Caller

TAKEN = "This vehicle is taken on these dates"
PAPERS_EXPIRE = "This vehicle's documents expire before your return"


class Rentable(NamedTuple):
    """A vehicle with its prices, the copy of it that a booking stores, whether it is offered at all, the last day on
    which its papers are valid, and under which conditions it is confirmed at once, None if never."""

    vehicle: ListingInFull
    tariff: Tariff
    booked: Snapshot
    offered: bool
    papers: date
    conditions: AtOnceConditions | None


_RENTABLES: Slot[Rentable] = Slot("rentable vehicles")


@dataclass(frozen=True, slots=True)
class Rental:
    """A vehicle that can be rented over a window, the copy of it that a booking stores, the requested extras, the code
    of an offer, under which conditions it is confirmed at once, and the numbers of the shop that it goes by."""

    vehicle: ListingInFull
    tariff: Tariff
    booked: Snapshot
    window: Window
    policies: Policies
    extras: Collection[Extra] = ()
    offer: str = ""
    conditions: AtOnceConditions | None = None


class PricedTerms(NamedTuple):
    """The columns of a booking that follow from its window and its price (paise); `lines` as JSON stores them."""

    pickup_at: datetime
    return_at: datetime
    price_paise: int
    deposit_paise: int
    full_day_paise: int
    kms_included: int | None
    lines: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class PricedRental:
    """A rental with its price, the discount in it, and whether it is confirmed as it is booked: at once, after the
    customer's mobile number is confirmed, or never."""

    rental: Rental
    quote: Quote
    discount: Discount | None
    at_once: AtOnce

    @property
    def terms(self) -> PricedTerms:
        """What a booking stores of its window and its price."""
        return PricedTerms(
            pickup_at=self.rental.window.pickup,
            return_at=self.rental.window.return_at,
            price_paise=self.quote.total,
            deposit_paise=self.quote.deposit,
            full_day_paise=self.rental.vehicle.daily_paise,
            kms_included=self.quote.kms_included,
            lines=[line._asdict() for line in self.quote.lines],
        )

    @property
    def view(self) -> QuoteView:
        """The price as both edges return it, with a nearby return time that costs less."""
        price, window = self.quote, self.rental.window
        return QuoteView(
            lines=[QuoteLine(**line._asdict()) for line in price.lines],
            total=price.total,
            deposit=price.deposit,
            days=price.days,
            kms_included=price.kms_included,
            kms_text="Unlimited" if price.kms_included is None else f"{price.kms_included} km",
            saving=price.saving,
            cheaper=_cheaper(self.rental, self.discount, price.total),
            pickup=window.pickup,
            return_at=window.return_at,
            confirmed_at_once=self.at_once == "yes",
            confirm_mobile_first=self.at_once == "phone",
            numbers=self.rental.policies.code,
            policies=self.rental.policies,
        )


def quote_for(session: Session, caller: Caller, request: QuoteRequest) -> QuoteView:
    """The price of a vehicle over a window.

    Raises NotFoundError, InvalidInputError and ConflictError as `bookings.create` does.
    """
    throttle.count("quote", caller)
    instant = clock.now()
    rental = rental_of(session, request, instant, policies.current(session))
    free_dates.require_free(session, rental.vehicle, rental.window, instant, TAKEN)
    customer_id = caller.id if isinstance(caller, Actor) else None
    return priced(session, rental, Redemption(instant, customer_id)).view


@cache
def _rentables() -> Columns:
    papers = col(Vehicle.insurance_expiry_date), col(Vehicle.pollution_expiry_date)
    added = confirm_at_once.with_conditions(
        listings(ListingInFull).add_columns(and_(*is_listed()).label("offered"), *papers)
    )
    return with_constants(added.where(col(Vehicle.id).in_(bindparam("cars", expanding=True))))


def _fetched(session: Session, ids: list[int]) -> Iterator[tuple[int, Rentable]]:
    rows = session.connection().execute(_rentables(), {"cars": ids}).all()
    vehicles = [listing(row, ListingInFull) for row in rows]
    by_vehicle = tariffs(session, vehicles)
    for row, vehicle in zip(rows, vehicles, strict=True):
        papers = min(row.insurance_expiry_date, row.pollution_expiry_date)
        yield (
            vehicle.id,
            Rentable(
                vehicle=vehicle,
                tariff=by_vehicle[vehicle.id],
                booked=snapshot(vehicle),
                offered=bool(row.offered),
                papers=papers,
                conditions=confirm_at_once.conditions_of(
                    row.at_once, row.verified_phone, row.hours_ahead, row.most_open
                ),
            ),
        )


def rentable(session: Session, vehicle_id: int) -> Rentable:
    """A vehicle as it is in the current edition of the shop; raises NotFoundError."""
    cached = current_cache(session).by_id(_RENTABLES)
    fetch_missing(cached, [vehicle_id], partial(_fetched, session))
    if entry := cached.get(vehicle_id):
        return entry
    raise unknown_vehicle()


def outside_hours(refusal: tuple[str, str]) -> InvalidInputError:
    """The error for a time at which a vendor is closed, by the field that holds it and what is wrong with it."""
    return InvalidInputError(refusal[1], code="outside_hours", fields=dict([refusal]))


def rental_of(session: Session, request: QuoteRequest, instant: datetime, numbers: Policies) -> Rental:
    """The vehicle and the window a request asks for, checked against every rule but overlaps; it goes by these numbers.

    Raises NotFoundError, InvalidInputError and ConflictError.
    """
    ends = read_window(request.pickup, request.return_at)
    today = clock.indian_today(instant)
    # The last day is known before the dates are resolved to a window; the window's own rules follow below.
    last_day = clock.indian_today(ends[1]) if isinstance(ends[1], datetime) else ends[1]
    candidate = rentable(session, request.car)
    if not candidate.offered or candidate.papers < today:
        raise ConflictError("This vehicle is not available for booking", code="not_bookable")
    window = resolve(*ends, candidate.vehicle.hours)
    clock.check_window(window, instant)
    if refusal := candidate.vehicle.hours.refusal(window):
        raise outside_hours(refusal)
    if candidate.papers < last_day:
        raise ConflictError(PAPERS_EXPIRE, code="papers_expire")
    return Rental(
        vehicle=candidate.vehicle,
        tariff=candidate.tariff,
        booked=candidate.booked,
        window=window,
        policies=numbers,
        extras=request.extras,
        offer=request.offer,
        conditions=candidate.conditions,
    )


def priced(session: Session, rental: Rental, by: Redemption) -> PricedRental:
    """The price of a rental.

    Raises InvalidInputError (extras, offer) and ConflictError (offer).
    """
    discount = promotions.discount(session, rental.offer, rental.window.days, by) if rental.offer else None
    at_once = confirm_at_once.verdict(
        session, rental.conditions, rental.vehicle.vendor_id, rental.window, by.instant, by.customer_id
    )
    return PricedRental(rental, _price(rental, discount), discount, at_once)


def _price(rental: Rental, discount: Discount | None) -> Quote:
    rates = extra_rates(rental.vehicle, rental.policies)
    lines = pricing.extra_lines(rental.extras, rates, rental.window, rental.policies)
    return quote(rental.window, rental.tariff, rental.vehicle.deposit_paise, lines, discount)


def extra_rates(vehicle: Listing, numbers: Policies) -> dict[Extra, int]:
    """The rate of each extra that is available with a vehicle."""
    return pricing.extra_rates(
        vehicle.seating_capacity,
        numbers,
        delivers=vehicle.delivery_supported,
        drop_off=vehicle.brought_paise,
        pick_up=vehicle.fetched_paise,
    )


def _cheaper(rental: Rental, discount: Discount | None, total: int) -> Cheaper | None:
    """The latest return that takes one half day less, if it costs less and the offer allows it; later ones never do."""
    return_at = rental.vehicle.hours.last_open(earlier_return(rental.window))
    if return_at is None or return_at < rental.window.pickup + MIN_LENGTH:
        return None
    shorter = replace(rental, window=Window(rental.window.pickup, return_at))
    if discount and shorter.window.days < discount.minimum_days:
        return None
    less = _price(shorter, discount).total
    return Cheaper(return_at=return_at, total=less) if less < total else None


class PriceChangedError(ConflictError):
    """The price differs from the one shown; `quote` is the current one."""

    code = "price_changed"

    def __init__(self, message: str, quote: QuoteView) -> None:
        super().__init__(message, details={"quote": quote})
        self.quote = quote


def require_expected_price(request: BookingRequest, price: PricedRental) -> None:
    """Raise PriceChangedError if a total or deposit that was shown is no longer current, if the shop's numbers have
    changed since, or if the booking would wait for the vendor where it was shown as confirmed at once, or the other way
    round."""
    figures = (
        ("price", request.expected_total, price.quote.total),
        ("deposit", request.expected_deposit, price.quote.deposit),
    )
    changes = [
        f"the {name} has changed from {format_rupees(shown)} to {format_rupees(now)}"
        for name, shown, now in figures
        if shown is not None and shown != now
    ]
    at_once = price.at_once == "yes"
    if request.expected_at_once not in (None, at_once):
        changes.append("such a booking is now confirmed at once" if at_once else "the vendor now answers such requests")
    if request.expected_numbers not in ("", price.rental.policies.code):
        changes.append("the terms of cancelling, late returns or fees have changed")
    if changes:
        text = " and ".join(changes)
        raise PriceChangedError(text[0].upper() + text[1:], price.view)
