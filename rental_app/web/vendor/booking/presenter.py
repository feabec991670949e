"""A booking in full, as its vendor sees it."""

from datetime import datetime, timedelta

import segno
from pydantic import BaseModel

from rental_app.domain import clock, money
from rental_app.domain.account import RENT_CHARGE_SIGNS, total
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.cancellation import absent_from
from rental_app.domain.clock import Window
from rental_app.domain.handover import handover_refusal, is_noted_afterwards
from rental_app.domain.money import format_rupees, grouped, to_rupees
from rental_app.domain.settlement import BREAKDOWN, chargeable_until
from rental_app.schemas.trips import Extension, ReadingView, TripView
from rental_app.services.accounts.profile import Payee
from rental_app.services.bookings.ledger import is_open
from rental_app.web.parts.presenters.links import wall_text
from rental_app.web.parts.presenters.texts import Fact, facts, kilometres
from rental_app.web.parts.presenters.trip import PickerTimes, TripFacts, eighths, picker_times, trip_facts
from rental_app.web.parts.reviews.presenter import CustomerRating, TripReview, customer_rating, trip_review

_STAGES = {
    "booked": "Confirmed, not handed over yet",
    "out": "On the road",
    "returned": "Returned, not settled yet",
    "settled": "Settled",
    "no_show": "The customer did not come",
}
_STATUSES = {"pending": "Waiting for your answer", "cancelled": "Cancelled"}
_EXTRAS = {"helmet": "second helmet", "drop_off": "bring it to the customer", "pick_up": "fetch it from the customer"}
_DUES = {
    ("rent", "in"): ("Rent to be paid", "Rent received"),
    ("rent", "out"): ("Rent owed to the customer", "Rent paid back"),
    ("deposit", "in"): ("Deposit to be taken", "Deposit received"),
    ("deposit", "out"): ("Deposit to be given back", "Deposit given back"),
}


class HandoverFigures(BaseModel):
    """What was read at the handover, with which a return is compared; `read` and `filled` as people say it."""

    odometer: int
    fuel: int
    helmets: int
    read: str
    filled: str


class Due(BaseModel):
    """An amount that is still to change hands; `upi_paise` is what can be paid by UPI, or 0, `split` what it is of."""

    direction: str
    label: str
    amount: str
    rupees: str
    button: str
    upi_paise: int
    split: str = ""


class Payments(BaseModel):
    """What is still to change hands, each on its own and all at once, and to whom it is paid by UPI.

    `handover` is what a handover takes; `takes_money` is whether some of it is still to be taken.
    """

    rent: Due | None
    deposit: Due | None
    all: Due | None
    handover: list[Fact]
    takes_money: bool
    payee: str
    upi_id: str


class VendorTrip(BaseModel):
    """What the page says besides the facts; texts are blank where there is nothing to say.

    `reading` is what can be recorded now: handover, return or ''. `wait` says from when what cannot be done yet is
    possible. `out_at` is when the vehicle went out unless its vendor says otherwise, for a rental that had begun when
    it was booked, in the pickers' format.
    """

    id: int
    facts: TripFacts
    times: PickerTimes
    payments: Payments
    review: TripReview | None
    rating: CustomerRating | None
    stage: str
    customer: str
    plate: str
    details: list[Fact]
    reading: str
    wait: str
    can_mark_absent: bool
    can_extend: bool
    can_give_up: bool
    is_guests: bool
    charges_until: str
    continue_url: str
    out_at: str
    due_back: str
    helmets_due: str
    before: HandoverFigures | None


def trip_page(trip: TripView, vendor: Payee, instant: datetime) -> VendorTrip:
    """A booking as its vendor sees it at an instant."""
    stage = trip.stage if trip.status == BookingStatus.CONFIRMED else ""
    is_due = stage == TripStage.BOOKED and (
        was_over(trip) or not handover_refusal(trip.pickup, trip.return_at, instant)
    )
    return VendorTrip(
        id=trip.id,
        facts=trip_facts(trip, instant, for_customer=False),
        times=picker_times(trip),
        payments=_payments(trip, vendor),
        review=trip_review(trip.reviews),
        rating=customer_rating(trip.reviews.customer),
        stage=_stage(trip),
        customer=trip.customer_name,
        plate=trip.rc_number,
        details=_details(trip),
        reading="return" if stage == TripStage.OUT else "handover" if is_due else "",
        wait=_wait(trip, instant) if stage == TripStage.BOOKED else "",
        can_mark_absent=stage == TripStage.BOOKED and instant >= absent_from(trip.pickup, trip.policies),
        can_extend=stage in (TripStage.BOOKED, TripStage.OUT),
        can_give_up=stage == TripStage.BOOKED,
        is_guests=trip.source == "counter",
        charges_until=_charges_until(trip, instant),
        continue_url=_continue_url(trip),
        out_at=wall_text(trip.pickup) if is_noted_afterwards(trip.pickup, trip.created_at) else "",
        due_back=clock.friendly(trip.return_at),
        helmets_due=str(trip.helmets),
        before=_figures(trip.handover),
    )


def _figures(handover: ReadingView | None) -> HandoverFigures | None:
    if handover is None:
        return None
    return HandoverFigures(
        odometer=handover.odometer,
        fuel=handover.fuel_eighths,
        helmets=handover.helmets,
        read=f"{grouped(handover.odometer)} km",
        filled=eighths(handover.fuel_eighths),
    )


def _stage(trip: TripView) -> str:
    if trip.status != BookingStatus.CONFIRMED:
        return _STATUSES.get(trip.status, "")
    # A settled account is open again once a line is reversed.
    stage = "returned" if trip.stage == TripStage.SETTLED and is_open(trip) else trip.stage
    return _STAGES.get(stage, "")


def extension_text(extension: Extension) -> str:
    """What a later return costs, and how far it goes."""
    cost = f"{format_rupees(extension.extra)} more" if extension.extra else "nothing more"
    price = f"Until {clock.friendly(extension.return_at)}: {cost}, {format_rupees(extension.total)} total"
    return f"{price}. Kilometres included: {kilometres(extension.kms_included)}"


def _continue_url(trip: TripView) -> str:
    """Where another vehicle is booked for the rest of a trip that broke down; '' if it did not, or one was."""
    if trip.returned is None or trip.returned.reason != BREAKDOWN or trip.followed_by:
        return ""
    return f"/vendor/new-booking?continues={trip.reference}"


def _charges_until(trip: TripView, instant: datetime) -> str:
    """The last day on which something can be charged for a trip that is back; '' if none is left."""
    if trip.returned is None or instant >= (end := chargeable_until(trip.returned.at, trip.policies)):
        return ""
    return clock.friendly_day(clock.indian_today(end - timedelta(seconds=1)))


def _details(trip: TripView) -> list[Fact]:
    # From the confirmation on, the account says what is owed.
    price = {} if trip.ledger else {"Price": format_rupees(trip.price), "Deposit": format_rupees(trip.deposit)}
    details = {
        "Pickup": clock.friendly(trip.pickup),
        "Return": clock.friendly(trip.return_at),
        "Length": Window(trip.pickup, trip.return_at).label,
        "Kilometres included": kilometres(trip.kms_included),
        "Extras": ", ".join(_EXTRAS.get(extra, extra) for extra in trip.extras).capitalize(),
        "Address": trip.address,
        "Offer": trip.offer or "",
        "Receipt number": trip.receipt_number or "",
        **price,
    }
    return facts(details)


def was_over(trip: TripView) -> bool:
    """Whether the rental was over when it was booked: its handover and return are noted afterwards."""
    return trip.created_at >= trip.return_at


def _wait(trip: TripView, instant: datetime) -> str:
    """What can be done later and from when, or why the vehicle can no longer be handed over."""
    if was_over(trip):
        return ""
    if refusal := handover_refusal(trip.pickup, trip.return_at, instant):
        return f"{refusal[1]}."
    if instant < (absent := absent_from(trip.pickup, trip.policies)):
        return f"If the customer does not come, a no-show can be marked from {clock.friendly(absent)}."
    return ""


def _payments(trip: TripView, vendor: Payee) -> Payments:
    """The payments of a trip, as its vendor records them."""
    rent, deposit = _due(trip, vendor, "rent"), _due(trip, vendor, "deposit")
    return Payments(
        rent=rent,
        deposit=deposit,
        all=_all_due(trip, vendor, rent, deposit),
        handover=_handover_lines(trip),
        takes_money=trip.balance.rent > 0 or trip.balance.deposit > 0,
        payee=vendor.name,
        upi_id=vendor.upi_id,
    )


def _due(trip: TripView, vendor: Payee, of: str) -> Due | None:
    """What is still to be paid, taken or given back of rent or deposit; nothing before the vendor has confirmed."""
    paise = {"rent": trip.balance.rent, "deposit": trip.balance.deposit}[of]
    if not paise or not trip.ledger:
        return None
    direction = "in" if paise > 0 else "out"
    label, button = _DUES[of, direction]
    return Due(
        direction=direction,
        label=label,
        amount=format_rupees(abs(paise)),
        rupees=str(to_rupees(abs(paise))),
        button=button,
        upi_paise=paise if direction == "in" and vendor.upi_id else 0,
    )


def _all_due(trip: TripView, vendor: Payee, rent: Due | None, deposit: Due | None) -> Due | None:
    """Rent and deposit together, where both are still to be paid: one payment, and one code for it."""
    if rent is None or deposit is None or {rent.direction, deposit.direction} != {"in"}:
        return None
    paise = trip.balance.rent + trip.balance.deposit
    return Due(
        direction="in",
        label="All that is due",
        amount=format_rupees(paise),
        rupees=str(to_rupees(paise)),
        button="All of it received",
        upi_paise=paise if vendor.upi_id else 0,
        split=f"Rent {rent.amount} + deposit {deposit.amount}",
    )


def _handover_lines(trip: TripView) -> list[Fact]:
    """What a handover takes, and what of it is paid, the last line being what is due now."""
    lines = [(line.account_kind, line.amount) for line in trip.ledger]
    charged = total(lines, RENT_CHARGE_SIGNS)
    paid, taken = charged - trip.balance.rent, trip.deposit - trip.balance.deposit
    due_now = max(0, trip.balance.rent) + max(0, trip.balance.deposit)
    rows = {
        f"Rent, {Window(trip.pickup, trip.return_at).label}": charged,
        "Rent paid": -paid,
        "Deposit, held by you until the return": trip.deposit,
        "Deposit taken": -taken,
    }
    shown = {label: paise for label, paise in rows.items() if paise} | {"Due now": due_now}
    return facts({label: format_rupees(paise) for label, paise in shown.items()})


def amount_text(paise: int) -> str:
    """An amount that is typed, as the button that records it says it."""
    return format_rupees(paise) if paise else "Nothing"


def upi_code(vendor: Payee, paise: int, note: str) -> tuple[str, str]:
    """A QR code, as the address of a picture, to pay a vendor exactly this amount by UPI, and the amount; both blank if
    there is nothing to pay, or it cannot be paid so."""
    if not (paise and vendor.upi_id):
        return "", ""
    code = segno.make(money.upi_link(vendor.upi_id, vendor.name, paise, note), error="m", micro=False)
    # Dark on light in the dark theme too: not every reader accepts inverted codes.
    return str(code.svg_data_uri(scale=6, dark="#000", light="#fff")), format_rupees(paise)
