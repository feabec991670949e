"""What a guest changes on their page, each by a code sent to the booking's mobile."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from rental_app.domain import counter as rules
from rental_app.domain.errors import NotFoundError
from rental_app.infrastructure.db import read, write
from rental_app.models import Proposal
from rental_app.schemas.bookings import VendorBookingView
from rental_app.schemas.trips import CancelRequest, ObjectRequest, ProposalAnswerRequest, TripView
from rental_app.services.bookings import guest_links, joining
from rental_app.services.bookings.trip_codes import CodeSent
from rental_app.services.trips import answering, guest_acts, guest_page
from rental_app.services.trips.guest_acts import Wish
from tests.conftest import Clock
from tests.support.booking_steps import alter
from tests.support.guests import GUEST, at_counter, secret_of, texts
from tests.support.races import at_once
from tests.support.shop import DAILY_PAISE, VISITOR, Shop, actor, add_user, moment
from tests.support.trip_codes import another, code, send_code, text, type_code
from tests.support.trips import at_pickup, charge, grant, hand_over, pay, refusal, seen, take_back

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


def _code_for(secret: str, wish: Wish) -> str:
    asked(secret, wish)
    return code()


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


def test_what_the_vendor_had_sent_may_be_typed_by_the_guest(shop: Shop, made: VendorBookingView, secret: str) -> None:
    wish = propose(shop, made.reference)
    send_code(shop.vendor, made.reference)
    assert answer(secret, wish, code()).price == PRICE + DAILY_PAISE


def test_a_code_for_something_else_is_no_yes_at_the_counter(shop: Shop, made: VendorBookingView, secret: str) -> None:
    refused = propose(shop, made.reference).model_copy(update={"answer": "no"})
    for wish in (refused, CancelRequest(kept=0)):
        refusal("wrong_code", type_code, shop.vendor, made.reference, _code_for(secret, wish))


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


def test_an_account_that_takes_the_booking_over_ends_link_and_codes(shop: Shop, stopped_clock: Clock) -> None:
    number = "9000020299"
    made = at_counter(shop.vendor, shop.vehicle, moment(1), moment(3), customer=GUEST | {"phone": number})
    secret = secret_of(texts()[-1])
    owner = add_user(phone_number=number, verified_phone=number)
    wish = propose(shop, made.reference)
    right = _code_for(secret, wish)
    write(joining.join, actor(owner), made.reference)
    for press in (lambda: asked(secret, wish), lambda: answer(secret, wish, right)):
        refusal("unknown_booking", press)
    refusal("wrong_code", type_code, shop.vendor, made.reference, right)


def test_two_tabs_at_once_do_it_once(shop: Shop, made: VendorBookingView, secret: str) -> None:
    wish = propose(shop, made.reference)
    right = _code_for(secret, wish)
    results = at_once(*[lambda: answer(secret, wish, right)] * 3)
    assert sorted(results).count("") == 1
    assert set(results) <= {"", "wrong_code", "proposal_over"}
    assert seen(shop.vendor, made.reference).price == PRICE + DAILY_PAISE


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
