"""A booking costs what its customer was shown, or is refused."""

from rental_app.domain.errors import ConflictError
from rental_app.domain.money import format_rupees
from rental_app.schemas.bookings import BookingRequest
from rental_app.schemas.quotes import QuoteView
from rental_app.services.pricing.quotes import Priced


class PriceChangedError(ConflictError):
    """The price differs from the one shown; `quote` is the current one."""

    code = "price_changed"

    def __init__(self, message: str, quote: QuoteView) -> None:
        super().__init__(message, details={"quote": quote})
        self.quote = quote


def require_expected_price(request: BookingRequest, price: Priced) -> None:
    """Raise PriceChangedError if a total or deposit that was shown is no longer current."""
    figures = (
        ("price", request.expected_total, price.quote.total),
        ("deposit", request.expected_deposit, price.quote.deposit),
    )
    changes = [
        f"the {name} has changed from {format_rupees(shown)} to {format_rupees(now)}"
        for name, shown, now in figures
        if shown is not None and shown != now
    ]
    if changes:
        text = " and ".join(changes)
        raise PriceChangedError(text[0].upper() + text[1:], price.view)
