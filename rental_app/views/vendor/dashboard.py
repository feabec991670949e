"""The dashboard's figures as texts."""

from collections.abc import Sequence
from datetime import date, timedelta

from pydantic import BaseModel

from rental_app.rules import clock
from rental_app.rules.money import format_rupees, grouped
from rental_app.rules.pictures import Picture
from rental_app.schemas.bookings import VendorBookingView
from rental_app.services.dashboard import Handover, MonthFigures, Overview
from rental_app.views.texts import counted

DAYS = 7
LINES_A_DAY = 5
BOOKINGS = "/vendor/manage-bookings"


class MonthBar(BaseModel):
    """A month of the chart; heights are CSS percentages."""

    label: str
    name: str
    revenue: str
    bookings: str
    revenue_height: str
    bookings_height: str


class HandoverLine(BaseModel):
    """A line in a day of the coming week."""

    kind: str
    time: str
    vehicle: str
    customer: str
    href: str


class WeekDay(BaseModel):
    """A day of the coming week; `more` says how many handovers do not show."""

    name: str
    date: str
    handovers: list[HandoverLine]
    more: str


class RecentBooking(BaseModel):
    """A line in the list of recent bookings."""

    id: int
    title: str
    image: str
    customer: str
    dates: str
    price: str
    status: str
    href: str


class DashboardPage(BaseModel):
    """Everything the dashboard shows, as texts."""

    total_cars: str
    total_bookings: str
    pending_bookings: str
    completed_bookings: str
    monthly_revenue: str
    monthly_received: str
    month_name: str
    week_handovers: str
    week_note: str
    months: list[MonthBar]
    year_summary: str
    peak_revenue: str
    peak_bookings: str
    week: list[WeekDay]
    recent: list[RecentBooking]


def dashboard_page(found: Overview) -> DashboardPage:
    """What the page shows of an overview."""
    figures, months = found.figures, found.months
    pickups = sum(handover.kind == "pickup" for handover in found.handovers)
    revenue, bookings = sum(m.revenue for m in months), sum(m.bookings for m in months)
    return DashboardPage(
        total_cars=grouped(figures.total_cars),
        total_bookings=grouped(figures.total_bookings),
        pending_bookings=grouped(figures.pending_bookings),
        completed_bookings=grouped(figures.completed_bookings),
        monthly_revenue=format_rupees(figures.monthly_revenue),
        monthly_received=format_rupees(figures.monthly_received),
        month_name=f"{found.today:%B %Y}",
        week_handovers=str(len(found.handovers)),
        week_note=f"{counted(pickups, 'pickup')}, {counted(len(found.handovers) - pickups, 'return')}",
        months=_bars(months),
        year_summary=f"{format_rupees(revenue)} from {counted(bookings, 'confirmed booking')}" if bookings else "",
        peak_revenue=format_rupees(max(m.revenue for m in months)),
        peak_bookings=grouped(max(m.bookings for m in months)),
        week=[_day(found.today + timedelta(days=offset), offset, found.handovers) for offset in range(DAYS)],
        recent=[_recent(view) for view in figures.recent_bookings],
    )


def booking_url(booking_id: int) -> str:
    """Where a vendor finds one booking; the list alone for a made-up one."""
    return f"{BOOKINGS}?booking={booking_id}" if booking_id else BOOKINGS


def _bars(months: Sequence[MonthFigures]) -> list[MonthBar]:
    most_revenue = max(1, *(month.revenue for month in months))
    most_bookings = max(1, *(month.bookings for month in months))
    return [
        MonthBar(
            label=f"{month.first_day:%b}",
            name=f"{month.first_day:%B %Y}",
            revenue=format_rupees(month.revenue),
            bookings=counted(month.bookings, "booking"),
            revenue_height=f"{100 * month.revenue / most_revenue:.1f}%",
            bookings_height=f"{100 * month.bookings / most_bookings:.1f}%",
        )
        for month in months
    ]


def _day(day: date, offset: int, handovers: Sequence[Handover]) -> WeekDay:
    own = [handover for handover in handovers if clock.indian_today(handover.at) == day]
    hidden = len(own) - LINES_A_DAY
    return WeekDay(
        name={0: "Today", 1: "Tomorrow"}.get(offset, f"{day:%A}"),
        date=f"{day:%-d %b}",
        handovers=[_line(handover) for handover in own[:LINES_A_DAY]],
        more=f"and {hidden} more" if hidden > 0 else "",
    )


def _line(handover: Handover) -> HandoverLine:
    return HandoverLine(
        kind=handover.kind.capitalize(),
        time=f"{clock.indian(handover.at):%-I:%M %p}",
        vehicle=handover.vehicle,
        customer=handover.customer,
        href=booking_url(handover.booking_id),
    )


def _recent(view: VendorBookingView) -> RecentBooking:
    pickup, back = clock.indian(view.pickup), clock.indian(view.return_at)
    return RecentBooking(
        id=view.id,
        title=view.car.title,
        image=Picture(view.car.image).card,
        customer=view.customer_name,
        dates=f"{pickup:%-d %b} to {back:%-d %b}",
        price=format_rupees(view.price),
        status=view.status.capitalize(),
        href=booking_url(view.id),
    )
