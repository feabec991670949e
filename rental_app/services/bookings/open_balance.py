"""What is open on a booking's account, in the words that pages, e-mails and receipts share."""

from dataclasses import dataclass
from datetime import datetime

from rental_app.domain import clock, settlement
from rental_app.domain.money import format_rupees
from rental_app.schemas.bookings import BookingView

NOTHING_OWED, NOTHING_HELD = "Nothing owed", "Nothing held"


@dataclass(frozen=True, slots=True)
class OpenBalance:
    """What is open on a booking (paise), as one of its sides reads it.

    `rent` and `deposit` are what the customer owes, negative if they are owed money; `held` is what `vendor` holds of
    the deposit. `came_back` is when that was noted; `ended` is a booking whose trip did not take place. `read_at` is
    when a paper says this; otherwise it is read now.
    """

    rent: int
    deposit: int
    held: int
    vendor: str
    return_at: datetime
    came_back: datetime | None
    ended: bool
    for_customer: bool
    read_at: datetime | None = None

    @property
    def rent_text(self) -> str:
        """The rent: '₹1,000 still to pay', '₹100 owed to you'."""
        return self._owed(self.rent) or NOTHING_OWED

    @property
    def deposit_text(self) -> str:
        """The deposit: '₹1,500 held by Sai Kiran, back Sun 29 Nov, 8 to 9 PM'."""
        return "; ".join(filter(None, (self.held_text, self._owed(max(0, self.deposit))))) or NOTHING_HELD

    @property
    def held_text(self) -> str:
        """Who holds how much of the deposit until when; '' for nothing."""
        return f"{format_rupees(self.held)} held by {self.vendor}, {self._back()}" if self.held > 0 else ""

    def open_texts(self, *, is_over: bool) -> list[str]:
        """What is held and owed; what is to be paid only for a trip that is over, as it is expected until then."""
        owed = self._owed(self.rent) if is_over or self.rent < 0 else ""
        return [text for text in (self.held_text, owed) if text]

    def _owed(self, paise: int) -> str:
        if not paise:
            return ""
        to_customer, by_customer = (
            ("owed to you", "still to pay") if self.for_customer else ("owed to the customer", "owed by the customer")
        )
        return f"{format_rupees(abs(paise))} {by_customer if paise > 0 else to_customer}"

    def _back(self) -> str:
        """When the deposit comes back; at once if the trip did not take place."""
        if self.ended:
            return "owed back"
        instant = self.read_at or clock.now()
        begin, end = settlement.deposit_back(self.came_back or max(self.return_at, instant))
        hours = f"{clock.indian(begin):%-I} to {clock.indian(end):%-I %p}"
        when = f"{clock.friendly_day(clock.indian(begin).date(), clock.indian_today(instant))}, {hours}"
        return f"back {when}" if instant <= end else f"was due back {when}"


def open_balance(view: BookingView, *, for_customer: bool) -> OpenBalance:
    """What is open on a booking, as one of its sides reads it."""
    return OpenBalance(
        rent=view.balance.rent,
        deposit=view.balance.deposit,
        held=view.balance.held,
        vendor=view.vendor_name,
        return_at=view.return_at,
        came_back=view.came_back,
        ended=view.status == "cancelled" or view.stage == "no_show",
        for_customer=for_customer,
    )


def open_texts(view: BookingView, *, for_customer: bool) -> list[str]:
    """What a list says of a booking's money: what is held or owed, and after the trip also what is still to be paid."""
    is_over = view.status == "cancelled" or view.stage in ("returned", "settled", "no_show")
    return open_balance(view, for_customer=for_customer).open_texts(is_over=is_over)


def is_open(view: BookingView) -> bool:
    """Whether anybody owes or holds anything."""
    return bool(view.balance.rent or view.balance.deposit)
