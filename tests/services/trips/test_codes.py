"""What a customer agrees to by a code that is texted to them: at the counter, or on a guest's page."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
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
from rental_app.schemas.trips import CancelRequest, ExtendRequest, ObjectRequest, ProposalAnswerRequest, TripView
from rental_app.services.bookings import counter, guests
from rental_app.services.bookings.guests import CodeSent
from rental_app.services.trips import answers, changes, guest_page
from rental_app.services.trips.guest_page import GuestRequest
from tests.conftest import Clock
from tests.support import trips
from tests.support.booking_steps import alter
from tests.support.guests import GUEST, at_counter, secret_of, texts
from tests.support.races import at_once
from tests.support.shop import DAILY_PAISE, VISITOR, Shop, actor, add_user, add_vehicle, moment, open_shop, wire
from tests.support.trip_codes import another, code, send_code, text, texted, type_code
from tests.support.trips import charge, hand_over, pay, refusal, seen, take_back

PRICE = 2 * DAILY_PAISE


@dataclass
class Guest:
    """A guest with a booking of two days and the link to its page, and the vendor at the counter."""

    id: int
    ref: str
    secret: str
    vendor: User

    @property
    def trip(self) -> TripView:
        return seen(self.vendor, self.ref)

    def proposed(self) -> ProposalAnswerRequest:
        """The yes to a day more that the vendor proposes."""
        return propose(self.vendor, self.ref)

    def asked(self, wish: GuestRequest) -> CodeSent:
        """Have a code sent, on the page."""
        return write(guest_page.send_code, VISITOR, self.secret, wish)

    def code_for(self, wish: GuestRequest) -> str:
        self.asked(wish)
        return code()

    def answer(self, request: ProposalAnswerRequest, typed: str) -> TripView:
        return guest_page.answer_proposal(VISITOR, self.secret, request, typed)

    def cancel(self, kept: int, typed: str) -> TripView:
        """Cancel on terms in paise."""
        return guest_page.cancel(VISITOR, self.secret, CancelRequest(kept=kept / 100), typed)

    def object_to(self, request: ObjectRequest, typed: str) -> TripView:
        return guest_page.object_to(VISITOR, self.secret, request, typed)

    def has_code_sent(self) -> CodeSent:
        """Let the vendor send a code."""
        return send_code(self.vendor, self.ref)

    def reads_out(self, typed: str) -> TripView:
        """Let the vendor type a code."""
        return type_code(self.vendor, self.ref, typed)


def propose(vendor: User, ref: str) -> ProposalAnswerRequest:
    """Propose a day more; the yes to it at its total."""
    later = seen(vendor, ref).return_at + timedelta(days=1)
    waiting = write(changes.grant, actor(vendor), ref, ExtendRequest(return_at=wire(later))).proposal
    assert waiting
    return ProposalAnswerRequest(id=waiting.id, answer="yes", expected_total=waiting.total / 100)


def walk_in(shop: Shop, days: int, **more: Any) -> Guest:
    made = at_counter(shop.vendor, shop.vehicle, moment(days), moment(days + 2), **more)
    return Guest(made.id, made.reference, secret_of(texts()[-1]), shop.vendor)


@pytest.fixture
def guest(shop: Shop, stopped_clock: Clock) -> Guest:
    """Somebody whose booking begins in four days."""
    return walk_in(shop, 4)


def test_a_guest_agrees_by_the_code_that_they_read_out(guest: Guest, stopped_clock: Clock) -> None:
    refusal("no_proposal", guest.has_code_sent)
    guest.proposed()
    sent = guest.has_code_sent()
    assert (sent.to, sent.until) == ("90xxxxxx88", stopped_clock.instant + timedelta(minutes=10))
    told = text()
    assert told.to == "+919000020288"
    assert f"a later return for your Pahiya booking {guest.ref}, Rs 1,500 total" in told.text
    right = code()
    refusal("wrong_code", guest.reads_out, another(right))
    agreed = guest.reads_out(right)
    assert (agreed.price, agreed.proposal) == (PRICE + DAILY_PAISE, None)
    refusal("wrong_code", guest.reads_out, right)
    event = next(one for one in agreed.timeline if one.what == "proposal_agreed")
    assert (event.by, event.note) == ("customer", "By a code texted to the customer's mobile")
    written = read(lambda session: session.scalars(select(AuditEntry)).all())
    entries = [(entry.act, entry.user_id, entry.subject_id) for entry in written if entry.act.startswith("trip_code")]
    assert entries == [(act, guest.vendor.id, guest.id) for act in ("trip_code.sent", "trip_code.used")]
    # Nothing that is kept has the code.
    rows = read(lambda session: [*map(str, _rows(session, Proof, Outbox, AuditEntry, BookingEvent))])
    assert right not in " ".join(rows)


def _rows(session: Session, *tables: type[SQLModel]) -> Iterator[dict[str, Any]]:
    """What tables say, but for instants, whose fractions are digits like any other."""
    for table in tables:
        for row in session.scalars(select(table)):
            yield {name: value for name, value in row.model_dump().items() if not isinstance(value, datetime)}


def test_so_does_an_account_to_another_vehicle_and_to_a_discount_taken_back(
    shop: Shop, trip: TripView, stopped_clock: Clock
) -> None:
    spare = add_vehicle(shop.vendor, model_id=2)
    trips.move_vehicle(shop, trip.id, spare)
    send_code(shop.vendor, trip.id)
    assert text().to == f"+91{shop.customer.phone_number}"
    assert "another vehicle" in text().text
    assert type_code(shop.vendor, trip.id, code()).car.id == spare.id
    charged = trips.reverse(shop, trip.id, seen(shop.vendor, trip.id).ledger[0].id)
    stopped_clock.move(minutes=16)
    trips.reverse(shop, trip.id, charged.ledger[-1].id)
    send_code(shop.vendor, trip.id)
    assert "a higher charge" in text().text
    assert type_code(shop.vendor, trip.id, code()).ledger[-1].amount > 0


def test_a_guest_agrees_by_a_code_on_their_page(guest: Guest) -> None:
    refusal("no_proposal", guest.asked, ProposalAnswerRequest(id=1, answer="yes"))
    wish = guest.proposed()
    refusal("proposal_over", guest.asked, wish.model_copy(update={"id": wish.id + 1}))
    assert guest.asked(wish).to == "90xxxxxx88"
    assert "agrees to a later return" in text().text
    refusal("wrong_code", guest.answer, wish, another(code()))
    refusal("wrong_code", guest.answer, wish.model_copy(update={"answer": "no"}), code())
    agreed = guest.answer(wish, code())
    assert (agreed.price, agreed.proposal, agreed.code_to) == (PRICE + DAILY_PAISE, None, "90xxxxxx88")
    assert next(one for one in agreed.timeline if one.what == "proposal_agreed").yours
    refusal("proposal_over", guest.answer, wish, guest.code_for(None))


def test_a_guest_refuses_and_cancels_by_codes(shop: Shop, guest: Guest) -> None:
    wish = guest.proposed().model_copy(update={"answer": "no"})
    refusal("wrong_code", guest.cancel, 0, guest.code_for(wish))
    refused = guest.answer(wish, code())
    assert (refused.price, refused.proposal, refused.timeline[-1].what) == (PRICE, None, "proposal_refused")
    pay(shop, guest.ref, PRICE)
    kept = read(guest_page.preview, VISITOR, guest.secret).kept
    refusal("terms_changed", guest.asked, CancelRequest(kept=0))
    guest.asked(CancelRequest(kept=kept / 100))
    assert f"Rs {kept // 100:,} is kept" in text().text
    refusal("terms_changed", guest.cancel, 0, code())
    cancelled = guest.cancel(kept, code())
    assert (cancelled.status, cancelled.cancelled_by) == ("cancelled", "customer")
    refusal("already_decided", guest.asked, CancelRequest(kept=kept / 100))


def test_a_code_to_cancel_is_for_the_terms_it_told(shop: Shop, guest: Guest, stopped_clock: Clock) -> None:
    pay(shop, guest.ref, PRICE)
    stopped_clock.instant = guest.trip.pickup - timedelta(hours=24)
    guest.asked(CancelRequest(kept=PRICE * 3 / 400))
    stopped_clock.move(seconds=1)
    kept = read(guest_page.preview, VISITOR, guest.secret).kept
    assert kept == PRICE
    refusal("wrong_code", guest.cancel, kept, code())
    assert guest.trip.status == "confirmed"


def test_a_guest_objects_by_a_code(shop: Shop, guest: Guest, stopped_clock: Clock) -> None:
    stopped_clock.instant = guest.trip.pickup
    hand_over(shop, guest.ref)
    right = guest.code_for(None)
    objected = guest.object_to(ObjectRequest(note="The mirror was broken"), right)
    assert [one.note for one in objected.timeline if one.what == "objected"] == ["The mirror was broken"]
    take_back(shop, guest.ref)
    line = charge(shop, guest.ref).ledger[-1].id
    about_line = ObjectRequest(entry=line, note="It was not me")
    refusal("wrong_code", guest.object_to, about_line, right)
    shown = guest.object_to(about_line, guest.code_for(None))
    assert next(one for one in shown.ledger if one.id == line).objected


def test_a_code_is_for_one_proposal_of_one_booking(shop: Shop, guest: Guest, stopped_clock: Clock) -> None:
    other, first = walk_in(shop, 10), guest.proposed()
    other.proposed()
    guest.has_code_sent()
    right = code()
    refusal("wrong_code", other.reads_out, right)
    # One of the same kind and total in its place is another one.
    alter(Proposal, first.id, state="withdrawn", ended_at=stopped_clock.instant)
    write(lambda session: session.execute(delete(Block).where(col(Block.proposal_id) == first.id)))
    refusal("proposal_over", guest.reads_out, right)
    second = guest.proposed()
    refusal("proposal_over", guest.reads_out, right)
    refusal("proposal_over", guest.answer, first, right)
    refusal("wrong_code", guest.answer, second, right)
    guest.has_code_sent()
    assert guest.reads_out(code()).price == PRICE + DAILY_PAISE


def test_a_link_and_a_code_open_one_booking(shop: Shop, guest: Guest) -> None:
    other, wish = walk_in(shop, 10), guest.proposed()
    right = guest.code_for(wish)
    refusal("unknown_proposal", other.answer, wish, other.code_for(None))
    refusal("wrong_code", other.answer, wish, right)
    for wrong in ("", "wrong", guest.secret[:-1]):
        nobody = replace(guest, secret=wrong)
        refusal("unknown_booking", nobody.asked, wish)
        refusal("unknown_booking", nobody.answer, wish, right)
    assert other.trip.price == PRICE
    assert guest.answer(wish, right).price == PRICE + DAILY_PAISE


def test_a_code_ends_after_five_tries_ten_minutes_and_with_the_next_one(
    shop: Shop, guest: Guest, stopped_clock: Clock
) -> None:
    guest.proposed()
    guest.has_code_sent()
    tried = code()
    for _ in range(5):
        refusal("wrong_code", guest.reads_out, another(tried))
    refusal("wrong_code", guest.reads_out, tried)
    other = walk_in(shop, 10)
    other.proposed()
    other.has_code_sent()
    first = code()
    other.has_code_sent()
    refusal("wrong_code", other.reads_out, first)
    second = code()
    stopped_clock.move(minutes=10)
    refusal("wrong_code", other.reads_out, second)
    assert other.trip.price == PRICE


def test_a_code_ends_with_the_number_it_was_sent_to(shop: Shop, trip: TripView) -> None:
    propose(shop.vendor, trip.reference)
    send_code(shop.vendor, trip.id)
    alter(User, shop.customer.id, phone_number="9876500000")
    refusal("wrong_code", type_code, shop.vendor, trip.id, code())


def test_an_account_that_takes_the_booking_over_ends_link_and_codes(shop: Shop, stopped_clock: Clock) -> None:
    number = "9000020299"
    guest = walk_in(shop, 1, customer=GUEST | {"phone": number})
    owner = add_user(phone_number=number, verified_phone=number)
    wish = guest.proposed()
    right = guest.code_for(wish)
    found = write(answers.try_code, actor(shop.vendor), guest.ref, right)
    write(counter.join, actor(owner), guest.ref)
    refusal("wrong_code", write, answers.agree_by_code, actor(shop.vendor), guest.ref, found)
    refusal("wrong_code", guest.reads_out, right)
    refusal("unknown_booking", guest.asked, wish)
    refusal("unknown_booking", guest.answer, wish, right)
    assert {text.to for text in (*texts(), *texted())} == {""}


def test_the_links_end_is_the_end_of_its_acts(guest: Guest, stopped_clock: Clock) -> None:
    wish = guest.proposed()
    right = guest.code_for(wish)
    write(guests.send_link_again, actor(guest.vendor), guest.ref)
    refusal("unknown_booking", guest.answer, wish, right)
    # The code itself is the mobile's, not the link's.
    newer = replace(guest, secret=secret_of(texts()[-1]))
    assert newer.answer(wish, right).price == PRICE + DAILY_PAISE
    stopped_clock.instant = guest.trip.return_at + rules.LINK_LASTS
    refusal("unknown_booking", newer.asked, None)


def test_only_a_code_for_the_yes_is_typed_at_the_counter_and_it_may_be_typed_on_the_page(
    guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "MOST_TEXTS", 4)
    agreed = guest.proposed()
    for wish in (agreed.model_copy(update={"answer": "no"}), CancelRequest(kept=0)):
        refusal("wrong_code", guest.reads_out, guest.code_for(wish))
    guest.has_code_sent()
    assert guest.answer(agreed, code()).price == PRICE + DAILY_PAISE


def test_nobody_but_the_vendor_has_a_code_sent_or_types_it(shop: Shop, trip: TripView, stopped_clock: Clock) -> None:
    propose(shop.vendor, trip.reference)
    for user, why in ((shop.customer, "vendors_only"), (add_user(role="Vendor"), "unknown_booking")):
        refusal(why, send_code, user, trip.id)
        refusal(why, type_code, user, trip.id, "123456")
    stopped_clock.move(days=2)
    refusal("no_proposal", send_code, shop.vendor, trip.id)


def test_a_member_at_the_counter_does_it_like_the_vendor(shop: Shop, trip: TripView) -> None:
    member = add_user()
    propose(shop.vendor, trip.reference)
    colleague = replace(actor(member), employer=shop.vendor.id or 0)
    write(answers.send_code, colleague, trip.reference)
    found = write(answers.try_code, colleague, trip.reference, code())
    assert write(answers.agree_by_code, colleague, trip.reference, found).price == PRICE + DAILY_PAISE
    written = read(lambda session: session.scalars(select(AuditEntry)).all())
    assert [entry.user_id for entry in written if entry.act == "trip_code.used"] == [member.id]


def test_texts_about_a_booking_its_vendors_and_a_numbers_are_few(
    shop: Shop, guest: Guest, stopped_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, third = walk_in(shop, 10), walk_in(shop, 17)
    for one in (guest, other, third):
        one.proposed()
    for _ in range(rules.MOST_TEXTS - 1):
        guest.has_code_sent()
    refused = refusal("texts_used_up", guest.has_code_sent)
    assert (refused.status, refused.retry_after) == (409, None)
    refusal("texts_used_up", write, guests.send_link_again, actor(shop.vendor), guest.ref)
    stopped_clock.move(hours=3)
    monkeypatch.setattr(rules, "MOST_TEXTS_DAILY", 5)
    refused = refusal("texts_used_up", other.has_code_sent)
    assert (refused.status, refused.retry_after) == (429, 21 * 3600 + 1)
    monkeypatch.setattr(rules, "MOST_TEXTS_DAILY", 30)
    monkeypatch.setattr(rules, "MOST_TEXTS_TO_NUMBER", 6)
    walk_in(open_shop("Elsewhere"), 1)
    refused = refusal("texts_used_up", third.has_code_sent)
    assert (refused.status, refused.retry_after) == (429, 21 * 3600 + 1)
    monkeypatch.setattr(rules, "MOST_TEXTS_TO_NUMBER", 200)
    monkeypatch.setattr(settings(), "sms_daily", 0)
    assert refusal("texts_used_up", third.has_code_sent).status == 503


@pytest.mark.databases
def test_texts_sent_at_once_are_counted_one_by_one(shop: Shop, guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    others = [walk_in(shop, 10), walk_in(shop, 17)]
    for one in (guest, *others):
        one.proposed()
    assert sorted(at_once(*[guest.has_code_sent] * 4)) == ["", "", "texts_used_up", "texts_used_up"]
    # Three links and two codes: one text is left for today.
    monkeypatch.setattr(rules, "MOST_TEXTS_DAILY", 6)
    assert sorted(at_once(*[other.has_code_sent for other in others])) == ["", "texts_used_up"]


@pytest.mark.databases
@pytest.mark.parametrize("is_read_out", [False, True])
def test_a_code_typed_at_once_agrees_once(guest: Guest, is_read_out: bool) -> None:
    wish = guest.proposed()
    right = guest.code_for(wish)
    press = partial(guest.reads_out, right) if is_read_out else partial(guest.answer, wish, right)
    results = at_once(*[press] * 3)
    assert results.count("") == 1
    assert set(results) <= {"", "wrong_code", "proposal_over"}
    assert guest.trip.price == PRICE + DAILY_PAISE


@pytest.mark.databases
def test_guesses_at_once_are_five_in_all(guest: Guest) -> None:
    wish = guest.proposed()
    right = guest.code_for(wish)
    assert at_once(*[partial(guest.answer, wish, another(right))] * 6) == ["wrong_code"] * 6
    refusal("wrong_code", guest.answer, wish, right)


@pytest.mark.usefixtures("rate_limits")
def test_codes_are_tried_so_often_an_hour_wherever_they_are_typed(guest: Guest) -> None:
    wish = guest.proposed()
    presses: list[Callable[[], object]] = [partial(guest.answer, wish, "000000"), partial(guest.reads_out, "000000")]
    for press in presses * 15:
        refusal("wrong_code", press)
    for press in presses:
        assert refusal("too_many_requests", press).retry_after


def test_a_link_shows_its_own_photos(shop: Shop, guest: Guest, stopped_clock: Clock) -> None:
    stopped_clock.instant = guest.trip.pickup
    handover = hand_over(shop, guest.ref).handover
    assert handover
    first = int(handover.photos[0].url.rpartition("/")[2])
    assert read(guest_page.photo, VISITOR, guest.secret, first).id == first
    for wrong in (walk_in(shop, 10).secret, guest.secret[:-1]):
        for part in (guest_page.photo, guest_page.event_photo):
            with pytest.raises(NotFoundError):
                read(part, VISITOR, wrong, first)
    with pytest.raises(NotFoundError):
        read(guest_page.photo, VISITOR, guest.secret, first + 100)


def test_a_code_that_still_works_is_known(guest: Guest) -> None:
    wish = guest.proposed()
    assert read(guest_page.texted_code, VISITOR, guest.secret, wish) is None
    sent = guest.asked(wish)
    assert read(guest_page.texted_code, VISITOR, guest.secret, wish) == sent
    assert read(answers.texted_code, actor(guest.vendor), guest.ref) == sent
    for other in (wish.model_copy(update={"answer": "no"}), CancelRequest(kept=0), None):
        assert read(guest_page.texted_code, VISITOR, guest.secret, other) is None
    for _ in range(5):
        refusal("wrong_code", guest.answer, wish, another(code()))
    assert read(guest_page.texted_code, VISITOR, guest.secret, wish) is None
