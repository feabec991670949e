"""What is still to change hands for a booking, as its vendor records it."""

import segno
from pydantic import BaseModel

from rental_app.domain import upi
from rental_app.domain.account import RENT_CHARGE_SIGNS, total
from rental_app.domain.clock import Window
from rental_app.domain.money import format_rupees, to_rupees
from rental_app.schemas.trips import TripView
from rental_app.services.accounts.profile import Payee
from rental_app.web.parts.presenters.texts import Fact


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


_DUES = {
    ("rent", "in"): ("Rent to be paid", "Rent received"),
    ("rent", "out"): ("Rent owed to the customer", "Rent paid back"),
    ("deposit", "in"): ("Deposit to be taken", "Deposit received"),
    ("deposit", "out"): ("Deposit to be given back", "Deposit given back"),
}


def payments(trip: TripView, vendor: Payee) -> Payments:
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
    return [Fact(label=label, value=format_rupees(paise)) for label, paise in shown.items()]


def rupees_text(paise: int) -> str:
    """An amount that a UPI code asks for."""
    return format_rupees(paise)


def qr_picture(vendor: Payee, paise: int, note: str) -> str:
    """A QR code, as the address of a picture, to pay a vendor exactly this amount by UPI."""
    code = segno.make(upi.link(vendor.upi_id, vendor.name, paise, note), error="m", micro=False)
    # Dark on light in the dark theme too: not every reader accepts inverted codes.
    return str(code.svg_data_uri(scale=6, dark="#000", light="#fff"))
