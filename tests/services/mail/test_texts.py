"""Texts go to the gateway, or into the data folder; codes first and never late; no more a day than are paid for."""

import json
import re
from string import Formatter
from typing import Any

import pytest
from sqlmodel import select

from rental_app import serve
from rental_app.content.texts import GUEST_TRIP, LOGIN_CODE, TEXTS, VERIFY_PHONE
from rental_app.domain import clock
from rental_app.infrastructure.db import read, write
from rental_app.infrastructure.settings import settings
from rental_app.models import Outbox, Proof
from rental_app.services.accounts import letters
from rental_app.services.accounts.proofs import Purpose
from rental_app.services.bookings import guests
from rental_app.services.mail import outbox
from tests.conftest import Clock, forget
from tests.support.gateway import Gateway
from tests.support.guests import GUEST, at_counter
from tests.support.mailbox import Post, send_all, waiting
from tests.support.rows import each
from tests.support.shop import VISITOR, Shop, actor, moment
from tests.support.trips import refusal

PHONE = "9876543210"


def send_code(phone: str = PHONE, **given: Any) -> None:
    asked = {"caller": VISITOR, "is_known": False, "user_id": None} | given
    write(letters.send_code, Purpose.VERIFY_PHONE, phone, VERIFY_PHONE, **asked)


def plain(monkeypatch: pytest.MonkeyPatch) -> str:
    """Have a template that carries no secret; return its name."""
    monkeypatch.setitem(TEXTS, "trip_soon", "{product}: your trip with {other} is on {day}. {url}")
    return "trip_soon"


def test_the_gateway_is_handed_number_text_template_and_values(gateway: Gateway, shop: Shop) -> None:
    send_code()
    send_all()
    (text,) = gateway.take()
    assert text.keys() == {"to", "text", "template", "values"}
    assert (text["to"], text["template"]) == (f"+91{PHONE}", VERIFY_PHONE)
    code = text["values"]["code"]
    assert re.fullmatch("[0-9]{6}", code)
    assert text["values"] == {"code": code, "product": settings().product_name}
    assert text["text"] == TEXTS[VERIFY_PHONE].format(**text["values"])
    assert waiting() == []


def test_without_a_gateway_texts_are_files_and_the_log_says_where(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    template = plain(monkeypatch)
    values = {"other": "Asha \u0c06\u0c36", "day": "1 Dec"}
    write(letters.send_text, template, PHONE, values, user_id=shop.customer.id)
    send_all()
    (file,) = (settings().data_dir / "sms").iterdir()
    product, url = settings().product_name, settings().public_url
    wanted = f"To: +91{PHONE}\n\n{product}: your trip with {values['other']} is on 1 Dec. {url}\n"
    assert file.read_text(encoding="utf-8") == wanted
    assert any("RENTAL_SMS_URL" in record.message and str(file.parent) in record.message for record in caplog.records)


def test_a_text_with_a_code_goes_before_all_mail_and_is_dropped_once_expired(
    gateway: Gateway, post: Post, shop: Shop, stopped_clock: Clock
) -> None:
    now = clock.now()

    def fill(session: Any) -> None:
        for number in range(5):
            kind, key = "password_changed", f"earlier {number}"
            session.add(Outbox(key=key, kind=kind, user_id=shop.vendor.id, created_at=now, due_at=now))

    stopped_clock.move(minutes=1)
    write(fill)
    send_code()
    assert [letter.channel for letter in waiting()].count("sms") == 1
    first = write(outbox.claim, clock.now())[0]
    assert read(lambda session: session.get_one(Outbox, first)).channel == "sms"
    stopped_clock.move(minutes=10)
    send_all()
    assert gateway.take() == []
    assert waiting() == []


def test_a_text_to_nobody_is_dropped(gateway: Gateway, shop: Shop) -> None:
    send_code(is_sent=False)
    send_all()
    assert (gateway.take(), waiting()) == ([], [])


@each("status", [302, 400, 500, 503])
def test_what_the_gateway_does_not_take_is_tried_again_and_no_secret_is_kept(
    gateway: Gateway, shop: Shop, stopped_clock: Clock, status: int
) -> None:
    gateway.status = status
    send_code()
    send_all()
    (left,) = waiting()
    assert str(status) in left.error
    assert "secret" not in left.error
    gateway.status = 200
    stopped_clock.move(minutes=5)
    send_all()
    (text,) = gateway.take()

    def kept(session: Any) -> str:
        tables = (Outbox, Proof)
        return json.dumps([row.model_dump(mode="json") for table in tables for row in session.scalars(select(table))])

    assert text["values"]["code"] not in read(kept)


def test_a_gateway_that_is_away_holds_up_no_mail(
    post: Post, shop: Shop, monkeypatch: pytest.MonkeyPatch, stopped_clock: Clock
) -> None:
    monkeypatch.setenv("RENTAL_SMS_URL", "http://127.0.0.1:9/send")
    forget()
    send_code()
    write(letters.tell, "password_changed", shop.vendor.id)
    send_all()
    assert [to for to, _ in post.take()] == [shop.vendor.email]
    assert len(waiting()) == 1


def test_no_more_texts_are_sent_in_a_day_than_the_operator_pays_for(
    gateway: Gateway, shop: Shop, monkeypatch: pytest.MonkeyPatch, stopped_clock: Clock
) -> None:
    monkeypatch.setenv("RENTAL_SMS_DAILY", "2")
    forget()
    template = plain(monkeypatch)
    for number in range(3):
        write(letters.send_text, template, PHONE, {"other": "Asha", "day": str(number)})
    send_all()
    assert len(gateway.take()) == 2
    refusal("texts_used_up", send_code)
    # What is not urgent waits for the next day.
    stopped_clock.move(hours=24)
    send_all()
    assert len(gateway.take()) == 1


def test_the_text_to_log_in_ends_as_browsers_want_it() -> None:
    assert TEXTS[LOGIN_CODE].splitlines()[-1] == "@{host} #{code}"
    names = {name for text in TEXTS.values() for _, name, _, _ in Formatter().parse(text) if name}
    given = {"other", "vehicle", "day", "note", "reference", "what", "amount"}
    assert names <= {"code", "token", "product", "host", "url"} | given


def test_a_start_says_where_messages_are_written(
    database: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    serve.announce(3000)
    told = capsys.readouterr().out
    for folder in ("mail", "sms"):
        assert str(settings().data_dir.absolute() / folder) in told
    monkeypatch.setenv("RENTAL_SMS_URL", "https://gateway.example/send")
    forget()
    serve.announce(3000)
    assert "Text messages are written" not in capsys.readouterr().out


def test_a_text_about_a_booking_neither_takes_e_mails_along_nor_waits_for_them(
    gateway: Gateway, post: Post, shop: Shop, stopped_clock: Clock
) -> None:
    made = at_counter(shop.vendor, shop.vehicle, moment(1), moment(2), customer=GUEST | {"email": "suresh@example.com"})
    post.refusing = True
    send_all()
    assert [text["template"] for text in gateway.take()] == [GUEST_TRIP]
    write(guests.send_link_again, actor(shop.vendor), made.reference)
    send_all()
    assert [text["template"] for text in gateway.take()] == [GUEST_TRIP], "the e-mails before it have not been taken"
    post.refusing = False
    stopped_clock.move(hours=2)
    send_all()
    told = post.take()
    assert {to for to, _ in told} == {"suresh@example.com"}
    assert [message["Subject"].partition(":")[0] for _, message in told] == ["Confirmed", "Your booking"]
    assert waiting() == []
