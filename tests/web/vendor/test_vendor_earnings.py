"""The earnings page shows what the service returns."""

from datetime import timedelta

from rental_app.domain import clock
from rental_app.infrastructure.db import read, write
from rental_app.models import LedgerEntry, User
from rental_app.schemas.earnings import EarningsRequest
from rental_app.services.bookings import requests
from rental_app.services.earnings import figures
from rental_app.web.vendor.earnings.state import EarningsState
from tests.support.booking_steps import alter
from tests.support.shop import Shop, actor, open_shop, put, wanted
from tests.support.state_tabs import answers, journey, tab_of
from tests.support.trips import cancel, confirmed, pay


def booking_of(shop: Shop) -> int:
    return write(requests.create, actor(shop.customer), wanted(shop.vehicle)).id


@journey
async def test_a_year_by_month_and_by_vehicle(shop: Shop) -> None:
    alter(User, shop.vendor.id, created_at=clock.now() - timedelta(days=800))
    put(LedgerEntry(booking_id=booking_of(shop), kind="payment", paise=45_000))
    put(LedgerEntry(booking_id=booking_of(open_shop("Elsewhere")), kind="payment", paise=7_000))
    month = f"{clock.indian_today(clock.now()):%Y-%m}"
    tab = await tab_of(shop.vendor, EarningsState)
    assert "error" not in await answers(tab.load())
    latest = tab.page.lines[0]
    assert (len(tab.page.lines), latest.received, tab.page.total.received) == (12, "₹450", "₹450")
    assert latest.statement == f"/api/vendor/statements/{month}.pdf"
    await answers(tab.choose_by("vehicle"))
    assert [line.statement for line in tab.page.lines] == [""] * len(tab.page.lines)
    assert "by=vehicle" in tab.page.csv
    assert tab.page.total.received == "₹450"
    await answers(tab.choose_year(tab.years[1]))
    assert (tab.page.lines, tab.page.total.received) == ([], "₹0")
    await answers(tab.choose_year("1066"))
    assert (tab.year, tab.page.total.received) == ("", "₹450")
    by_service = read(figures.of_vendor, actor(shop.vendor), EarningsRequest())
    assert by_service.total.received == 45_000


@journey
async def test_what_was_invoiced_stands_below(shop: Shop) -> None:
    tab = await tab_of(shop.vendor, EarningsState)
    await answers(tab.load())
    assert tab.page.tax == []
    alter(User, shop.vendor.id, gst_number="36ZZZFZ1001Z1ZT")
    trip = confirmed(shop)
    pay(shop, trip.id, 11_800)
    cancel(shop, trip.id, 11_800)
    await answers(tab.load())
    told = {fact.label: fact.value for fact in tab.page.tax}
    assert (told["Invoices and notes"], told["Taxable value"], told["CGST"], told["Total"]) == (
        "1",
        "₹100",
        "₹9",
        "₹118",
    )
    assert tab.page.invoices.startswith("/api/vendor/invoices.csv?from=")
