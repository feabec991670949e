"""Messages are stored with the change they report, sent at least once, retried for a day, and readable."""

import logging
from datetime import timedelta
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from icalendar import Calendar
from sqlmodel import col, select

from rental_app.content.messages import WORDS
from rental_app.domain import clock
from rental_app.domain.errors import ConflictError
from rental_app.infrastructure.db import read, write
from rental_app.infrastructure.settings import settings
from rental_app.models import Booking, Outbox, User
from rental_app.services.mail import outbox, reminders
from tests.conftest import Clock
from tests.support.booking_steps import alter, book, decide
from tests.support.mailbox import Post, send, send_all, text_of, waiting
from tests.support.shop import Shop, moment, put, wanted
from tests.support.trips import at_pickup, cancel, confirmed, move, pay, reverse


def test_both_sides_are_told_with_text_html_and_calendar(post: Post, shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    assert send() == 2
    (to, message), (_, other) = sorted(post.take(), key=lambda one: one[0] != shop.customer.email)
    assert (to, message["To"]) == (shop.customer.email, shop.customer.email)
    assert asked.reference in message["Subject"]
    assert message["Message-ID"] != other["Message-ID"]
    assert {message["Auto-Submitted"], other["Auto-Submitted"]} == {"auto-generated"}
    text, html = (message.get_body((kind,)).get_content() for kind in ("plain", "html"))
    for body in (text, html):
        assert asked.reference in body
        assert "₹500" in body
        assert shop.vendor.name in body
        assert f"/my-bookings/{asked.reference}" in body
    attached = next(message.iter_attachments())
    assert attached["Content-Type"].params["method"] == "REQUEST"
    entry = Calendar.from_ical(attached.get_content()).events[0]
    assert (entry.start, entry.end) == (asked.pickup, asked.return_at)
    assert entry.url.endswith(f"/my-bookings/{asked.reference}")
    for body in (other.get_body(("plain",)), next(other.iter_attachments())):
        assert f"/vendor/bookings/{asked.reference}" in body.get_content().replace("\r\n ", "")
    assert send() == 0


def test_phones_are_told_once_confirmed(post: Post, shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    send()
    assert [shop.vendor.phone_number in str(message) for _, message in post.take()] == [False, False]
    decide(shop.vendor, asked.id, "confirmed")
    send()
    ((to, message),) = post.take()
    assert to == shop.customer.email
    assert shop.vendor.phone_number in message.get_body(("plain",)).get_content()


def test_a_cancellation_takes_away_what_the_same_person_was_asked_to(post: Post, shop: Shop) -> None:
    alter(User, shop.customer.id, name='Asha "Ash", Rao')
    trip = book(shop.customer, wanted(shop.vehicle))
    send_all()
    decide(shop.vendor, trip.id, "confirmed")
    send_all()
    cancel(shop, trip.id, 0)
    send_all()
    for user in (shop.customer, shop.vendor):
        sent = [next(message.iter_attachments()) for to, message in post.got if to == user.email]
        kinds = [part["Content-Type"] for part in sent]
        assert {(kind.content_type, kind.params["charset"]) for kind in kinds} == {("text/calendar", "utf-8")}
        calendars = [Calendar.from_ical(part.get_content()) for part in sent]
        methods = [str(calendar["METHOD"]) for calendar in calendars]
        assert methods == [kind.params["method"] for kind in kinds]
        assert (methods[0], methods[-1], {*methods[:-1]}) == ("REQUEST", "CANCEL", {"REQUEST"})
        entries = [calendar.events[0] for calendar in calendars]
        numbers = [int(entry["SEQUENCE"]) for entry in entries]
        assert numbers == sorted(set(numbers))
        assert len({str(entry["UID"]) for entry in entries}) == 1
        assert {str(entry["ORGANIZER"]) for entry in entries} == {f"mailto:{settings().support_email}"}
        assert {str(entry["ATTENDEE"]) for entry in entries} == {f"mailto:{user.email}"}
        assert entries[-1]["STATUS"] == "CANCELLED"


@pytest.mark.databases
def test_a_request_moved_to_and_fro_is_told_once_as_it_then_is(post: Post, shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    send_all()
    post.take()
    for day in (10, 12, 14):
        moved = move(shop, asked.id, moment(day), moment(day + 1))
    assert len(waiting()) == 2
    send_all()
    told = dict(post.take())
    assert told.keys() == {shop.customer.email, shop.vendor.email}
    dates = f"{clock.friendly(moved.pickup)} to {clock.friendly(moved.return_at)}"
    assert all(dates in text_of(message) for message in told.values())
    # A change that a message already being sent does not include is reported by another one.
    move(shop, asked.id, moment(10), moment(11))
    write(outbox.claim, clock.now())
    move(shop, asked.id, moment(12), moment(13))
    assert len(waiting()) == 4


def test_a_kind_that_another_version_knows_is_left_to_it(post: Post, shop: Shop, stopped_clock: Clock) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    send_all()
    blessed = put(
        Outbox(
            key="x",
            kind="blessed",
            user_id=shop.customer.id,
            booking_id=asked.id,
            created_at=clock.now(),
            due_at=clock.now(),
        )
    )
    assert send() == 0
    assert [(letter.id, letter.tries, letter.error) for letter in waiting()] == [(blessed.id, 0, "")]
    # Nobody knows it: it is given up, and the later ones of its booking no longer wait for it.
    decide(shop.vendor, asked.id, "confirmed")
    stopped_clock.move(days=1)
    send_all()
    send_all()
    assert waiting() == []
    assert read(lambda session: session.get_one(Outbox, blessed.id)).sent_at is None


def test_what_is_undone_is_not_told(post: Post, shop: Shop) -> None:
    book(shop.customer, wanted(shop.vehicle))
    with pytest.raises(ConflictError):
        book(shop.customer, wanted(shop.vehicle))
    assert send() == 2


@pytest.mark.long
def test_a_server_that_is_down_is_tried_again_with_growing_pauses(post: Post, shop: Shop, stopped_clock: Clock) -> None:
    post.refusing = True
    asked = book(shop.customer, wanted(shop.vehicle))
    alter(Booking, asked.id, answer_by=asked.pickup)
    pauses = []
    while send():
        due = {letter.due_at for letter in waiting() if letter.due_at}
        if not due:
            break
        (moment,) = due
        pauses.append(moment - stopped_clock.instant)
        stopped_clock.instant = moment
    assert pauses == [min(timedelta(minutes=5) * 2**tries, timedelta(hours=1)) for tries in range(len(pauses))]
    assert timedelta(hours=10) < sum(pauses, timedelta()) <= timedelta(days=1)
    letters = read(lambda session: list(session.scalars(select(Outbox).where(col(Outbox.booking_id).is_not(None)))))
    assert {(letter.sent_at, "451" in letter.error) for letter in letters} == {(None, True)}


@pytest.mark.long
@pytest.mark.parametrize("side", ["customer", "vendor"])
def test_a_message_that_cannot_be_written_keeps_no_other_waiting_and_is_given_up(
    post: Post, shop: Shop, stopped_clock: Clock, monkeypatch: pytest.MonkeyPatch, side: str
) -> None:
    monkeypatch.delitem(WORDS, ("requested", side))
    asked = book(shop.customer, wanted(shop.vehicle))
    alter(Booking, asked.id, answer_by=asked.pickup)
    assert send() == 2
    told = {shop.customer.email, shop.vendor.email} - {getattr(shop, side).email}
    assert {to for to, _ in post.take()} == told
    while letters := waiting():
        assert [letter.user_id for letter in letters] == [getattr(shop, side).id]
        stopped_clock.instant = max(letter.due_at for letter in letters if letter.due_at)
        assert stopped_clock.instant <= letters[0].created_at + outbox.RETRIED_FOR
        send()
    assert any("KeyError" in letter.error for letter in read(lambda session: list(session.scalars(select(Outbox)))))


@pytest.mark.databases
def test_no_other_process_takes_what_one_has_taken(shop: Shop) -> None:
    book(shop.customer, wanted(shop.vehicle))
    now = clock.now()
    assert len(write(outbox.claim, now)) == 2
    assert list(write(outbox.claim, now)) == []
    # If that process died before sending them, they become due again.
    assert len(write(outbox.claim, now + outbox.FIRST_PAUSE)) == 2


def test_without_a_server_messages_are_kept_in_the_data_folder_and_the_log_says_so_once(
    shop: Shop, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    book(shop.customer, wanted(shop.vehicle))
    send()
    kept = [message_from_bytes(file.read_bytes(), policy=policy.default) for file in (tmp_path / "mail").iterdir()]
    assert {message["To"] for message in kept} == {shop.customer.email, shop.vendor.email}
    said = [record for record in caplog.records if str(tmp_path / "mail") in record.getMessage()]
    assert [record.levelno >= logging.getLogger("rental_app").getEffectiveLevel() for record in said] == [True]


def test_names_are_text_in_html_and_no_links(post: Post, shop: Shop) -> None:
    alter(User, shop.vendor.id, name="<script>alert(1)</script> www.evil.example")
    book(shop.customer, wanted(shop.vehicle))
    send()
    message = next(message for to, message in post.take() if to == shop.customer.email)
    text, html = (message.get_body((kind,)).get_content() for kind in ("plain", "html"))
    assert "<script>" not in html
    assert all("www. evil. example" in body for body in (text, html))


def test_after_an_hour_without_a_server_nobody_is_told_what_is_no_longer_so(
    post: Post, shop: Shop, stopped_clock: Clock
) -> None:
    post.refusing = True
    trip, ours = confirmed(shop, days=1), (shop.customer.email, shop.vendor.email)
    at_pickup(stopped_clock, trip, hours=-20)
    write(reminders.put_due, clock.now())
    send_all()
    stopped_clock.move(minutes=33)
    cancel(shop, trip.reference, 0)
    send_all()
    post.refusing = False
    while letters := waiting():
        stopped_clock.instant = max(letter.due_at for letter in letters if letter.due_at)
        send_all()
    told = [(to, message["Subject"].split(":")[0]) for to, message in post.take() if to in ours]
    assert sorted(told) == sorted((to, "Cancelled") for to in ours)
    dropped = select(Outbox.kind).where(Outbox.booking_id == trip.id, col(Outbox.sent_at).is_(None), Outbox.error == "")
    assert len(read(lambda session: session.scalars(dropped).all())) == 4


def test_messages_about_a_booking_reach_each_side_in_order(post: Post, shop: Shop, stopped_clock: Clock) -> None:
    post.refusing = True
    asked = book(shop.customer, wanted(shop.vehicle))
    send_all()
    stopped_clock.move(minutes=1)
    move(shop, asked.id, moment(10), moment(11))
    post.refusing = False
    assert send() == 0
    stopped_clock.move(minutes=5)
    send_all()
    kinds = [(to, message["Subject"].split(":")[0]) for to, message in post.take()]
    for user, changed in ((shop.customer, "Changed"), (shop.vendor, "Changed request")):
        assert [kind for to, kind in kinds if to == user.email][1:] == [changed]


def test_a_request_nobody_answered_is_not_announced_any_more(post: Post, shop: Shop, stopped_clock: Clock) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    stopped_clock.instant = asked.answer_by
    send_all()
    assert (post.take(), waiting()) == ([], [])


def told_of(post: Post, shop: Shop) -> str:
    """Confirm a booking and send all that is said of it; return its reference."""
    ref = confirmed(shop).reference
    send_all()
    post.take()
    return ref


def payments_of(shop: Shop, ref: str, count: int) -> list[int]:
    """Record some payments, and return their lines."""
    for number in range(1, count + 1):
        ledger = pay(shop, ref, number * 100).ledger
    return [line.id for line in ledger[-count:]]


@pytest.mark.long
def test_many_lines_taken_back_are_told_in_one_e_mail(post: Post, shop: Shop, stopped_clock: Clock) -> None:
    ref = told_of(post, shop)
    for line in payments_of(shop, ref, 33):
        reverse(shop, ref, line)
    assert send() == 0, "the vendor may not be through yet"
    stopped_clock.move(minutes=2)
    send_all()
    ((to, message),) = post.take()
    assert to == shop.customer.email
    assert all(f"Rent paid, ₹{number} (Typed wrongly)" in text_of(message) for number in range(1, 34))
    assert waiting() == []


@pytest.mark.long
def test_so_many_e_mails_about_a_booking_are_sent_in_an_hour_and_nothing_is_lost(
    post: Post, shop: Shop, stopped_clock: Clock
) -> None:
    ref = told_of(post, shop)
    told = 0
    for line in payments_of(shop, ref, 20):
        reverse(shop, ref, line)
        stopped_clock.move(minutes=3)
        send_all()
        told = max(told, len(post.got))
    assert told <= outbox.MOST_AN_HOUR
    # Nothing held back holds back what somebody waits for.
    before = len(post.got)
    cancel(shop, ref, 0)
    send_all()
    assert [str(one["Subject"])[:9] for to, one in post.got[before:] if to == shop.customer.email] == ["Cancelled"]
    texts = [text_of(message) for to, message in post.take() if to == shop.customer.email]
    for number in range(1, 21):
        assert sum(f"Rent paid, ₹{number} (" in text for text in texts) == 1
    assert waiting() == []


def test_a_second_try_says_what_the_first_did_and_later_ones_the_rest(
    post: Post, shop: Shop, stopped_clock: Clock
) -> None:
    ref = told_of(post, shop)
    first, second, third = payments_of(shop, ref, 3)
    reverse(shop, ref, first)
    reverse(shop, ref, second)
    stopped_clock.move(minutes=2)
    # The process that claimed them dies.
    write(outbox.claim, clock.now())
    reverse(shop, ref, third)
    stopped_clock.move(minutes=5)
    send_all()
    texts = [text_of(message) for _, message in post.take()]
    assert [[f"₹{number} (" in text for number in (1, 2, 3)] for text in texts] == [
        [True, True, False],
        [False, False, True],
    ]


def test_a_message_that_cannot_be_written_keeps_back_none_joined_to_it(
    post: Post, shop: Shop, stopped_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    ref = told_of(post, shop)
    reverse(shop, ref, payments_of(shop, ref, 1)[0])
    stopped_clock.move(minutes=1)
    monkeypatch.delitem(WORDS, ("cancelled", "customer"))
    monkeypatch.delitem(WORDS, ("cancelled.even", "customer"))
    cancel(shop, ref, 0)
    for _ in range(3):
        stopped_clock.move(minutes=6)
        send_all()
    assert ["Rent paid, ₹1 (" in text_of(message) for to, message in post.take() if to == shop.customer.email] == [True]
