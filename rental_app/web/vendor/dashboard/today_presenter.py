"""What a vendor has to do now, as texts."""

from collections.abc import Callable
from datetime import datetime, timedelta

from pydantic import BaseModel

from rental_app.domain import clock
from rental_app.domain.bookings import BookingStatus, TripStage, time_left
from rental_app.domain.due import DueToday
from rental_app.domain.money import counted, format_rupees, grouped
from rental_app.domain.papers import expiry_note
from rental_app.domain.pictures import Picture
from rental_app.schemas.bookings import VendorBookingView
from rental_app.services.earnings.dashboard import DueList, FirstStep, VendorDay
from rental_app.services.fleet.maintenance import DueMaintenance
from rental_app.services.fleet.papers import ExpiringPaper
from rental_app.web.parts.presenters.bookings import URGENT, ExpectedRequest, shown
from rental_app.web.parts.presenters.links import vendor_booking_url

BOOKINGS, FLEET = "/vendor/manage-bookings", "/vendor/manage-vehicles"
# What comes first in the lists of all; what is not named: the earliest return.
_ORDERS = {DueToday.ANSWER: "deadline", DueToday.GOING_OUT: "pickup"}
# How soon something is due is said within this time.
SOON = timedelta(hours=1)


class RequestCard(BaseModel):
    """A request that waits for an answer, with which `shown` is sent along; once it is answered, `outcome` says how."""

    id: str
    shown: ExpectedRequest
    title: str
    plate: str
    image: str
    href: str
    customer: str
    rating: str
    dates: str
    days: str
    price: str
    time_left: str
    urgent: bool
    outcome: str = ""


class DueLine(BaseModel):
    """A booking about which something is to be done: by when, what, and the money in it; `act` leads to doing it.

    `when` and `note` are blank where no time matters; `late` colours them, and `is_next` fills the button.
    """

    vehicle: str
    plate: str
    customer: str
    phone: str
    href: str
    when: str
    note: str
    late: bool
    money: str
    act: str
    act_href: str
    is_next: bool = False


class DuePart(BaseModel):
    """A list of Today: its first lines, how many there are, and where all of them are ('' if these are all)."""

    lines: list[DueLine] = []
    count: int = 0
    all_href: str = ""


class VehicleLine(BaseModel):
    """A paper that runs out or maintenance that is due, `overdue` or soon, and where that is noted."""

    vehicle: str
    plate: str
    note: str
    overdue: bool
    href: str


class StepLine(BaseModel):
    """Something that a new vendor does in the first days."""

    text: str
    href: str
    is_done: bool


class DayPage(BaseModel):
    """What there is to do. `overdue` is a note beside those coming back; `nothing` says that there is nothing."""

    now: str
    requests: list[RequestCard]
    requests_count: int
    requests_href: str
    going_out: DuePart
    coming_back: DuePart
    overdue: str
    money: DuePart
    give_back: str
    collect: str
    objections: DuePart
    papers: list[VehicleLine]
    papers_count: int
    papers_href: str
    maintenance: list[VehicleLine]
    maintenance_count: int
    steps: list[StepLine]
    steps_note: str
    has_trips: bool
    nothing: bool


def day_page(day: VendorDay, instant: datetime) -> DayPage:
    """What the page shows of a vendor's day at an instant."""
    requests = day.due[DueToday.ANSWER]
    parts = {
        due: _part(due, day.due[due], describe, instant)
        for due, describe in (
            (DueToday.GOING_OUT, _going_out),
            (DueToday.COMING_BACK, _coming_back),
            (DueToday.MONEY, _money),
            (DueToday.OBJECTIONS, _objection),
        )
    }
    for due in (DueToday.GOING_OUT, DueToday.COMING_BACK):
        _fill_next(parts[due].lines)
    done = sum(step.is_done for step in day.first_steps)
    return DayPage(
        now=clock.friendly(instant),
        requests=[_card(view, instant) for view in requests.items],
        requests_count=requests.count,
        requests_href=_all(DueToday.ANSWER, requests),
        going_out=parts[DueToday.GOING_OUT],
        coming_back=parts[DueToday.COMING_BACK],
        overdue=f"{day.overdue} overdue" if day.overdue else "",
        money=parts[DueToday.MONEY],
        give_back=format_rupees(day.give_back),
        collect=format_rupees(day.collect),
        objections=parts[DueToday.OBJECTIONS],
        papers=[_paper(paper, instant) for paper in day.papers],
        papers_count=day.papers_count,
        papers_href=FLEET if day.papers_count > len(day.papers) else "",
        maintenance=[_maintenance(due) for due in day.maintenance],
        maintenance_count=day.maintenance_count,
        steps=[_step(step) for step in day.first_steps],
        steps_note=f"{done} of {len(day.first_steps)} done",
        has_trips=bool(day.due[DueToday.GOING_OUT].count + day.due[DueToday.COMING_BACK].count),
        nothing=not any((*(each.count for each in day.due.values()), day.papers_count, day.maintenance_count)),
    )


def _all(due: DueToday, part: DueList) -> str:
    order = _ORDERS.get(due, "return")
    return f"{BOOKINGS}?part=all&due={due}&sort={order}" if part.count > len(part.items) else ""


def _part(
    due: DueToday, part: DueList, describe: Callable[[VendorBookingView, datetime], DueLine], instant: datetime
) -> DuePart:
    lines = [describe(view, instant) for view in part.items]
    return DuePart(lines=lines, count=part.count, all_href=_all(due, part))


def _fill_next(lines: list[DueLine]) -> None:
    """Fill the button of what is late, and of the first one that is next."""
    for position, line in enumerate(lines):
        line.is_next = line.late or position == 0


def _card(view: VendorBookingView, instant: datetime) -> RequestCard:
    return RequestCard(
        id=str(view.id),
        shown=shown(view),
        title=view.car.title,
        plate=view.rc_number,
        image=Picture(view.car.image).card,
        href=vendor_booking_url(view.reference),
        customer=view.customer_name,
        rating=f"{view.customer_rating:.1f} ({view.customer_reviews})" if view.customer_rating else "",
        dates=clock.friendly_span(view.pickup, view.return_at),
        days=counted(clock.Window(view.pickup, view.return_at).days, "day"),
        price=format_rupees(view.price),
        time_left=time_left(view.answer_by, instant),
        urgent=view.answer_by - instant < URGENT,
    )


def _line(view: VendorBookingView, act: str, to: str, **more: object) -> DueLine:
    href = vendor_booking_url(view.reference)
    return DueLine.model_validate(
        {
            "vehicle": view.car.title,
            "plate": view.rc_number,
            "customer": view.customer_name,
            "phone": view.customer_phone,
            "href": href,
            "act": act,
            "act_href": f"{href}{to}",
            "when": "",
            "note": "",
            "late": False,
            "money": "",
        }
        | more
    )


def _timed(at: datetime, instant: datetime) -> dict[str, object]:
    """When something is due today, and how soon; what is late says by how much."""
    is_today = clock.indian_today(at) == clock.indian_today(instant)
    when = clock.hour_text(at) if is_today else clock.friendly_day(clock.indian_today(at))
    if at < instant:
        return {"when": when, "note": f"{time_left(instant, at)} late", "late": True}
    return {"when": when, "note": f"in {time_left(at, instant)}" if at - instant < SOON else "", "late": False}


def _going_out(view: VendorBookingView, instant: datetime) -> DueLine:
    due = format_rupees(view.due_at_pickup)
    money = f"{due} due" if view.due_at_pickup else "Paid"
    return _line(view, "Hand over", "/handover", money=money, **_timed(view.pickup, instant))


def _coming_back(view: VendorBookingView, instant: datetime) -> DueLine:
    held = f"{format_rupees(view.balance.held)} held" if view.balance.held else ""
    return _line(view, "Receive", "/return", money=held, **_timed(view.return_at, instant))


def _money(view: VendorBookingView, instant: datetime) -> DueLine:
    net, came = view.balance.rent + view.balance.deposit, _came(view, instant)
    if net > 0:
        what = "rent" if view.balance.rent > 0 else "deposit"
        return _line(view, f"Record {format_rupees(net)}", "", note=what, when=came)
    if net < 0:
        what = "deposit" if view.balance.deposit < 0 else "rent"
        return _line(view, f"Give back {format_rupees(-net)}", "", note=what, when=came)
    return _line(view, "Settle", "", note="deposit against charges", when=came)


def _came(view: VendorBookingView, instant: datetime) -> str:
    if view.status == BookingStatus.CANCELLED:
        return "cancelled"
    if view.came_back:
        return f"returned {clock.friendly(view.came_back)}"
    if view.stage == TripStage.OUT:
        return f"back {clock.day_or_today(view.return_at, instant)}"
    return "not picked up"


def _objection(view: VendorBookingView, _instant: datetime) -> DueLine:
    return _line(view, "Answer", "", note=f"objects, {view.reference}")


def _paper(paper: ExpiringPaper, instant: datetime) -> VehicleLine:
    today = clock.indian_today(instant)
    return VehicleLine(
        vehicle=paper.title,
        plate=paper.rc_number,
        note=expiry_note(paper.paper, paper.day, today),
        overdue=paper.day < today,
        href=f"{FLEET}?renew={paper.vehicle_id}",
    )


def _maintenance(due: DueMaintenance) -> VehicleLine:
    ends = [clock.friendly_day(due.next_on)] if due.next_on else []
    ends += [f"{grouped(due.next_km)} km"] if due.next_km is not None else []
    return VehicleLine(
        vehicle=due.title,
        plate=due.rc_number,
        note=f"{due.kind.capitalize()} {'due since' if due.is_overdue else 'by'} {' or '.join(ends)}",
        overdue=due.is_overdue,
        href=f"{FLEET}?maintenance={due.vehicle_id}",
    )


# What each of the first steps says, and where it is done.
_STEPS = {
    "vehicle": ("List your first vehicle", "/vendor/add-vehicle"),
    "offered": ("Have one that can be booked: approved, priced, documents in date", FLEET),
    "phone": ("Confirm your mobile number", "/account"),
    "payment": ("Say where customers pay you by UPI", "/vendor/profile"),
    "booking": ("Make your first booking, at the counter if you like", "/vendor/new-booking"),
}


def _step(step: FirstStep) -> StepLine:
    text, href = _STEPS[step.name]
    return StepLine(text=text, href=href, is_done=step.is_done)
