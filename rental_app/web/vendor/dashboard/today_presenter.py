"""A vendor's day as texts: what to answer, what to hand over and take back, what is out."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from pydantic import BaseModel

from rental_app.domain import clock
from rental_app.domain.bookings import time_left
from rental_app.domain.money import counted, format_rupees
from rental_app.domain.papers import paper_text
from rental_app.domain.pictures import Picture
from rental_app.schemas.bookings import VendorBookingView
from rental_app.services.earnings.dashboard import Movement, VendorDay
from rental_app.services.fleet.papers import ExpiringPaper
from rental_app.web.parts.presenters.bookings import URGENT, ExpectedRequest, shown
from rental_app.web.parts.presenters.links import vendor_booking_url
from rental_app.web.parts.reviews.presenter import customer_line

DAYS_AHEAD = 6
LINES_A_DAY = 5
PAPERS = 6


class RequestCard(BaseModel):
    """A request that waits for an answer, with which `shown` is sent along."""

    id: str
    shown: ExpectedRequest
    title: str
    plate: str
    image: str
    href: str
    customer: str
    rating: str
    dates: str
    price: str
    time_left: str
    urgent: bool


class MovementLine(BaseModel):
    """A handover or return: `when` is its time, `late` is how late it is, blank if it is not."""

    kind: str
    is_pickup: bool
    when: str
    late: str
    vehicle: str
    plate: str
    customer: str
    phone: str
    href: str


class WeekDay(BaseModel):
    """A day of the coming week; `more` says how many movements are not shown."""

    name: str
    date: str
    movements: list[MovementLine]
    more: str


class PaperLine(BaseModel):
    """An expiring paper of a vehicle, with the consequences."""

    vehicle: str
    plate: str
    note: str


class RefundLine(BaseModel):
    """A booking the vendor gave up, and what its customer still waits for."""

    vehicle: str
    plate: str
    note: str
    href: str


class DayPage(BaseModel):
    """What there is to do, as texts; `more_papers` says how many papers are not shown."""

    requests: list[RequestCard]
    today: list[MovementLine]
    today_note: str
    out_note: str
    out: list[MovementLine]
    week: list[WeekDay]
    week_note: str
    papers: list[PaperLine]
    more_papers: str
    refunds: list[RefundLine]


def day_page(day: VendorDay, instant: datetime) -> DayPage:
    """What the page shows of a vendor's day at an instant."""
    today = clock.indian_today(instant)
    return DayPage(
        requests=[
            RequestCard(
                id=str(view.id),
                shown=shown(view),
                title=view.car.title,
                plate=view.rc_number,
                image=Picture(view.car.image).card,
                href=vendor_booking_url(view.reference),
                customer=view.customer_name,
                rating=customer_line(view.customer_rating, view.customer_reviews),
                dates=clock.friendly_span(view.pickup, view.return_at),
                price=format_rupees(view.price),
                time_left=time_left(view.answer_by, instant),
                urgent=view.answer_by - instant < URGENT,
            )
            for view in day.requests
        ],
        today=[_line(movement, instant, today) for movement in day.today],
        today_note=_today_note(day),
        out_note=f"{counted(len(day.out), 'vehicle')} on the road, by return" if day.out else "No vehicle is out",
        out=[_line(movement, instant, today) for movement in day.out],
        week=[_week_day(today, offset, day.week, instant) for offset in range(1, DAYS_AHEAD + 1)],
        week_note="Handovers and returns of confirmed bookings" if day.week else "Nothing planned",
        papers=[paper_line(paper, today) for paper in day.papers[:PAPERS]],
        more_papers=_more(len(day.papers) - PAPERS),
        refunds=[_refund(view) for view in day.refunds],
    )


def _refund(view: VendorBookingView) -> RefundLine:
    owed = max(0, -view.balance.rent) + max(0, -view.balance.deposit)
    note = f"{format_rupees(owed)} owed to {view.customer_name} since you cancelled {view.reference}"
    href = vendor_booking_url(view.reference)
    return RefundLine(vehicle=view.car.title, plate=view.rc_number, note=note, href=href)


def _line(movement: Movement, instant: datetime, day: date) -> MovementLine:
    """A line under a day, which the line need not repeat."""
    is_then = clock.indian_today(movement.at) == day
    return MovementLine(
        kind=movement.kind.capitalize(),
        is_pickup=movement.kind == "pickup",
        when=clock.hour_text(movement.at) if is_then else clock.friendly(movement.at),
        late=f"{time_left(instant, movement.at)} late" if movement.late else "",
        vehicle=movement.vehicle,
        plate=movement.rc_number,
        customer=movement.customer,
        phone=movement.phone,
        href=vendor_booking_url(movement.reference),
    )


def _today_note(day: VendorDay) -> str:
    if not day.today:
        return "Nothing left to hand over or receive"
    pickups = sum(movement.kind == "pickup" for movement in day.today)
    late = sum(movement.late for movement in day.today)
    counts = f"{counted(pickups, 'pickup')}, {counted(len(day.today) - pickups, 'return')} to come"
    return f"{counts}, {late} late" if late else counts


def _week_day(today: date, offset: int, movements: Sequence[Movement], instant: datetime) -> WeekDay:
    day = today + timedelta(days=offset)
    own = [movement for movement in movements if clock.indian_today(movement.at) == day]
    return WeekDay(
        name="Tomorrow" if offset == 1 else f"{day:%A}",
        date=f"{day:%-d %b}" if day.year == today.year else f"{day:%-d %b %Y}",
        movements=[_line(movement, instant, day) for movement in own[:LINES_A_DAY]],
        more=_more(len(own) - LINES_A_DAY),
    )


def _more(hidden: int) -> str:
    return f"and {hidden} more" if hidden > 0 else ""


def paper_line(paper: ExpiringPaper, today: date) -> PaperLine:
    """A paper as the dashboard lists it."""
    return PaperLine(
        vehicle=paper.title,
        plate=paper.rc_number,
        note=paper_text(paper.paper, paper.day, today, paper.bookings),
    )
