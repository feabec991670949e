"""What a vendor earns, and the lists behind it."""

from typing import Annotated

from fastapi import Path, Query, Response

from rental_app.api.dependencies import CallRouter, CurrentManager, CurrentVendor, a_file, download, refusals
from rental_app.infrastructure.db import read, read_or_store
from rental_app.schemas.bookings import BookingQuery
from rental_app.schemas.earnings import EarningsAnswer, EarningsRequest
from rental_app.services.bookings import lists
from rental_app.services.earnings import figures, statements

router = CallRouter(prefix="/api/vendor", tags=["vendor"])
Days = Annotated[EarningsRequest, Query()]


@router.get("/earnings", responses=refusals(401, 403, 429))
def earnings(actor: CurrentManager, days: Days) -> EarningsAnswer:
    """Charged, received, commission, net, deposits held and utilisation, a row for each month or vehicle; and what
    the tax invoices of these days add up to."""
    return read(figures.of_vendor, actor, days)


@router.get("/earnings.csv", responses=a_file("text/csv") | refusals(401, 403, 429), response_class=Response)
def earnings_csv(actor: CurrentVendor, days: Days) -> Response:
    """The same as CSV, for a spreadsheet."""
    return _download(read(figures.as_csv, actor, days), "text/csv; charset=utf-8", "earnings.csv")


@router.get("/invoices.csv", responses=a_file("text/csv") | refusals(401, 403, 429), response_class=Response)
def invoices_csv(actor: CurrentVendor, days: Days) -> Response:
    """The tax invoices, credit and debit notes issued on these days, as CSV for a spreadsheet, with their totals.

    What a credit note takes back is negative.
    """
    return _download(read(figures.invoices_as_csv, actor, days), "text/csv; charset=utf-8", "invoices.csv")


@router.get("/bookings.csv", responses=a_file("text/csv") | refusals(401, 403, 429), response_class=Response)
def bookings_csv(actor: CurrentVendor, only: Annotated[BookingQuery, Query()]) -> Response:
    """All of the vendor's bookings that match the filters, as CSV for a spreadsheet."""
    return _download(read(lists.as_csv, actor, only), "text/csv; charset=utf-8", "bookings.csv")


@router.get(
    "/statements/{month}.pdf",
    responses=a_file("application/pdf") | refusals(401, 403, 404, 429),
    response_class=Response,
)
def statement(
    actor: CurrentVendor, month: Annotated[str, Path(max_length=7, description="An Indian month, such as 2026-11")]
) -> Response:
    """A month's earnings by vehicle, and every line of the accounts behind them.

    The statement of a month that is over stays as it was first read: what is corrected later is in the month of the
    correction.
    """
    return _download(read_or_store(statements.of, actor, month), "application/pdf", f"statement-{month}.pdf")


def _download(body: bytes, kind: str, name: str) -> Response:
    return Response(body, media_type=kind, headers=download(name))
