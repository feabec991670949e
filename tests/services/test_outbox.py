"""Messages are stored with the change they report, sent at least once, retried for a day, and readable."""

import asyncio
import logging
import socket
from collections.abc import Iterator
from datetime import time, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from icalendar import Calendar
from sqlmodel import select

from rental_app.content.messages import WORDS
from rental_app.db import read, write
from rental_app.errors import ConflictError
from rental_app.models import Outbox, User, Vehicle
from rental_app.rules import clock
from rental_app.services import outbox, reminders
from rental_app.services.trips.timeline import TELLS
from tests.conftest import Clock, forget
from tests.helpers import Shop, moment, wanted
from tests.services.steps import alter, book, decide
from tests.services.trips import at_pickup, at_return, cancel, confirmed, hand_over, move


class Post:
    """A mail server that keeps what it receives."""

    def __init__(self) -> None:
        self.got: list[tuple[str, EmailMessage]] = []
        self.refusing = False

    async def handle_DATA(self, _server: object, _session: object, envelope: object) -> str:
        if self.refusing:
            return "451 try again later"
        message = message_from_bytes(envelope.content, policy=policy.default)  # type: ignore[attr-defined]
        self.got.append((envelope.rcpt_tos[0], message))  # type: ignore[attr-defined]
        return "250 OK"

    def take(self) -> list[tuple[str, EmailMessage]]:
        """Return what has come since the last call."""
        taken, self.got = self.got, []
        return taken


@pytest.fixture
def post(database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Post]:
    """A real SMTP server, which the product sends to."""
    handler = Post()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    controller = Controller(handler, hostname="127.0.0.1", port=port)
    controller.start()
    monkeypatch.setenv("RENTAL_SMTP_URL", f"smtp://127.0.0.1:{port}")
    forget()
    yield handler
    controller.stop()


def send() -> int:
    return asyncio.run(outbox.send_due())


def waiting() -> list[Outbox]:
    return read(lambda session: list(session.scalars(select(Outbox).where(Outbox.due_at.is_not(None)))))


def test_both_sides_are_told_with_text_html_and_calendar(post: Post, shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    assert send() == 2
    (to, message), (_, other) = sorted(post.take(), key=lambda one: one[0] != shop.customer.email)
    assert (to, message["To"]) == (shop.customer.email, shop.customer.email)
    assert asked.reference in message["Subject"]
    assert message["Message-ID"] != other["Message-ID"]
    text, html = (message.get_body((kind,)).get_content() for kind in ("plain", "html"))
    for body in (text, html):
        assert asked.reference in body
        assert "₹500" in body
        assert shop.vendor.name in body
        assert f"/my-bookings/{asked.reference}" in body
    attached = next(message.iter_attachments())
    assert attached["Content-Type"].params["method"] == "PUBLISH"
    entry = Calendar.from_ical(attached.get_content()).events[0]
    assert (entry.start, entry.end) == (asked.pickup, asked.return_at)
    assert entry.url.endswith(f"/my-bookings/{asked.reference}")
    for body in (other.get_body(("plain",)), next(other.iter_attachments())):
        assert f"/vendor/bookings/{asked.reference}" in body.get_content().replace("\r\n ", "")
    assert send() == 0


def test_phones_are_told_once_confirmed_and_cancelling_takes_the_entry_away(post: Post, shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    send()
    assert [shop.vendor.phone_number in str(message) for _, message in post.take()] == [False, False]
    decide(shop.vendor, asked.id, "confirmed")
    send()
    ((to, message),) = post.take()
    assert to == shop.customer.email
    assert shop.vendor.phone_number in message.get_body(("plain",)).get_content()
    cancel(shop, asked.id, 0)
    send()
    methods = {next(one.iter_attachments())["Content-Type"].params["method"] for _, one in post.take()}
    assert methods == {"CANCEL"}


def test_a_request_moved_to_and_fro_is_told_once_as_it_then_is(post: Post, shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    while send():
        post.take()
    for day in (10, 12, 14):
        moved = move(shop, asked.id, moment(day), moment(day + 1))
    assert len(waiting()) == 2
    while send():
        pass
    told = dict(post.take())
    assert told.keys() == {shop.customer.email, shop.vendor.email}
    dates = f"{clock.friendly(moved.pickup)} to {clock.friendly(moved.return_at)}"
    assert all(dates in _told(message) for message in told.values())
    # A change that a message already being sent does not include is reported by another one.
    move(shop, asked.id, moment(10), moment(11))
    write(outbox.claim, clock.now())
    move(shop, asked.id, moment(12), moment(13))
    assert len(waiting()) == 4


def test_what_is_undone_is_not_told(post: Post, shop: Shop) -> None:
    book(shop.customer, wanted(shop.vehicle))
    with pytest.raises(ConflictError):
        book(shop.customer, wanted(shop.vehicle))
    assert send() == 2


def test_a_server_that_is_down_is_tried_again_with_growing_pauses(post: Post, shop: Shop, stopped_clock: Clock) -> None:
    post.refusing = True
    book(shop.customer, wanted(shop.vehicle))
    pauses = []
    while send():
        due = {letter.due_at for letter in waiting() if letter.due_at}
        if not due:
            break
        (moment,) = due
        pauses.append(moment - stopped_clock.instant)
        stopped_clock.instant = moment
    assert pauses == [timedelta(minutes=5) * 2**tries for tries in range(len(pauses))]
    assert timedelta(hours=10) < sum(pauses, timedelta()) <= timedelta(days=1)
    letters = read(lambda session: list(session.scalars(select(Outbox))))
    assert {(letter.sent_at, "451" in letter.error) for letter in letters} == {(None, True)}


def test_an_hour_without_a_server_delays_messages_and_loses_none(post: Post, shop: Shop, stopped_clock: Clock) -> None:
    post.refusing = True
    book(shop.customer, wanted(shop.vehicle))
    for _ in range(12):
        send()
        stopped_clock.move(minutes=5)
    post.refusing = False
    stopped_clock.move(hours=2)
    send()
    assert {to for to, _ in post.take()} == {shop.customer.email, shop.vendor.email}
    assert waiting() == []


@pytest.mark.parametrize("side", ["customer", "vendor"])
def test_a_message_that_cannot_be_written_keeps_no_other_waiting_and_is_given_up(
    post: Post, shop: Shop, stopped_clock: Clock, monkeypatch: pytest.MonkeyPatch, side: str
) -> None:
    monkeypatch.delitem(WORDS, ("requested", side))
    book(shop.customer, wanted(shop.vehicle))
    assert send() == 2
    told = {shop.customer.email, shop.vendor.email} - {getattr(shop, side).email}
    assert {to for to, _ in post.take()} == told
    while letters := waiting():
        assert [letter.user_id for letter in letters] == [getattr(shop, side).id]
        stopped_clock.instant = max(letter.due_at for letter in letters if letter.due_at)
        assert stopped_clock.instant <= letters[0].created_at + outbox.GIVEN_UP_AFTER
        send()
    assert any("KeyError" in letter.error for letter in read(lambda session: list(session.scalars(select(Outbox)))))


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


def test_reminders_come_once_each(post: Post, shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    while send():
        post.take()
    today = clock.indian_today(clock.now())
    alter(Vehicle, shop.vehicle.id, insurance_expiry_date=today + timedelta(days=7))
    assert _reminded(post, shop) == [shop.vendor.email]
    alter(Vehicle, shop.vehicle.id, insurance_expiry_date=today + timedelta(days=400))
    at_pickup(stopped_clock, trip, hours=-24)
    assert _reminded(post, shop) == sorted([shop.customer.email, shop.vendor.email])
    assert _reminded(post, shop) == []
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.reference)
    at_return(stopped_clock, trip, hours=-30)
    assert _reminded(post, shop) == [shop.customer.email]


def test_papers_that_run_out_are_told_thirty_seven_and_one_day_before_with_what_they_take_down(
    post: Post, shop: Shop, stopped_clock: Clock
) -> None:
    before, past = (confirmed(shop, days=days, length=1).reference for days in (29, 31))
    # Booked while the paper was good for longer.
    last = clock.indian_today(clock.now()) + timedelta(days=31)
    alter(Vehicle, shop.vehicle.id, pollution_expiry_date=last)
    told = {}
    for left in (31, 30, 29, 8, 7, 6, 2, 1, 0):
        stopped_clock.instant = clock.at(last - timedelta(days=left), time(0, 5))
        for _ in range(2):
            write(reminders.put_due, clock.now())
        while send():
            pass
        letters = [_told(message) for to, message in post.take() if to == shop.vendor.email]
        told[left] = [letter for letter in letters if "Papers" in letter]
    assert [left for left, letters in told.items() if letters] == [30, 7, 1]
    for left in (30, 7, 1):
        (letter,) = told[left]
        runs_out = f"{left} day{'s' if left > 1 else ''}, on {clock.friendly_day(last, last - timedelta(days=left))}"
        assert letter.startswith(
            f"Papers run out: Honda Activa 6G, {shop.vehicle.rc_number}\nPollution expires in {runs_out}"
        )
        assert (": the vehicle is off the shop from" in letter, f"Booked past it: {past}." in letter) == (True, True)
        assert before not in letter


def _told(message: EmailMessage) -> str:
    """Return a message's subject and its text, one line each."""
    text = message.get_body(("plain",)).get_content()
    return f"{message['Subject']}\n{' '.join(text.split())}"


def _reminded(post: Post, shop: Shop) -> list[str]:
    """Return who of the shop gets a message when reminders are swept twice."""
    for _ in range(2):
        write(reminders.put_due, clock.now())
    while send():
        pass
    ours = (shop.customer.email, shop.vendor.email)
    return sorted(to for to, _ in post.take() if to in ours)


def test_there_are_words_for_everything_that_is_told() -> None:
    told = {(what, side) for what, sides in TELLS.items() for side in sides}
    reminders_told = {("before_pickup", "customer"), ("before_pickup", "vendor"), ("before_return", "customer")}
    reviews = {(what, side) for what in ("review_wanted", "reviewed") for side in ("customer", "vendor")}
    reviews.add(("review_answered", "customer"))
    assert set(WORDS) == told | reminders_told | reviews | {("papers_expiring", "vendor")}


def test_names_are_text_in_html_and_no_links(post: Post, shop: Shop) -> None:
    alter(User, shop.vendor.id, name="<script>alert(1)</script> www.evil.example")
    book(shop.customer, wanted(shop.vehicle))
    send()
    message = next(message for to, message in post.take() if to == shop.customer.email)
    text, html = (message.get_body((kind,)).get_content() for kind in ("plain", "html"))
    assert "<script>" not in html
    assert all("www. evil. example" in body for body in (text, html))
