"""A vendor's public page, and reviews: more of a list than one call gives."""

from typing import Any

import pytest
from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.ids import slug_of
from rental_app.infrastructure.db import write
from rental_app.infrastructure.settings import settings
from rental_app.models import Booking, Review
from rental_app.web.parts.reviews.state import VehicleReviewsState
from rental_app.web.screens.vehicle_details.state import DetailState
from rental_app.web.screens.vendor_page.state import VendorPageState
from rental_app.web.vendor.reviews.state import ReceivedState
from tests.support.failures import away
from tests.support.page_states import page_of
from tests.support.rows import cancelled_copies
from tests.support.shop import Shop, add_vehicles
from tests.support.state_tabs import answers, journey, loaded, tab_of
from tests.support.vendor_requests import book


def add_reviews(shop: Shop, many: int) -> None:
    """Add reviews of the shop's vehicle, for bookings that have no other use."""
    cancelled_copies(book(shop), many - 1)
    own = {"vehicle_id": shop.vehicle.id, "vendor_id": shop.vendor.id, "customer_id": shop.customer.id}
    said = {"side": "customer", "stars": 4, "show_by": clock.now(), "shown_at": clock.now()}

    def add(session: Session) -> None:
        booked = session.scalars(select(col(Booking.id)).where(col(Booking.vehicle_id) == shop.vehicle.id))
        session.add_all(Review(booking_id=each, **own, **said) for each in booked)

    write(add)


def vendor_path(shop: Shop) -> str:
    return f"/vendors/{slug_of(shop.vendor.name, shop.vendor.id or 0)}"


@journey
async def test_a_vendors_page_shows_more_vehicles_to_the_last(shop: Shop) -> None:
    add_vehicles(shop.vendor, 140)
    page = await loaded(page_of(None, VendorPageState, vendor_path(shop)))
    for shown in (60, 120, 141, 141):
        assert (len({card.id for card in page.vendor.cards}), page.vendor.more) == (shown, 141 - shown)
        await answers(page.show_more_vehicles())
    assert page.vendor.count_line == "141 vehicles"
    add_vehicles(shop.vendor, 1)
    other = await loaded(page_of(None, VendorPageState, vendor_path(shop)))
    assert other.vendor.count_line == "142 vehicles, 60 of them below"


@journey
async def test_pages_that_cannot_be_had_have_the_title_of_their_kind(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    vendor = await page_of(None, VendorPageState, vendor_path(shop))
    vehicle = await page_of(None, DetailState, f"/vehicle-details/{shop.vehicle.id}")
    with monkeypatch.context() as broken:
        broken.setattr("rental_app.web.screens.vendor_page.state.vendor_page", away)
        broken.setattr("rental_app.services.search.listings.get_listing", away)
        assert (vendor.title, vehicle.title) == ("", "")
        await answers(vendor.load())
        await answers(vehicle.load())
    city, product = settings().city, settings().product_name
    assert vendor.title == f"Vendor in {city} | {product}"
    assert vehicle.title == f"Vehicle for rent in {city} | {product}"
    await answers(vendor.load())
    await answers(vehicle.load())
    assert vendor.title.startswith(shop.vendor.name)
    assert vehicle.title.startswith("Honda Activa 6G on rent in Testpur")


@journey
async def test_show_more_goes_on_to_the_oldest_review(shop: Shop) -> None:
    add_reviews(shop, 225)
    vehicle = await page_of(None, VehicleReviewsState, f"/vehicle-details/{shop.vehicle.id}")
    vendor = await page_of(None, VendorPageState, vendor_path(shop))
    own = await tab_of(shop.vendor, ReceivedState)
    views: list[tuple[Any, Any]] = [
        (vehicle, lambda: vehicle.shown),
        (vendor, lambda: vendor.vendor and vendor.vendor.reviews),
        (own, lambda: own.page),
    ]
    for page, view in views:
        await answers(page.show_more())
        await answers(page.load())
        presses = 0
        while view().more:
            await answers(page.show_more())
            presses += 1
            assert presses < 10
        await answers(page.show_more())
        assert len({said.id for said in view().reviews}) == 225
