"""A request before it is sent, as its customer checks it."""

from collections.abc import Collection
from datetime import datetime

from pydantic import BaseModel

from rental_app.domain import clock, settlement
from rental_app.domain.clock import Window
from rental_app.domain.money import counted, format_rupees
from rental_app.domain.pictures import sides_first
from rental_app.domain.pricing import DELIVERY
from rental_app.domain.reviews import answers_within
from rental_app.schemas.quotes import QuoteLine, QuoteView
from rental_app.services.bookings.requests import RequestedVehicle
from rental_app.web.parts.presenters.bookings import Price, line_label
from rental_app.web.parts.presenters.documents import BroughtDocument, brought_documents
from rental_app.web.parts.presenters.links import review_url, vehicle_options_url
from rental_app.web.parts.presenters.terms import cancelling
from rental_app.web.parts.presenters.texts import Fact, Link, kilometres, lines
from rental_app.web.parts.reviews.presenter import rated

# How many of the terms are shown at once; the others are a press away.
TERMS_SHOWN = 3
OWN = "This is your own vehicle: you cannot request it"
CONFIRM_MOBILE = "Confirmed at once for customers with a confirmed mobile number (see Account)."
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
    meeting: str
    bring: list[BroughtDocument]
    terms: list[str]
    more_terms: list[str]
    has_more_terms: bool
    terms_count: int
    vendor_terms: list[str]
    change: str
    requested: str


class ReviewedLine(BaseModel):
    """A line of the price; its `look` is `marked` if it is not what was shown before, `off` if it takes off."""

    label: str
    value: str
    look: str = ""


class ReviewedPrice(BaseModel):
    """What a request's price means: how long and how far it goes, and what cancelling and the deposit come to.

    `changed` if its total is not what was shown before; `at_once` if it is confirmed as it is sent, `answer` is what
    there is to say about that.
    """

    lines: list[ReviewedLine]
    changed: bool = False
    at_once: bool
    answer: str
    duration: str
    deposit_back: str
    cancelling: list[Fact]


def review_page(
    details: RequestedVehicle, window: Window | None, options: dict[str, str], checked: Collection[str] = ()
) -> ReviewPage:
    """A vehicle about to be requested for a window, which the address may lack, with the `options` of the address;
    `checked` are the kinds of documents that we have accepted."""
    car = details.vehicle
    terms = lines(car.terms)
    extras, place = options.get("extras", "").split(","), f"{car.pickup_address}, {car.service_location}"
    return ReviewPage(
        id=car.id,
        title=car.title,
        image=next(iter(sides_first(car.photos)), car.picture).card,
        image_alt=f"{car.title}, {car.color}",
        subtitle=f"{car.year} · {car.body_type} · {car.color}",
        vendor=car.vendor_name,
        vendor_rating=rated(car.vendor_stars_total, car.vendor_reviews),
        answers=f"answers {answers_within(details.answers_in)}" if details.answers_in is not None else "",
        place=place,
        pickup=_moment(window.pickup) if window else None,
        return_at=_moment(window.return_at) if window else None,
        extra_km=f"{format_rupees(car.distance_penalty_paise)} a km",
        late=f"A late return costs {format_rupees(car.late_penalty_paise)} an hour.",
        delivers=not DELIVERY.isdisjoint(extras),
        meeting=meeting(extras, place),
        bring=brought_documents(details.documents, checked),
        terms=terms[:TERMS_SHOWN],
        more_terms=terms[TERMS_SHOWN:],
        has_more_terms=len(terms) > TERMS_SHOWN or bool(car.vendor_terms.strip()),
        terms_count=len(terms) + len(lines(car.vendor_terms)),
        vendor_terms=lines(car.vendor_terms),
        change=vehicle_options_url(car.id, options),
        requested=details.requested,
    )


def meeting(extras: Collection[str], place: str) -> str:
    """What the address that is asked for is for, and where the other end of the rental is."""
    if DELIVERY.issubset(extras):
        return "The vehicle is delivered here, and collected here."
    if "drop_off" in extras:
        return f"The vehicle is delivered here. Return it to {place}."
    return f"Pick it up at {place}. It is collected here."


def _moment(instant: datetime) -> Moment:
    day, _, hour = clock.friendly(instant).rpartition(", ")
    return Moment(day=day, hour=hour)


def reviewed_price(quote: QuoteView, instant: datetime, before: Price | None = None) -> ReviewedPrice:
    """What a quote means for a request that is sent at an instant; `before` is the price that was shown before it."""
    shown = {(line.label, line.value) for line in before.lines} if before else None
    limit = kilometres(quote.kms_included)
    begin, end = (clock.indian(at) for at in settlement.deposit_back(quote.return_at, quote.policies))
    return ReviewedPrice(
        lines=[_line(line, shown) for line in quote.lines],
        changed=before is not None and before.total_paise != quote.total,
        at_once=quote.confirmed_at_once,
        answer=_answer(quote),
        duration=f"{counted(quote.days, 'day')} · {limit if quote.kms_included else f'{limit} km'} included",
        deposit_back=f"Back {clock.friendly_day(begin.date())}, {begin:%-I}-{end:%-I %p}, after the return",
        cancelling=cancelling(quote.pickup, instant, quote.total, quote.policies),
    )


def _answer(quote: QuoteView) -> str:
    if quote.confirmed_at_once:
        return "Confirmed at once: there is no answer to wait for."
    return CONFIRM_MOBILE if quote.confirm_mobile_first else ""


def _line(line: QuoteLine, shown: set[tuple[str, str]] | None) -> ReviewedLine:
    label, value = line_label(line), format_rupees(line.amount)
    is_new = shown is not None and (label, value) not in shown
    return ReviewedLine(label=label, value=value, look="marked" if is_new else "off" if line.amount < 0 else "")


def free_links(vehicle_id: int, windows: list[tuple[str, str, str]], options: dict[str, str]) -> list[Link]:
    """Free windows (text, pickup and return as wall-clock text) as links to their own reviews."""
    return [
        Link(text=text, href=review_url(vehicle_id, options | {"pickupDate": pickup, "returnDate": return_at}))
        for text, pickup, return_at in windows
    ]


def licence_ways(code: str, change: str, href: str) -> list[Link]:
    """What to do about a refusal because of documents: `change` leads to other dates, `href` to one's documents."""
    if code == "papers_needed":
        return [Link(text="Add your documents", href=href)]
    others = {"licence_class": Link(text="Look at other vehicles", href="/vehicles")}
    dates = {"licence_expires": Link(text="Choose an earlier return", href=change)}
    way = (others | dates).get(code)
    return [way, Link(text="Send another licence", href=href)] if way else []
