"""What a customer agrees to by a code that is texted to them: at the counter, or on a guest's page."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from sqlalchemy import delete, select
from sqlmodel import Session, SQLModel, col

from rental_app.domain import counter as rules
from rental_app.domain.errors import NotFoundError
from rental_app.infrastructure.db import read, write
from rental_app.infrastructure.settings import settings
from rental_app.models import AuditEntry, Block, BookingEvent, Outbox, Proof, Proposal, User
from rental_app.schemas.bookings import VendorBookingView
from rental_app.schemas.trips import CancelRequest, ObjectRequest, ProposalAnswerRequest, TripView
from rental_app.services.bookings import guest_links, joining
from rental_app.services.bookings.trip_codes import CodeSent
from rental_app.services.trips import answering, guest_acts, guest_page
from rental_app.services.trips.guest_acts import Wish
from tests.conftest import Clock
from tests.support.booking_steps import alter
from tests.support.guests import GUEST, at_counter, guest_of, secret_of, texts
from tests.support.races import at_once
from tests.support.shop import DAILY_PAISE, VISITOR, Shop, actor, add_user, add_vehicle, moment, open_shop
from tests.support.trip_codes import another, code, send_code, text, texted, type_code
from tests.support.trips import (
    at_pickup,
    charge,
    grant,
    hand_over,
    move_vehicle,
    pay,
    refusal,
    reverse,
    seen,
    take_back,
)

PRICE = 2 * DAILY_PAISE


@pytest.fixture
def made(shop: Shop, stopped_clock: Clock) -> VendorBookingView:
    """A guest's booking of two days."""
    return at_counter(shop.vendor, shop.vehicle, moment(4), moment(6))


@pytest.fixture
def secret(made: VendorBookingView) -> str:
    """The secret of its link."""
    return secret_of(texts()[-1])


def asked(secret: str, wish: Wish) -> CodeSent:
    """Have a code sent, on the guest's page."""
    return write(guest_acts.send_code, VISITOR, secret, wish)


def _code_for(secret: str, wish: Wish) -> str:
    """The code that the guest was sent for a wish."""
    asked(secret, wish)
    return code()


def propose(shop: Shop, ref: str) -> ProposalAnswerRequest:
    """Propose a day more; the yes to it at its total."""
    waiting = grant(shop, ref, seen(shop.vendor, ref).return_at + timedelta(days=1)).proposal
    assert waiting
    return ProposalAnswerRequest(id=waiting.id, answer="yes", expected_total=waiting.total / 100)


def answer(secret: str, request: ProposalAnswerRequest, typed: str) -> TripView:
    """Answer on the guest's page."""
    return guest_acts.answer(VISITOR, secret, request, typed)


def cancel(secret: str, kept: int, typed: str) -> TripView:
    """Cancel on the guest's page, on terms in paise."""
    return guest_acts.cancel(VISITOR, secret, CancelRequest(kept=kept / 100), typed)


def test_a_guest_agrees_by_a_code(shop: Shop, made: VendorBookingView, secret: str) -> None:
    refusal("no_proposal", asked, secret, ProposalAnswerRequest(id=1, answer="yes"))
    wish = propose(shop, made.reference)
    refusal("proposal_over", asked, secret, wish.model_copy(update={"id": wish.id + 1}))
    assert asked(secret, wish).to == "90xxxxxx88"
    assert "agrees to a later return" in text().text
    refusal("wrong_code", answer, secret, wish, another(code()))
    refusal("wrong_code", answer, secret, wish.model_copy(update={"answer": "no"}), code())
    right = code()
    agreed = answer(secret, wish, right)
    assert (agreed.price, agreed.proposal, agreed.code_to) == (PRICE + DAILY_PAISE, None, "90xxxxxx88")
    assert next(one for one in agreed.timeline if one.what == "proposal_agreed").yours
    refusal("proposal_over", guest_acts.answer, VISITOR, secret, wish, _code_for(secret, None))


def test_a_guest_refuses_and_cancels_by_codes(shop: Shop, made: VendorBookingView, secret: str) -> None:
    wish = propose(shop, made.reference).model_copy(update={"answer": "no"})
    refusal("wrong_code", cancel, secret, 0, _code_for(secret, wish))
    refused = answer(secret, wish, code())
    assert (refused.price, refused.proposal, refused.timeline[-1].what) == (PRICE, None, "proposal_refused")
    pay(shop, made.reference, PRICE)
    kept = read(guest_acts.preview, VISITOR, secret).kept
    refusal("terms_changed", asked, secret, CancelRequest(kept=0))
    asked(secret, CancelRequest(kept=kept / 100))
    assert f"Rs {kept // 100:,} is kept" in text().text
    refusal("terms_changed", cancel, secret, 0, code())
    cancelled = cancel(secret, kept, code())
    assert (cancelled.status, cancelled.cancelled_by) == ("cancelled", "customer")
    refusal("already_decided", asked, secret, CancelRequest(kept=kept / 100))


def test_a_code_to_cancel_is_for_the_terms_it_told(
    shop: Shop, made: VendorBookingView, secret: str, stopped_clock: Clock
) -> None:
    pay(shop, made.reference, PRICE)
    stopped_clock.instant = made.pickup - timedelta(hours=24)
    asked(secret, CancelRequest(kept=PRICE * 3 / 400))
    stopped_clock.move(seconds=1)
    kept = read(guest_acts.preview, VISITOR, secret).kept
    assert kept == PRICE
    refusal("wrong_code", cancel, secret, kept, code())
    assert seen(shop.vendor, made.reference).status == "confirmed"


def test_a_guest_objects_by_a_code(shop: Shop, made: VendorBookingView, secret: str, stopped_clock: Clock) -> None:
    at_pickup(stopped_clock, seen(shop.vendor, made.reference))
    hand_over(shop, made.reference)
    told = ObjectRequest(note="The mirror was broken")
    right = _code_for(secret, None)
    objected = guest_acts.object_to(VISITOR, secret, told, right)
    assert [one.note for one in objected.timeline if one.what == "objected"] == ["The mirror was broken"]
    take_back(shop, made.reference)
    line = charge(shop, made.reference).ledger[-1].id
    about_line = ObjectRequest(entry=line, note="It was not me")
    refusal("wrong_code", guest_acts.object_to, VISITOR, secret, about_line, right)
    shown = guest_acts.object_to(VISITOR, secret, about_line, _code_for(secret, None))
    assert next(one for one in shown.ledger if one.id == line).objected


def test_a_link_and_a_code_open_one_booking(shop: Shop, made: VendorBookingView, secret: str) -> None:
    other = at_counter(shop.vendor, shop.vehicle, moment(10), moment(12))
    others = secret_of(texts()[-1])
    wish = propose(shop, made.reference)
    right = _code_for(secret, wish)
    refusal("unknown_proposal", answer, others, wish, _code_for(others, None))
    refusal("wrong_code", answer, others, wish, right)
    for wrong in ("", "wrong", secret[:-1]):
        refusal("unknown_booking", asked, wrong, wish)
        refusal("unknown_booking", answer, wrong, wish, right)
    assert seen(shop.vendor, other.reference).price == PRICE
    assert answer(secret, wish, right).price == PRICE + DAILY_PAISE


def test_a_proposal_in_place_of_another_takes_another_code(
    shop: Shop, made: VendorBookingView, secret: str, stopped_clock: Clock
) -> None:
    first = propose(shop, made.reference)
    right = _code_for(secret, first)
    stopped_clock.move(minutes=9)
    alter(Proposal, first.id, answer_by=stopped_clock.instant)
    second = propose(shop, made.reference)
    refusal("proposal_over", answer, secret, first, right)
    refusal("wrong_code", answer, secret, second, right)


def test_the_links_end_is_the_end_of_its_acts(
    shop: Shop, made: VendorBookingView, secret: str, stopped_clock: Clock
) -> None:
    wish = propose(shop, made.reference)
    right = _code_for(secret, wish)
    write(guest_links.send_again, actor(shop.vendor), made.reference)
    refusal("unknown_booking", answer, secret, wish, right)
    # The code itself is the mobile's, not the link's.
    newer = secret_of(texts()[-1])
    assert answer(newer, wish, right).price == PRICE + DAILY_PAISE
    stopped_clock.instant = seen(shop.vendor, made.reference).return_at + rules.LINK_LASTS
    refusal("unknown_booking", asked, newer, None)


def test_only_a_code_for_the_yes_is_typed_at_the_counter_and_it_may_be_typed_on_the_page(
    shop: Shop, made: VendorBookingView, secret: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "MOST_TEXTS", 4)
    agreed = propose(shop, made.reference)
    for wish in (agreed.model_copy(update={"answer": "no"}), CancelRequest(kept=0)):
        refusal("wrong_code", type_code, shop.vendor, made.reference, _code_for(secret, wish))
    send_code(shop.vendor, made.reference)
    assert answer(secret, agreed, code()).price == PRICE + DAILY_PAISE


@pytest.mark.databases
@pytest.mark.parametrize("is_typed_by_vendor", [False, True])
def test_a_code_typed_at_once_agrees_once(
    shop: Shop, made: VendorBookingView, secret: str, is_typed_by_vendor: bool
) -> None:
    wish = propose(shop, made.reference)
    right = _code_for(secret, wish)
    by_vendor, by_guest = partial(type_code, shop.vendor, made.reference, right), partial(answer, secret, wish, right)
    results = at_once(*[by_vendor if is_typed_by_vendor else by_guest] * 3)
    assert results.count("") == 1
    assert set(results) <= {"", "wrong_code", "proposal_over"}
    assert seen(shop.vendor, made.reference).price == PRICE + DAILY_PAISE


@pytest.mark.databases
def test_guesses_at_once_are_five_in_all(shop: Shop, made: VendorBookingView, secret: str) -> None:
    wish = propose(shop, made.reference)
    right = _code_for(secret, wish)
    guesses = [lambda: answer(secret, wish, another(right))] * 6
    assert at_once(*guesses) == ["wrong_code"] * 6
    refusal("wrong_code", answer, secret, wish, right)


@pytest.mark.usefixtures("rate_limits")
def test_codes_are_tried_so_often_an_hour_wherever_they_are_typed(
    shop: Shop, made: VendorBookingView, secret: str
) -> None:
    wish = propose(shop, made.reference)
    presses: list[Callable[[], object]] = [
        lambda: answer(secret, wish, "000000"),
        lambda: type_code(shop.vendor, made.reference, "000000"),
    ]
    for _ in range(15):
        for press in presses:
            refusal("wrong_code", press)
    for press in presses:
        assert refusal("too_many_requests", press).retry_after


def test_a_link_shows_its_own_photos(shop: Shop, made: VendorBookingView, secret: str, stopped_clock: Clock) -> None:
    at_pickup(stopped_clock, seen(shop.vendor, made.reference))
    handover = hand_over(shop, made.reference).handover
    assert handover
    (first, *_) = [int(photo.url.rpartition("/")[2]) for photo in handover.photos]
    assert read(guest_page.photo, VISITOR, secret, first).id == first
    at_counter(shop.vendor, shop.vehicle, moment(10), moment(12))
    others = secret_of(texts()[-1])
    for wrong in (others, secret[:-1]):
        for part in (guest_page.photo, guest_page.event_photo):
            with pytest.raises(NotFoundError):
                read(part, VISITOR, wrong, first)
    with pytest.raises(NotFoundError):
        read(guest_page.photo, VISITOR, secret, first + 100)


def test_a_code_that_still_works_is_known(
    shop: Shop, made: VendorBookingView, secret: str, stopped_clock: Clock
) -> None:
    wish = propose(shop, made.reference)
    assert read(guest_acts.texted_code, VISITOR, secret, wish) is None
    sent = asked(secret, wish)
    assert read(guest_acts.texted_code, VISITOR, secret, wish) == sent
    assert read(answering.texted_code, actor(shop.vendor), made.reference) == sent
    for other in (wish.model_copy(update={"answer": "no"}), CancelRequest(kept=0), None):
        assert read(guest_acts.texted_code, VISITOR, secret, other) is None
    for _ in range(5):
        refusal("wrong_code", answer, secret, wish, another(code()))
    assert read(guest_acts.texted_code, VISITOR, secret, wish) is None


def walk_in(shop: Shop, days: int) -> VendorBookingView:
    """Another guest's booking of two days."""
    return at_counter(shop.vendor, shop.vehicle, moment(days), moment(days + 2))


def test_a_guest_agrees_by_the_code_that_they_read_out(
    shop: Shop, made: VendorBookingView, stopped_clock: Clock
) -> None:
    refusal("no_proposal", send_code, shop.vendor, made.reference)
    propose(shop, made.reference)
    sent = send_code(shop.vendor, made.reference)
    assert (sent.to, sent.until) == ("90xxxxxx88", stopped_clock.instant + timedelta(minutes=10))
    told = text()
    assert told.to == "+919000020288"
    assert f"a later return for your Pahiya booking {made.reference}, Rs 1,500 total" in told.text
    refusal("wrong_code", type_code, shop.vendor, made.reference, another(code()))
    right = code()
    agreed = type_code(shop.vendor, made.reference, right)
    assert (agreed.price, agreed.proposal) == (PRICE + DAILY_PAISE, None)
    refusal("wrong_code", type_code, shop.vendor, made.reference, right)
    event = next(one for one in agreed.timeline if one.what == "proposal_agreed")
    assert (event.by, event.note) == ("customer", "By a code texted to the customer's mobile")
    written = read(lambda session: session.scalars(select(AuditEntry)).all())
    entries = [(entry.act, entry.user_id, entry.subject_id) for entry in written if entry.act.startswith("trip_code")]
    assert entries == [(act, shop.vendor.id, made.id) for act in ("trip_code.sent", "trip_code.used")]
    # Nothing that is kept has the code.
    texts_of_rows = read(lambda session: [*map(str, _rows(session, Proof, Outbox, AuditEntry, BookingEvent))])
    assert right not in " ".join(texts_of_rows)


def test_so_does_an_account_to_another_vehicle_and_to_a_discount_taken_back(
    shop: Shop, trip: TripView, stopped_clock: Clock
) -> None:
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


def test_a_code_is_for_one_proposal_of_one_booking(shop: Shop, made: VendorBookingView, stopped_clock: Clock) -> None:
    other = walk_in(shop, days=10)
    for ref in (made.reference, other.reference):
        propose(shop, ref)
    send_code(shop.vendor, made.reference)
    first = code()
    refusal("wrong_code", type_code, shop.vendor, other.reference, first)
    proposed = seen(shop.vendor, made.reference).proposal
    assert proposed
    # One of the same kind and total in its place is another one.
    alter(Proposal, proposed.id, state="withdrawn", ended_at=stopped_clock.instant)
    write(lambda session: session.execute(delete(Block).where(col(Block.proposal_id) == proposed.id)))
    refusal("proposal_over", type_code, shop.vendor, made.reference, first)
    propose(shop, made.reference)
    refusal("proposal_over", type_code, shop.vendor, made.reference, first)
    send_code(shop.vendor, made.reference)
    assert type_code(shop.vendor, made.reference, code()).price == PRICE + DAILY_PAISE


def test_a_code_ends_after_five_tries_ten_minutes_and_with_the_next_one(
    shop: Shop, made: VendorBookingView, stopped_clock: Clock
) -> None:
    propose(shop, made.reference)
    send_code(shop.vendor, made.reference)
    tried = code()
    for _ in range(5):
        refusal("wrong_code", type_code, shop.vendor, made.reference, another(tried))
    refusal("wrong_code", type_code, shop.vendor, made.reference, tried)
    other = walk_in(shop, days=10)
    propose(shop, other.reference)
    send_code(shop.vendor, other.reference)
    first = code()
    send_code(shop.vendor, other.reference)
    refusal("wrong_code", type_code, shop.vendor, other.reference, first)
    second = code()
    stopped_clock.move(minutes=10)
    refusal("wrong_code", type_code, shop.vendor, other.reference, second)
    # And with the number that it was sent to.
    send_code(shop.vendor, made.reference)
    alter(User, guest_of(made).id, phone_number="9876500000")
    refusal("wrong_code", type_code, shop.vendor, made.reference, code())
    assert seen(shop.vendor, other.reference).price == PRICE


def test_an_account_that_takes_the_booking_over_ends_link_and_codes(shop: Shop, stopped_clock: Clock) -> None:
    number = "9000020299"
    made = at_counter(shop.vendor, shop.vehicle, moment(1), moment(3), customer=GUEST | {"phone": number})
    secret = secret_of(texts()[-1])
    owner = add_user(phone_number=number, verified_phone=number)
    wish = propose(shop, made.reference)
    right = _code_for(secret, wish)
    found = write(answering.try_code, actor(shop.vendor), made.reference, right)
    write(joining.join, actor(owner), made.reference)
    refusal("wrong_code", write, answering.agree_by_code, actor(shop.vendor), made.reference, found)
    refusal("wrong_code", type_code, shop.vendor, made.reference, right)
    refusal("unknown_booking", asked, secret, wish)
    refusal("unknown_booking", answer, secret, wish, right)
    assert {text.to for text in (*texts(), *texted())} == {""}


def test_nobody_but_the_vendor_has_a_code_sent_or_types_it(shop: Shop, trip: TripView, stopped_clock: Clock) -> None:
    propose(shop, trip.id)
    for user, why in ((shop.customer, "vendors_only"), (add_user(role="Vendor"), "unknown_booking")):
        refusal(why, send_code, user, trip.id)
        refusal(why, type_code, user, trip.id, "123456")
    stopped_clock.move(days=2)
    refusal("no_proposal", send_code, shop.vendor, trip.id)


def test_a_member_at_the_counter_does_it_like_the_vendor(shop: Shop, trip: TripView) -> None:
    member = add_user()
    propose(shop, trip.id)
    colleague = replace(actor(member), employer=shop.vendor.id or 0)
    write(answering.send_code, colleague, trip.reference)
    found = write(answering.try_code, colleague, trip.reference, code())
    assert write(answering.agree_by_code, colleague, trip.reference, found).price == PRICE + DAILY_PAISE
    written = read(lambda session: session.scalars(select(AuditEntry)).all())
    assert [entry.user_id for entry in written if entry.act == "trip_code.used"] == [member.id]


def test_texts_about_a_booking_its_vendors_and_a_numbers_are_few(
    shop: Shop, made: VendorBookingView, stopped_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, third = walk_in(shop, days=10), walk_in(shop, days=17)
    for ref in (made.reference, other.reference, third.reference):
        propose(shop, ref)
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


@pytest.mark.databases
def test_texts_sent_at_once_are_counted_one_by_one(
    shop: Shop, made: VendorBookingView, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = walk_in(shop, days=10)
    for ref in (made.reference, other.reference):
        propose(shop, ref)
    presses = at_once(*[lambda: send_code(shop.vendor, made.reference)] * 4)
    assert sorted(presses) == ["", "", "texts_used_up", "texts_used_up"]
    monkeypatch.setattr(rules, "MOST_TEXTS_DAILY", 5)
    third = walk_in(shop, days=17)
    propose(shop, third.reference)
    assert len(texts()) == 3
    monkeypatch.setattr(rules, "MOST_TEXTS_DAILY", 6)
    both = at_once(*[partial(send_code, shop.vendor, ref) for ref in (other.reference, third.reference)])
    assert sorted(both) == ["", "texts_used_up"]


def _rows(session: Session, *tables: type[SQLModel]) -> Iterator[dict[str, Any]]:
    """What tables say, but for instants, whose fractions are digits like any other."""
    for table in tables:
        for row in session.scalars(select(table)):
            yield {name: value for name, value in row.model_dump().items() if not isinstance(value, datetime)}
