"""The dashboard's figures as texts."""

from datetime import date

from pydantic import BaseModel

from rental_app.domain import clock
from rental_app.domain.money import counted, format_rupees, grouped
from rental_app.domain.pictures import Picture
from rental_app.schemas.bookings import VendorBookingView
from rental_app.services.earnings.dashboard import Overview
from rental_app.web.parts.presenters.links import vendor_booking_url


class MonthBar(BaseModel):
    """A month of the chart; heights are CSS percentages."""

    label: str
    name: str
    revenue: str
    bookings: str
    revenue_height: str
    bookings_height: str


class RecentBooking(BaseModel):
    """A line in the list of recent bookings."""

    title: str
    image: str
    customer: str
    dates: str
    price: str
    status: str
    href: str


class DashboardPage(BaseModel):
    """The figures that the dashboard shows, as texts."""

    total_cars: str
    total_bookings: str
    pending_bookings: str
    completed_bookings: str
    monthly_revenue: str
    monthly_received: str
    month_name: str
    months: list[MonthBar]
    year_summary: str
    peak_revenue: str
    peak_bookings: str
    recent: list[RecentBooking]


def dashboard_page(overview: Overview) -> DashboardPage | None:
    """What the page shows of an overview; None for members, who get no figures."""
    figures, months = overview.figures, overview.months
    if figures is None:
        return None
    today = clock.indian_today(overview.instant)
    revenue, bookings = sum(m.revenue for m in months), sum(m.bookings for m in months)
    most_revenue = max(1, *(month.revenue for month in months))
    most_bookings = max(1, *(month.bookings for month in months))
    return DashboardPage(
        total_cars=grouped(figures.total_cars),
        total_bookings=grouped(figures.total_bookings),
        pending_bookings=grouped(figures.pending_bookings),
        completed_bookings=grouped(figures.completed_bookings),
        monthly_revenue=format_rupees(figures.monthly_revenue),
        monthly_received=format_rupees(figures.monthly_received),
        month_name=f"{today:%B %Y}",
        months=[
            MonthBar(
                label=f"{month.first_day:%b}",
                name=f"{month.first_day:%B %Y}",
                revenue=format_rupees(month.revenue),
                bookings=counted(month.bookings, "booking"),
                revenue_height=f"{100 * month.revenue / most_revenue:.1f}%",
                bookings_height=f"{100 * month.bookings / most_bookings:.1f}%",
            )
            for month in months
        ],
        year_summary=f"{format_rupees(revenue)} charged, {counted(bookings, 'confirmed booking')}"
        if revenue or bookings
        else "",
        peak_revenue=format_rupees(max(m.revenue for m in months)),
        peak_bookings=grouped(max(m.bookings for m in months)),
        recent=[_recent(view, today) for view in figures.recent_bookings],
    )


def _recent(view: VendorBookingView, today: date) -> RecentBooking:
    first, last = (clock.friendly_day(clock.indian_today(end), today) for end in (view.pickup, view.return_at))
    return RecentBooking(
        title=view.vehicle,
        image=Picture(view.car.image).card,
        customer=view.customer_name,
        dates=f"{first} to {last}",
        price=format_rupees(view.price),
        status=view.status.capitalize(),
        href=vendor_booking_url(view.reference),
    )
