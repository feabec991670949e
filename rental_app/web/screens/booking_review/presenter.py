"""A request before it is sent, as its customer checks it."""

from datetime import datetime, timedelta

from pydantic import BaseModel

from rental_app.content.faq import DOCUMENTS
from rental_app.domain import cancellation, clock, settlement
from rental_app.domain.clock import Window
from rental_app.domain.extras import DELIVERY
from rental_app.domain.money import counted, format_rupees
from rental_app.domain.reviews import answers_within
from rental_app.schemas.quotes import QuoteView
from rental_app.services.bookings.reviewed import Reviewed
from rental_app.web.parts.presenters.links import review_url, vehicle_options_url
from rental_app.web.parts.presenters.texts import Fact, Link, kilometres, lines
from rental_app.web.parts.reviews.presenter import rated

# How many of the terms are shown at once; the others are a press away.
TERMS_SHOWN = 3
OWN = "This is your own vehicle: you cannot request it"
ADDRESS_ID = "review-address"


class Moment(BaseModel):
    """An end of the window: its day and its hour."""

    day: str
    hour: str


class ReviewPage(BaseModel):
    """What a request says besides its price; texts are blank where there is nothing to say.

    `change` is the address of the form it comes from, with all that was chosen there.
    """

    id: int
    title: str
    image: str
    image_alt: str
    subtitle: str
    vendor: str
    vendor_rating: str
    answers: str
    place: str
    pickup: Moment | None
    return_at: Moment | None
    extra_km: str
    late: str
    delivers: bool
    bring: list[str]
    terms: list[str]
    more_terms: list[str]
    has_more_terms: bool
    terms_count: int
    vendor_terms: list[str]
    change: str
    requested: str


class ReviewedPrice(BaseModel):
    """What a request's price means: how long and how far it goes, and what cancelling and the deposit come to."""

    duration: str
    deposit_back: str
    cancelling: list[Fact]


def review_page(found: Reviewed, window: Window | None, options: dict[str, str]) -> ReviewPage:
    """A vehicle about to be requested for a window, which the address may lack, with the `options` of the address."""
    car = found.vehicle
    terms = lines(car.terms)
    return ReviewPage(
        id=car.id,
        title=car.title,
        image=car.picture.card,
        image_alt=f"{car.title}, {car.color}",
        subtitle=f"{car.year} · {car.body_type} · {car.color}",
        vendor=car.vendor_name,
        vendor_rating=rated(car.vendor_stars_total, car.vendor_reviews),
        answers=f"answers {answers_within(found.answers_in)}" if found.answers_in is not None else "",
        place=f"{car.pickup_address}, {car.service_location}",
        pickup=_moment(window.pickup) if window else None,
        return_at=_moment(window.return_at) if window else None,
        extra_km=f"{format_rupees(car.distance_penalty_paise)} a km",
        late=f"A late return costs {format_rupees(car.late_penalty_paise)} an hour.",
        delivers=not DELIVERY.isdisjoint(options.get("extras", "").split(",")),
        bring=list(DOCUMENTS.points),
        terms=terms[:TERMS_SHOWN],
        more_terms=terms[TERMS_SHOWN:],
        has_more_terms=len(terms) > TERMS_SHOWN or bool(car.vendor_terms.strip()),
        terms_count=len(terms) + len(lines(car.vendor_terms)),
        vendor_terms=lines(car.vendor_terms),
        change=vehicle_options_url(car.id, options),
        requested=found.requested,
    )


def _moment(instant: datetime) -> Moment:
    day, _, hour = clock.brief(instant).rpartition(", ")
    return Moment(day=day, hour=hour)


def reviewed_price(quote: QuoteView, instant: datetime) -> ReviewedPrice:
    """What a quote means for a request that is sent at an instant."""
    limit = kilometres(quote.kms_included)
    begin, end = (clock.indian(at) for at in settlement.deposit_back(quote.return_at))
    return ReviewedPrice(
        duration=f"{counted(quote.days, 'day')} · {limit if quote.kms_included else f'{limit} km'} included",
        deposit_back=f"Back {clock.friendly_day(begin.date())}, {begin:%-I}-{end:%-I %p}, after the return",
        cancelling=cancelling(quote.pickup, instant, quote.total),
    )


def cancelling(pickup: datetime, instant: datetime, total: int) -> list[Fact]:
    """What is kept of a total (paise) by a cancellation, from an instant on: nothing before it is paid, then more and
    more of it."""
    told = [Fact(label="Free", value="until you have paid, and while the vendor has not answered")]
    at: datetime | None = instant
    while at:
        terms = cancellation.terms(pickup, at, agreed=total, charged=total, paid=total, deposit=0)
        until = f"until {clock.brief(terms.dearer_at)}" if terms.dearer_at else _last(len(told))
        told.append(Fact(label=f"{format_rupees(terms.kept)} kept", value=f"paid in full, {until}"))
        at = terms.dearer_at + timedelta(seconds=1) if terms.dearer_at else None
    return told


def _last(told: int) -> str:
    return "after that" if told > 1 else "from now on"


def free_links(vehicle_id: int, windows: list[tuple[str, str, str]], options: dict[str, str]) -> list[Link]:
    """Free windows (text, pickup and return as wall-clock text) as links to their own reviews."""
    return [
        Link(text=text, href=review_url(vehicle_id, options | {"pickupDate": pickup, "returnDate": return_at}))
        for text, pickup, return_at in windows
    ]
