"""A booking at the counter as its page shows it before it is made."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from pydantic import BaseModel

from rental_app.domain import clock
from rental_app.domain.characters import searchable
from rental_app.domain.contacts import search_words
from rental_app.domain.money import format_rupees, to_rupees
from rental_app.domain.pricing import DELIVERY, EXTRA_LABELS
from rental_app.schemas.counter import CounterChoice
from rental_app.schemas.quotes import QuoteView
from rental_app.services.trips.moves import ContinuableTrip
from rental_app.web.parts.presenters.bookings import line_label
from rental_app.web.parts.presenters.links import window_of
from rental_app.web.parts.presenters.texts import Choice, Fact

# How many vehicles are shown before somebody asks for more.
SHOWN = 3
LENGTHS = {"4": "4 h", "12": "12 h", "24": "1 day", "36": "1½ days", "168": "Week"}
DISCOUNT_REASONS = ("Regular customer", "Bargained", "Other")


class CounterVehicle(BaseModel):
    """A vehicle to book; `taken` is whether somebody else has it then, `until` when that or its being free ends."""

    id: int
    title: str
    plate: str
    image: str
    total: str
    until: str
    taken: bool
    extras: list[Choice]


class ContinuedTrip(BaseModel):
    """The trip that a booking goes on with."""

    reference: str
    text: str


class CounterPrice(BaseModel):
    """The computed price of the chosen vehicle."""

    lines: list[Fact]
    total: str
    rupees: str
    paise: int
    deposit: str


class VehicleList(BaseModel):
    """The vehicles shown, and how many are free in all; `more` says what else there is."""

    vehicles: list[CounterVehicle]
    note: str
    more: str


def vehicle_list(choices: Sequence[CounterChoice], words: str, *, every: bool, instant: datetime) -> VehicleList:
    """The vehicles whose model or RC number has all the words, the free ones first; a few of them, or every one."""
    wanted = [word.lower() for word in search_words(words)]
    fitting = [
        one for one in choices if all(word in searchable(f"{one.title} {one.rc_number}").lower() for word in wanted)
    ]
    free = sum(one.taken_until is None for one in fitting)
    shown = fitting if every or wanted else fitting[: min(SHOWN, free)]
    rest = fitting[len(shown) :]
    more_free = sum(one.taken_until is None for one in rest)
    more = [f"{more_free} more free"] if more_free else []
    more += [f"{len(rest) - more_free} not free"] if len(rest) > more_free else []
    return VehicleList(
        vehicles=[_choice(one, instant) for one in shown],
        note=f"{free} free" if fitting else "No vehicle fits",
        more=", ".join(more),
    )


def _choice(one: CounterChoice, instant: datetime) -> CounterVehicle:
    until = ""
    if one.taken_until:
        until = f"taken until {clock.day_or_today(one.taken_until, instant)}"
    elif one.free_until:
        until = f"to {clock.day_or_today(one.free_until, instant)}"
    # Delivery needs an address, and whoever stands at the counter takes the vehicle along.
    extras = [
        Choice(value=name, label=EXTRA_LABELS[name])
        for name in EXTRA_LABELS
        if name in one.extras and name not in DELIVERY
    ]
    return CounterVehicle(
        id=one.id,
        title=one.title,
        plate=one.rc_number,
        image=one.image,
        total=format_rupees(one.total),
        until=until,
        taken=one.taken_until is not None,
        extras=extras,
    )


def counter_price(view: QuoteView) -> CounterPrice:
    """A computed price."""
    return CounterPrice(
        lines=[Fact(label=line_label(line), value=format_rupees(line.amount)) for line in view.lines],
        total=format_rupees(view.total),
        rupees=str(to_rupees(view.total)),
        paise=view.total,
        deposit=format_rupees(view.deposit),
    )


def continued_trip(trip: ContinuableTrip) -> ContinuedTrip:
    """The trip that a booking goes on with."""
    who = f"For {trip.customer}, who had the {trip.title} until it broke down"
    return ContinuedTrip(reference=trip.reference, text=f"{who}. It was to be back {clock.friendly(trip.return_at)}.")


def why(computed: int, typed: int | None) -> str:
    """The question that another total than the computed one raises (paise); '' without one."""
    if typed is None or typed == computed:
        return ""
    return f"Why {format_rupees(abs(typed - computed))} {'less' if typed < computed else 'more'}"


def costs(total: int | None) -> str:
    """What the button says a booking costs (paise); '' while the typed total cannot be read as money."""
    return f" for {format_rupees(total)}" if total else ""


def later(pickup: datetime, hours: str) -> datetime:
    """The return of a rental of some hours."""
    return pickup + timedelta(hours=int(hours))


def length_of(pickup: str, return_at: str) -> str:
    """Which of the offered lengths a window of two wall-clock texts has; '' for another one."""
    window = window_of(pickup, return_at)
    return next((hours for hours in LENGTHS if window and later(window.pickup, hours) == window.return_at), "")
