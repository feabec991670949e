"""What a vehicle costs over a window, under the very rules a booking is held to."""

from collections.abc import Collection
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import cache

from sqlalchemy import Date, and_, bindparam
from sqlmodel import Session, col

from rental_app.errors import ConflictError, InvalidInputError, NotFoundError
from rental_app.models import Columns, Listing, ListingInFull, Vehicle, listing
from rental_app.rules import clock, extras
from rental_app.rules.clock import MIN_LENGTH, Window
from rental_app.rules.extras import Extra
from rental_app.rules.hours import resolve
from rental_app.rules.pricing import Discount, Quote, Tariff, earlier_return, quote
from rental_app.schemas.bookings import Cheaper, QuoteLine, QuoteRequest, QuoteView
from rental_app.services import busy, offers, throttle
from rental_app.services.accounts import Actor
from rental_app.services.finding import LAST_DAY, bookable
from rental_app.services.offers import Redeeming
from rental_app.services.search import read_window
from rental_app.services.shop import in_full
from rental_app.services.tariffs import tariffs
from rental_app.services.throttle import Caller

TAKEN = "This vehicle is taken on these dates"


@dataclass(frozen=True, slots=True)
class Wish:
    """A vehicle that can be rented over a window, what is wished for with it, and the code of an offer."""

    vehicle: ListingInFull
    window: Window
    extras: Collection[Extra] = ()
    offer: str = ""


@dataclass(frozen=True, slots=True)
class Priced:
    """A wish with its price, and with a return nearby that costs less."""

    wish: Wish
    quote: Quote
    cheaper: Cheaper | None

    @property
    def view(self) -> QuoteView:
        """The price as both edges give it."""
        price, window = self.quote, self.wish.window
        return QuoteView(
            lines=[QuoteLine(**asdict(line)) for line in price.lines],
            total=price.total,
            deposit=price.deposit,
            days=price.days,
            kms_included=price.kms_included,
            kms_text="Unlimited" if price.kms_included is None else f"{price.kms_included} km",
            saving=price.saving,
            cheaper=self.cheaper,
            pickup=window.pickup,
            return_at=window.return_at,
        )


def quote_for(session: Session, caller: Caller, request: QuoteRequest) -> QuoteView:
    """The price of a vehicle over a window.

    Raises NotFoundError, InvalidInputError and ConflictError as `bookings.create` does.
    """
    throttle.count("quote", caller)
    instant = clock.now()
    wish = wish_of(session, request, instant)
    busy.require_free(session, wish.vehicle, wish.window, instant, TAKEN)
    customer_id = caller.id if isinstance(caller, Actor) else None
    return priced(session, wish, Redeeming(instant, customer_id)).view


@cache
def _wished() -> Columns:
    return (
        in_full()
        .add_columns(
            and_(*bookable(bindparam("today", type_=Date()))).label("bookable_today"),
            and_(*bookable(LAST_DAY)).label("bookable_throughout"),
        )
        .where(col(Vehicle.id) == bindparam("car"))
    )


def wish_of(session: Session, request: QuoteRequest, instant: datetime) -> Wish:
    """The vehicle and the window a request asks for, held against every rule but overlaps.

    Raises NotFoundError, InvalidInputError and ConflictError.
    """
    ends = read_window(request.pickup, request.return_at)
    today = clock.indian_today(instant)
    # A date that cannot be read as a window yet still has a last day; the window's own rules follow below.
    last_day = clock.indian_today(ends[1]) if isinstance(ends[1], datetime) else ends[1]
    bound = {"car": request.car, "today": today, "last_day": max(today, last_day)}
    row = session.connection().execute(_wished(), bound).first()
    if row is None:
        raise NotFoundError("There is no such vehicle", code="unknown_vehicle")
    if not row.bookable_today:
        raise ConflictError("This vehicle is not available for booking", code="not_bookable")
    vehicle = listing(row, ListingInFull)
    window = resolve(*ends, vehicle.hours)
    clock.check_window(window, instant)
    if refusal := vehicle.hours.refusal(window):
        raise InvalidInputError(refusal[1], code="outside_hours", fields=dict([refusal]))
    if not row.bookable_throughout:
        raise ConflictError("This vehicle's papers run out before your return", code="papers_expire")
    return Wish(vehicle, window, request.extras, request.offer)


def priced(session: Session, wish: Wish, by: Redeeming) -> Priced:
    """What a wish costs, and a return nearby that costs less.

    Raises InvalidInputError (extras, offer) and ConflictError (offer).
    """
    discount = offers.discount(session, wish.offer, wish.window.days, by) if wish.offer else None
    tariff = tariffs(session, [wish.vehicle])[wish.vehicle.id]
    price = _price(wish, tariff, discount)
    return Priced(wish, price, _cheaper(wish, tariff, discount, price.total))


def _price(wish: Wish, tariff: Tariff, discount: Discount | None) -> Quote:
    lines = extras.lines_of(wish.extras, extra_rates(wish.vehicle), wish.window)
    return quote(wish.window, tariff, wish.vehicle.deposit_paise, lines, discount)


def extra_rates(vehicle: Listing) -> dict[Extra, int]:
    """What each extra costs that a vehicle can be had with."""
    return extras.rates_of(
        vehicle.seating_capacity,
        delivers=vehicle.delivery_supported,
        drop_off=vehicle.brought_paise,
        pick_up=vehicle.fetched_paise,
    )


def _cheaper(wish: Wish, tariff: Tariff, discount: Discount | None, total: int) -> Cheaper | None:
    """The last return at which the half day before has not ended; later ones never cost less."""
    return_at = wish.vehicle.hours.last_open(earlier_return(wish.window))
    if return_at is None or return_at < wish.window.pickup + MIN_LENGTH:
        return None
    shorter = replace(wish, window=Window(wish.window.pickup, return_at))
    less = _price(shorter, tariff, discount).total
    return Cheaper(return_at=return_at, total=less) if less < total else None
