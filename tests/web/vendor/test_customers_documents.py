"""What a vendor sees of a customer's documents, on the booking's page and at the handover."""

from rental_app.domain.identity import AT_HANDOVER
from tests.support.guests import at_counter
from tests.support.identity import add_paper
from tests.support.shop import Shop, moment, token_of
from tests.support.state_tabs import journey, told
from tests.support.trips import confirmed
from tests.support.vendor_booking_state import page_of


@journey
async def test_a_vendor_reads_what_is_checked(shop: Shop) -> None:
    trip = confirmed(shop)
    add_paper(shop.customer, "licence", "accepted", classes=["MCWG", "LMV"])
    add_paper(shop.customer, "id", "accepted")
    add_paper(shop.customer, "residence", "sent")
    page, _ = await page_of(token_of(shop.vendor), trip.reference)
    assert page.documents.line == ("Licence checked, ID checked, work proof not sent, residence proof not checked yet")
    assert [row.at_handover for row in page.documents.rows] == [
        AT_HANDOVER[kind] for kind in ("licence", "id", "work", "residence")
    ]
    # Without pictures there is nothing to look at, whatever a browser sends.
    await told(page.look_at_document(page.documents.rows[0].id))
    await told(page.look_at_document(999))
    assert page.seen_documents == []


@journey
async def test_a_licence_for_other_vehicles_is_told(shop: Shop) -> None:
    trip = confirmed(shop)
    add_paper(shop.customer, "licence", "accepted", classes=["LMV"])
    page, _ = await page_of(token_of(shop.vendor), trip.reference)
    assert "does not cover" in page.documents.rows[0].problem


@journey
async def test_a_guest_has_sent_none(shop: Shop) -> None:
    trip = at_counter(shop.vendor, shop.vehicle, moment(2), moment(3))
    page, _ = await page_of(token_of(shop.vendor), trip.reference)
    assert page.documents is None
