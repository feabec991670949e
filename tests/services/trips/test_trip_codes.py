"""The customer's yes at the counter, by a code that was texted to them."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from sqlalchemy import delete, select
from sqlmodel import Session, SQLModel, col

from rental_app.domain import counter as rules
from rental_app.infrastructure.db import read, write
from rental_app.infrastructure.settings import settings
from rental_app.models import AuditEntry, Block, BookingEvent, Outbox, Proof, Proposal, User
from rental_app.schemas.bookings import VendorBookingView
from rental_app.services.bookings import guest_links, joining
from rental_app.services.trips import answering
from tests.conftest import Clock
from tests.support.booking_steps import alter
from tests.support.guests import GUEST, at_counter, texts
from tests.support.races import at_once
from tests.support.shop import DAILY_PAISE, Shop, actor, add_user, add_vehicle, moment, open_shop
from tests.support.trip_codes import another, code, send_code, text, texted, type_code
from tests.support.trips import confirmed, grant, move_vehicle, refusal, reverse, seen

PHONE = "9000020288"
PRICE = 2 * DAILY_PAISE


def walk_in(shop: Shop, days: int = 3) -> VendorBookingView:
    return at_counter(shop.vendor, shop.vehicle, moment(days), moment(days + 2))


def later(shop: Shop, ref: object, days: int = 1) -> None:
    """Propose a later return."""
    grant(shop, ref, seen(shop.vendor, ref).return_at + timedelta(days=days))


def test_a_guest_agrees_by_the_code_that_they_read_out(shop: Shop, stopped_clock: Clock) -> None:
    made = walk_in(shop)
    refusal("no_proposal", send_code, shop.vendor, made.reference)
    later(shop, made.reference)
    sent = send_code(shop.vendor, made.reference)
    assert (sent.to, sent.until) == ("90xxxxxx88", stopped_clock.instant + timedelta(minutes=10))
    told = text()
    assert told.to == f"+91{PHONE}"
    assert f"a later return for your Pahiya booking {made.reference}, Rs 1,500 total" in told.text
    refusal("wrong_code", type_code, shop.vendor, made.reference, another(code()))
    right = code()
    agreed = type_code(shop.vendor, made.reference, right)
    assert (agreed.price, agreed.proposal) == (PRICE + DAILY_PAISE, None)
    refusal("wrong_code", type_code, shop.vendor, made.reference, right)
    event = next(one for one in agreed.timeline if one.what == "proposal_agreed")
    assert (event.by, event.note) == ("customer", "By a code texted to the customer's mobile")


def test_so_does_an_account_to_another_vehicle_and_to_a_discount_taken_back(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    spare = add_vehicle(shop.vendor, model_id=2)
    move_vehicle(shop, trip.id, spare)
    send_code(shop.vendor, trip.id)
    assert text().to == f"+91{shop.customer.phone_number}"
    assert "another vehicle" in text().text
    assert type_code(shop.vendor, trip.id, code()).car.id == spare.id
    charged = reverse(shop, trip.id, seen(shop.vendor, trip.id).ledger[0].id)
    stopped_clock.move(minutes=16)
    reverse(shop, trip.id, charged.ledger[-1].id)
    send_code(shop.vendor, trip.id)
    assert "a higher charge" in text().text
    assert type_code(shop.vendor, trip.id, code()).ledger[-1].amount > 0


def test_a_code_is_for_one_proposal_of_one_booking(shop: Shop, stopped_clock: Clock) -> None:
    made, other = walk_in(shop), walk_in(shop, days=10)
    for ref in (made.reference, other.reference):
        later(shop, ref)
    send_code(shop.vendor, made.reference)
    first = code()
    refusal("wrong_code", type_code, shop.vendor, other.reference, first)
    proposed = seen(shop.vendor, made.reference).proposal
    assert proposed
    # One of the same kind and total in its place is another one.
    alter(Proposal, proposed.id, state="withdrawn", ended_at=stopped_clock.instant)
    write(lambda session: session.execute(delete(Block).where(col(Block.proposal_id) == proposed.id)))
    refusal("proposal_over", type_code, shop.vendor, made.reference, first)
    later(shop, made.reference)
    refusal("proposal_over", type_code, shop.vendor, made.reference, first)
    send_code(shop.vendor, made.reference)
    assert type_code(shop.vendor, made.reference, code()).price == PRICE + DAILY_PAISE


def test_a_code_ends_after_five_tries_ten_minutes_and_with_the_next_one(shop: Shop, stopped_clock: Clock) -> None:
    made = walk_in(shop)
    later(shop, made.reference)
    send_code(shop.vendor, made.reference)
    tried = code()
    for _ in range(5):
        refusal("wrong_code", type_code, shop.vendor, made.reference, another(tried))
    refusal("wrong_code", type_code, shop.vendor, made.reference, tried)
    other = walk_in(shop, days=10)
    later(shop, other.reference)
    send_code(shop.vendor, other.reference)
    first = code()
    send_code(shop.vendor, other.reference)
    refusal("wrong_code", type_code, shop.vendor, other.reference, first)
    second = code()
    stopped_clock.move(minutes=10)
    refusal("wrong_code", type_code, shop.vendor, other.reference, second)
    assert seen(shop.vendor, other.reference).price == PRICE


def test_a_code_ends_with_the_number_it_was_sent_to(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    later(shop, trip.id)
    send_code(shop.vendor, trip.id)
    right = code()
    alter(User, shop.customer.id, phone_number="9876500000")
    refusal("wrong_code", type_code, shop.vendor, trip.id, right)


def test_a_code_ends_as_an_account_takes_the_booking_over(shop: Shop, stopped_clock: Clock) -> None:
    made = at_counter(shop.vendor, shop.vehicle, moment(1), moment(3), customer=GUEST | {"phone": "9000020299"})
    owner = add_user(phone_number="9000020299", verified_phone="9000020299")
    later(shop, made.reference)
    send_code(shop.vendor, made.reference)
    right = code()
    found = write(answering.try_code, actor(shop.vendor), made.reference, right)
    write(joining.join, actor(owner), made.reference)
    refusal("wrong_code", write, answering.agree_by_code, actor(shop.vendor), made.reference, found)
    refusal("wrong_code", type_code, shop.vendor, made.reference, right)
    assert {text.to for text in (*texts(), *texted())} == {""}


def test_nobody_but_the_vendor_has_a_code_sent_or_types_it(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    later(shop, trip.id)
    for user, why in ((shop.customer, "vendors_only"), (add_user(role="Vendor"), "unknown_booking")):
        refusal(why, send_code, user, trip.id)
        refusal(why, type_code, user, trip.id, "123456")
    stopped_clock.move(days=2)
    refusal("no_proposal", send_code, shop.vendor, trip.id)


def test_a_member_at_the_counter_does_it_like_the_vendor(shop: Shop, stopped_clock: Clock) -> None:
    member, trip = add_user(), confirmed(shop)
    later(shop, trip.id)
    colleague = replace(actor(member), employer=shop.vendor.id or 0)
    write(answering.send_code, colleague, trip.reference)
    found = write(answering.try_code, colleague, trip.reference, code())
    assert write(answering.agree_by_code, colleague, trip.reference, found).price == PRICE + DAILY_PAISE
    written = read(lambda session: session.scalars(select(AuditEntry)).all())
    assert [entry.user_id for entry in written if entry.act == "trip_code.used"] == [member.id]


def test_texts_about_a_booking_its_vendors_and_a_numbers_are_few(
    shop: Shop, stopped_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, other, third = walk_in(shop), walk_in(shop, days=10), walk_in(shop, days=17)
    for ref in (made.reference, other.reference, third.reference):
        later(shop, ref)
    for _ in range(rules.MOST_TEXTS - 1):
        send_code(shop.vendor, made.reference)
    refused = refusal("texts_used_up", send_code, shop.vendor, made.reference)
    assert (refused.status, refused.retry_after) == (409, None)
    refusal("texts_used_up", write, guest_links.send_again, actor(shop.vendor), made.reference)
    stopped_clock.move(hours=3)
    monkeypatch.setattr(rules, "MOST_TEXTS_DAILY", 5)
    refused = refusal("texts_used_up", send_code, shop.vendor, other.reference)
    assert (refused.status, refused.retry_after) == (429, 21 * 3600 + 1)
    monkeypatch.setattr(rules, "MOST_TEXTS_DAILY", 30)
    monkeypatch.setattr(rules, "MOST_TEXTS_TO_NUMBER", 6)
    elsewhere = open_shop("Elsewhere")
    at_counter(elsewhere.vendor, elsewhere.vehicle, moment(1), moment(2))
    refused = refusal("texts_used_up", send_code, shop.vendor, third.reference)
    assert (refused.status, refused.retry_after) == (429, 21 * 3600 + 1)
    monkeypatch.setattr(rules, "MOST_TEXTS_TO_NUMBER", 200)
    monkeypatch.setattr(settings(), "sms_daily", 0)
    assert refusal("texts_used_up", send_code, shop.vendor, third.reference).status == 503


def test_texts_sent_at_once_are_counted_one_by_one(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    made, other = walk_in(shop), walk_in(shop, days=10)
    for ref in (made.reference, other.reference):
        later(shop, ref)
    presses = at_once(*[lambda: send_code(shop.vendor, made.reference)] * 4)
    assert sorted(presses) == ["", "", "texts_used_up", "texts_used_up"]
    monkeypatch.setattr(rules, "MOST_TEXTS_DAILY", 5)
    third = walk_in(shop, days=17)
    later(shop, third.reference)
    assert len(texts()) == 3
    monkeypatch.setattr(rules, "MOST_TEXTS_DAILY", 6)
    both = at_once(*[partial(send_code, shop.vendor, ref) for ref in (other.reference, third.reference)])
    assert sorted(both) == ["", "texts_used_up"]


def test_a_code_typed_twice_at_once_agrees_once(shop: Shop) -> None:
    made = walk_in(shop)
    later(shop, made.reference)
    send_code(shop.vendor, made.reference)
    right = code()
    assert sorted(at_once(*[lambda: type_code(shop.vendor, made.reference, right)] * 3)).count("") == 1
    assert seen(shop.vendor, made.reference).price == PRICE + DAILY_PAISE


def test_the_trail_says_who_and_nothing_has_the_code(shop: Shop, stopped_clock: Clock) -> None:
    made = walk_in(shop)
    later(shop, made.reference)
    send_code(shop.vendor, made.reference)
    right = code()
    type_code(shop.vendor, made.reference, right)
    written = read(lambda session: session.scalars(select(AuditEntry)).all())
    entries = [(entry.act, entry.user_id, entry.subject_id) for entry in written if entry.act.startswith("trip_code")]
    assert entries == [(act, shop.vendor.id, made.id) for act in ("trip_code.sent", "trip_code.used")]
    texts_of_rows = read(lambda session: [*map(str, _rows(session, Proof, Outbox, AuditEntry, BookingEvent))])
    assert right not in " ".join(texts_of_rows)


def _rows(session: Session, *tables: type[SQLModel]) -> Iterator[dict[str, Any]]:
    """What tables say, but for instants, whose fractions are digits like any other."""
    for table in tables:
        for row in session.scalars(select(table)):
            yield {name: value for name, value in row.model_dump().items() if not isinstance(value, datetime)}
