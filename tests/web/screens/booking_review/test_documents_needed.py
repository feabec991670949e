"""Documents before a request, on the booking's page, and where they stand in the way."""

from urllib.parse import quote

import pytest

from rental_app.infrastructure.settings import settings
from rental_app.models import User
from rental_app.web.screens.booking_review.state import ReviewState
from rental_app.web.screens.my_booking.state import MyBookingState
from tests.support.identity import add_paper
from tests.support.page_states import page_of, review, send, vehicle_page
from tests.support.shop import Shop
from tests.support.state_tabs import answers, journey
from tests.support.trips import confirmed

OTHERS = ("id", "work", "residence")


async def reviewed(shop: Shop, user: User | None) -> ReviewState:
    return await review(await vehicle_page(shop, user))


@journey
async def test_a_review_says_how_documents_stand(shop: Shop) -> None:
    visitor = await reviewed(shop, None)
    assert (visitor.documents, [paper.checked for paper in visitor.car.bring]) == (None, [False] * 4)
    add_paper(shop.customer, "licence", "accepted", classes=["MCWG", "LMV"])
    add_paper(shop.customer, "id", "sent")
    page = await reviewed(shop, shop.customer)
    assert (page.documents.count, page.documents.holds) == ("1 of 4 accepted", False)
    assert page.documents.action == "Add working-professional proof"
    assert page.documents.href == f"/account?back={quote(page.asked_url, safe='').replace('%20', '+')}"
    assert [paper.kind for paper in page.car.bring if paper.checked] == ["licence"]
    assert "/my-bookings/" in await answers(send(page))


@journey
async def test_where_all_are_required_a_missing_one_holds_the_request(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings(), "papers", "required")
    page = await reviewed(shop, shop.customer)
    assert page.documents.holds
    assert "What you have chosen stays" in page.documents.text
    # An older tab, or a script, has the button still.
    told = await answers(send(page))
    assert "before you book" in told
    assert [way.text for way in page.ways] == ["Add your documents"]
    for kind in ("licence", *OTHERS):
        add_paper(shop.customer, kind, "sent", **({"classes": ["MCWG", "LMV"]} if kind == "licence" else {}))
    page = await reviewed(shop, shop.customer)
    assert (page.documents.holds, page.documents.action) == (False, "")
    assert "/my-bookings/" in await answers(send(page))


@journey
async def test_a_licence_for_other_vehicles_says_what_to_do(shop: Shop) -> None:
    add_paper(shop.customer, "licence", "accepted", classes=["LMV"])
    page = await reviewed(shop, shop.customer)
    told = await answers(send(page))
    assert "does not cover" in told
    assert "does not cover" in page.refusal
    assert [way.text for way in page.ways] == ["Look at other vehicles", "Send another licence"]
    assert all("back=" in way.href for way in page.ways[1:])


@journey
async def test_a_bookings_page_says_what_is_checked_and_what_to_bring(shop: Shop) -> None:
    booking = confirmed(shop)
    add_paper(shop.customer, "licence", "accepted")
    page = await page_of(shop.customer, MyBookingState, f"/my-bookings/{booking.reference}")
    await answers(page.load())
    assert page.documents.count == "1 of 4 accepted"
    assert [one.kind for one in page.bring if one.checked] == ["licence"]
    assert page.documents.href.endswith(quote(f"/my-bookings/{booking.reference}", safe=""))
