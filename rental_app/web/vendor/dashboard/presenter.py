"""The dashboard's figures as texts."""

from datetime import date, datetime, time, timedelta

from pydantic import BaseModel

from rental_app.content.art import picture_path
from rental_app.domain import clock
from rental_app.domain.bookings import BookingStatus
from rental_app.domain.due import DueToday
from rental_app.domain.money import PAISE_PER_RUPEE, counted, format_rupees, grouped
from rental_app.domain.pictures import Picture
from rental_app.domain.policies import FIRST
from rental_app.schemas.bookings import Balance, BookedCar, BookedModel, Dashboard, VendorBookingView
from rental_app.services.earnings.dashboard import LISTED, DueList, MonthFigures, Overview, VendorDay
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
    plate: str
    image: str
    customer: str
    dates: str
    price: str
    status: str
    href: str


class DashboardPage(BaseModel):
    """The figures that the dashboard shows, as texts."""

    total_cars: str
    no_vehicles: bool
    total_bookings: str
    pending_bookings: str
    completed_bookings: str
    monthly_revenue: str
    monthly_received: str
    held: str
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
        no_vehicles=not figures.total_cars,
        total_bookings=grouped(figures.total_bookings),
        pending_bookings=grouped(figures.pending_bookings),
        completed_bookings=grouped(figures.completed_bookings),
        monthly_revenue=format_rupees(figures.monthly_revenue),
        monthly_received=format_rupees(figures.monthly_received),
        held=format_rupees(overview.held),
        month_name=f"{today:%B}",
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
        title=view.car.title,
        plate=view.rc_number,
        image=Picture(view.car.image).card,
        customer=view.customer_name,
        dates=f"{first} to {last}",
        price=format_rupees(view.price),
        status=view.status.capitalize(),
        href=vendor_booking_url(view.reference),
    )


# Rupees and bookings of twelve months, oldest first.
_MONTHS = (
    *((14_200, 11), (16_800, 13), (15_100, 12), (19_600, 15), (23_400, 18), (21_900, 17)),
    *((18_300, 14), (20_700, 16), (24_900, 19), (27_500, 21), (26_100, 20), (28_800, 22)),
)
_RECEIVED = 21_400
_HELD = 6_000
_DECLINED = 5
_CARS: tuple[tuple[str, str, str, BookingStatus, int], ...] = (
    ("Royal Enfield", "Classic 350", "cruiser", BookingStatus.CONFIRMED, 2_400),
    ("Honda", "Activa 6G", "scooter", BookingStatus.PENDING, 450),
    ("Maruti Suzuki", "Swift", "hatchback", BookingStatus.CANCELLED, 1_800),
)


def sample_overview(instant: datetime) -> Overview:
    """An overview with made-up customers, bookings and revenue."""
    today = clock.indian_today(instant)
    recent = [_booking(position, today) for position in range(len(_CARS))]
    requests = [view for view in recent if view.status == BookingStatus.PENDING]
    coming = [view for view in recent if view.status == BookingStatus.CONFIRMED]
    revenue, _ = _MONTHS[-1]
    return Overview(
        instant=instant,
        day=_sample_day(requests, coming),
        figures=Dashboard(
            total_cars=12,
            total_bookings=sum(count for _, count in _MONTHS) + len(requests) + _DECLINED,
            pending_bookings=len(requests),
            completed_bookings=sum(count for _, count in _MONTHS),
            recent_bookings=recent,
            monthly_revenue=revenue * PAISE_PER_RUPEE,
            monthly_received=_RECEIVED * PAISE_PER_RUPEE,
        ),
        held=_HELD * PAISE_PER_RUPEE,
        months=_months(instant),
    )


def _sample_day(requests: list[VendorBookingView], coming: list[VendorBookingView]) -> VendorDay:
    due = dict.fromkeys(LISTED, DueList([], 0))
    due |= {DueToday.ANSWER: DueList(requests, len(requests)), DueToday.GOING_OUT: DueList(coming, len(coming))}
    return VendorDay(
        due=due,
        overdue=0,
        give_back=0,
        collect=0,
        papers=[],
        papers_count=0,
        maintenance=[],
        maintenance_count=0,
        first_steps=[],
    )


def _months(instant: datetime) -> list[MonthFigures]:
    months: list[MonthFigures] = []
    first, _ = clock.month_bounds(instant)
    for revenue, bookings in reversed(_MONTHS):
        months.insert(
            0, MonthFigures(first_day=clock.indian_today(first), revenue=revenue * PAISE_PER_RUPEE, bookings=bookings)
        )
        first, _ = clock.month_bounds(first - timedelta(days=1))
    return months


def _booking(position: int, today: date) -> VendorBookingView:
    maker, model, shape, status, rupees = _CARS[position]
    pickup = clock.at(today + timedelta(days=position), time(10))
    return VendorBookingView(
        id=0,
        rc_number="",
        car=BookedCar(
            id=0,
            image=picture_path(shape, "teal", f"{maker} {model}"),
            asset_manufacturer=maker,
            asset_model=BookedModel(name=model),
            year=today.year,
            body_type="",
            service_location="",
        ),
        pickup=pickup,
        return_at=pickup + timedelta(days=1),
        status=status,
        price=rupees * PAISE_PER_RUPEE,
        deposit=0,
        lines=[],
        kms_included=None,
        created_at=pickup,
        answer_by=pickup,
        cancelled_by=None,
        reference="",
        stage="booked",
        due_at_pickup=0,
        balance=Balance(rent=0, deposit=0, held=0),
        customer_name="Sample customer",
        customer_phone="",
        policies=FIRST,
    )
