"""Documents under Account: sent, looked at and deleted by their owner, and what a booking that is ahead needs."""

import asyncio
import json
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest

from rental_app.domain.uploads import IDENTITY
from rental_app.infrastructure.db import write
from rental_app.infrastructure.settings import settings
from rental_app.models import User
from rental_app.services.files import uploads
from rental_app.services.files.storage import CheckedFile
from rental_app.services.identity import papers
from rental_app.web.parts.presenters.documents import DocumentRow
from rental_app.web.screens.account.state import AccountState
from tests.support.identity import add_paper
from tests.support.page_states import page_of
from tests.support.rows import each
from tests.support.shop import Shop, actor
from tests.support.state_tabs import answers, journey, loaded, tab_of
from tests.support.trips import confirmed

FORM = {
    "name": "Asha Rao",
    "number": "2345",
    "class.MCWG": "on",
    "class.MCWOG": "on",
    "validUntil": "09-05-2034",
}


def uploaded(user: User, name: str = "front.jpg") -> dict[str, Any]:
    """Upload a file ahead, as the form names it."""
    file = CheckedFile(IDENTITY, f"private/p1-{uuid4().hex[:16]}", "image/jpeg", 9, {})
    return {"id": write(uploads.store, actor(user), file).id, "name": name}


def row_of(page: AccountState, kind: str) -> DocumentRow:
    assert page.documents
    return next(row for row in page.documents.rows if row.kind == kind)


@journey
async def test_a_licence_is_sent_and_shown(shop: Shop) -> None:
    page = await loaded(tab_of(shop.customer, AccountState))
    assert [row.state for row in page.documents.rows] == [""] * 4
    assert "account-document" in await answers(page.ask_document("licence"))
    files = {f"files.{IDENTITY}": json.dumps([uploaded(shop.customer)])}
    told = await answers(page.send_document(FORM | files))
    assert papers.SENT in told
    row = row_of(page, "licence")
    assert (row.badge, row.note, len(row.pictures)) == ("Sent", "ends 2345, to 9 May 2034", 1)
    assert ("Classes", "MCWOG, MCWG") in [(fact.label, fact.value) for fact in row.facts]


@journey
async def test_what_is_wrong_is_said_at_its_field_and_the_files_wait(shop: Shop) -> None:
    page = await loaded(tab_of(shop.customer, AccountState))
    await answers(page.ask_document("licence"))
    files = {f"files.{IDENTITY}": json.dumps([uploaded(shop.customer)])}
    for field, text, where in (
        ("validUntil", "31-02-2034", "document-until"),
        ("validUntil", "in 2034", "document-until"),
        ("validUntil", "09-05-2014", "document-until"),
        ("number", "23", "document-number"),
        ("name", "", "document-name"),
    ):
        told = await answers(page.send_document(FORM | files | {field: text}))
        assert page.errors.keys() == {field}, (field, text)
        assert where in told
    assert page.documents.rows[0].state == ""
    # Closed and opened again, the file is still there.
    await answers(page.ask_document("licence"))
    assert [file.name for file in page.document_files] == ["File 1"]
    assert page.errors == {}
    told = await answers(page.send_document(FORM))
    assert "file" in told


@journey
async def test_files_wait_for_the_kind_of_document_they_were_uploaded_for(shop: Shop) -> None:
    page = await loaded(tab_of(shop.customer, AccountState))
    await answers(page.ask_document("licence"))
    front = uploaded(shop.customer)
    # Closed without being sent; one that was going up arrives afterwards.
    await answers(page.ask_document("residence"))
    assert page.document_files == []
    bill = uploaded(shop.customer, "bill.jpg")
    await answers(page.ask_document("licence"))
    assert [file.id for file in page.document_files] == [front["id"]]
    await answers(page.ask_document("residence"))
    assert [file.id for file in page.document_files] == [bill["id"]]


@journey
async def test_a_whole_aadhaar_number_is_refused(shop: Shop) -> None:
    page = await loaded(tab_of(shop.customer, AccountState))
    await answers(page.ask_document("id"))
    form = {"name": "Asha Rao", "document": "aadhaar", "number": "2341 2341 2346"}
    await answers(page.send_document(form | {f"files.{IDENTITY}": json.dumps([uploaded(shop.customer)])}))
    assert "number" in page.errors
    assert row_of(page, "id").state == ""


@journey
async def test_a_refused_one_says_why_and_can_be_deleted(shop: Shop) -> None:
    add_paper(shop.customer, "id", "refused", reason="It has expired")
    page = await loaded(tab_of(shop.customer, AccountState))
    assert (row_of(page, "id").badge, row_of(page, "id").note) == ("Refused", "It has expired")
    await answers(page.look_at_document("id"))
    assert page.document.reason == "It has expired"
    assert papers.WITHDRAWN in await answers(page.withdraw_document())
    assert row_of(page, "id").state == ""
    # Twice, or without one.
    await answers(page.withdraw_document())
    await answers(page.look_at_document("no such kind"))
    assert page.document is None


@journey
async def test_the_next_booking_says_what_it_needs(shop: Shop) -> None:
    confirmed(shop)
    add_paper(shop.customer, "licence", "accepted")
    add_paper(shop.customer, "work", "sent")
    page = await loaded(tab_of(shop.customer, AccountState))
    card = page.documents.card
    assert (card.count, card.states, card.kind) == ("1 of 4 accepted", ["accepted", "sent", "", ""], "id")
    assert card.text.startswith("Government ID and residential proof are missing.")
    assert card.button == "Add government ID"
    assert page.documents.looked == "Nobody yet"


@journey
async def test_vendors_and_shops_that_take_none_show_none(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    page = await loaded(tab_of(shop.vendor, AccountState))
    assert page.documents is None
    await answers(page.ask_document("licence"))
    assert page.document is None
    monkeypatch.setattr(settings(), "papers", "off")
    page = await loaded(tab_of(shop.customer, AccountState))
    assert page.documents is None
    # What was sent before can still be seen, and deleted.
    add_paper(shop.customer, "id")
    page = await loaded(tab_of(shop.customer, AccountState))
    assert [row.kind for row in page.documents.rows] == ["id"]
    await answers(page.look_at_document("id"))
    assert papers.WITHDRAWN in await answers(page.withdraw_document())
    assert page.documents is None


@each(
    ("asked", "is_ours"),
    [
        ("/vehicle-details/7/review?pickupDate=2026-12-02T09%3A00&extras=helmet", True),
        ("/my-bookings/PH-4X7K20", True),
        ("//evil.example/my-bookings/PH-4X7K20", False),
        ("https://evil.example/", False),
        ("javascript:alert(1)", False),
        ("/my-bookings/../vendor", False),
        ("", False),
    ],
)
def test_the_way_back_leads_to_pages_of_ours_alone(shop: Shop, asked: str, is_ours: bool) -> None:
    async def visit() -> str:
        page = await page_of(shop.customer, AccountState, f"/account?{urlencode({'back': asked})}")
        await answers(page.load())
        return page.back

    assert asyncio.run(visit()) == (asked if is_ours else "")
