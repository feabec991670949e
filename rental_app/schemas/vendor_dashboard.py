"""The vendor's dashboard: what the service finds out, and what the page shows of it."""

from datetime import date, datetime
from typing import Literal

from pydantic import BaseModel

from rental_app.schemas.bookings import Dashboard


class MonthFigures(BaseModel):
    """The confirmed bookings with pickup in an Indian calendar month, and what they bring (paise)."""

    first_day: date
    revenue: int
    bookings: int


class Handover(BaseModel):
    """A confirmed booking's pickup or return, `at` in UTC."""

    kind: Literal["pickup", "return"]
    at: datetime
    booking_id: int
    vehicle: str
    customer: str


class Overview(BaseModel):
    """Figures, twelve months (oldest first) and the handovers of the seven days that start with `today`."""

    today: date
    figures: Dashboard
    months: list[MonthFigures]
    handovers: list[Handover]


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
    month_name: str
    week_handovers: str
    week_note: str
    months: list[MonthBar]
    year_summary: str
    peak_revenue: str
    peak_bookings: str
    week: list[WeekDay]
    recent: list[RecentBooking]
