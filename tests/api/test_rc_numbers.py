"""RC numbers: wherever a vendor sees a vehicle, and nowhere else."""

import io

from fastapi import FastAPI
from fastapi.testclient import TestClient
from pypdf import PdfReader
from sqlmodel import Session, col, select

from rental_app.domain import clock
from rental_app.infrastructure.db import read
from rental_app.models import Outbox, User
from rental_app.schemas.calendars import CalendarSpan
from rental_app.schemas.earnings import EarningsRequest
from rental_app.services.accounts.profile import payee
from rental_app.services.calendar import vendor_calendar
from rental_app.services.earnings import dashboard, figures
from rental_app.services.earnings.dashboard import overview
from rental_app.services.mail import messages
from rental_app.services.trips import detail
from rental_app.web.vendor.booking.presenter import trip_page
from rental_app.web.vendor.calendar.presenter import calendar_page
from rental_app.web.vendor.dashboard.presenter import dashboard_page
from rental_app.web.vendor.dashboard.today_presenter import day_page
from rental_app.web.vendor.manage_bookings.presenter import booking_table_row
from tests.support.booking_steps import book
from tests.support.rest_calls import PUBLIC, documented
from tests.support.rest_helpers import bearer, ok
from tests.support.shop import Shop, actor, moment, wanted, wire
from tests.support.trips import confirmed, pay


def mails(user: User) -> list[str]:
    """Return every e-mail that somebody is sent, calendar files included."""

    def composed(session: Session) -> list[str]:
        ids = session.scalars(select(col(Outbox.id)).where(col(Outbox.user_id) == user.id)).all()
        made = [messages.compose(session, number or 0) for number in ids]
        return [_decoded(one.message) for one in made if one]

    return read(composed)


def _decoded(message: object) -> str:
    parts = [part for part in message.walk() if not part.is_multipart()]  # type: ignore[attr-defined]
    return "\n".join([str(message["Subject"]), *(str(part.get_content()) for part in parts)])  # type: ignore[index]


def pdf(client: TestClient, path: str, user: User) -> str:
    """Return the text of a PDF."""
    return PdfReader(io.BytesIO(client.get(path, headers=bearer(user)).content)).pages[0].extract_text()


def test_no_public_answer_has_one(app: FastAPI, client: TestClient, shop: Shop) -> None:
    confirmed(shop)
    search = {"location": shop.place.name, "pickupDate": wire(moment(20)), "returnDate": wire(moment(21))}
    answers = [client.post("/api/bookings/check-availability", json=search).text]
    for method, path in documented(app):
        if path in PUBLIC and method == "get":
            answers.append(client.get(path.replace("{vehicle_id}", str(shop.vehicle.id)).replace("{car}", "1")).text)
    answers += [client.get(path).text for path in (f"/vehicle-details/{shop.vehicle.id}", "/vehicles", "/")]
    assert any(shop.vehicle.color in answer for answer in answers)
    assert [answer for answer in answers if shop.vehicle.rc_number in answer] == []


def test_its_customer_sees_none_and_its_vendor_all(client: TestClient, shop: Shop) -> None:
    trip, plate = confirmed(shop), shop.vehicle.rc_number
    book(shop.customer, wanted(shop.vehicle, days=20))
    pay(shop, trip.id, 10_000)
    path = f"/api/bookings/{trip.reference}"
    theirs = [client.get(url, headers=bearer(shop.customer)).text for url in (path, f"{path}/calendar.ics")]
    theirs += [client.get("/api/bookings/user", headers=bearer(shop.customer)).text]
    theirs += [pdf(client, f"{path}/receipt.pdf", shop.customer), *mails(shop.customer)]
    assert [text for text in theirs if plate in text] == []

    assert plate in client.get(f"{path}/calendar.ics", headers=bearer(shop.vendor)).text.replace("\r\n ", "")
    assert plate in pdf(client, f"{path}/receipt.pdf", shop.vendor)
    month = f"{clock.indian_today(clock.now()):%Y-%m}"
    # In the line of each payment, and in the sums by vehicle.
    statement = " ".join(pdf(client, f"/api/vendor/statements/{month}.pdf", shop.vendor).split())
    assert f"{trip.reference} {plate}" in statement
    assert f"Activa 6G, {plate}" in statement
    assert plate in client.get("/api/vendor/bookings.csv", headers=bearer(shop.vendor)).text
    listed = ok(client.get("/api/bookings/vendor", headers=bearer(shop.vendor)))["bookings"]
    assert [one["rcNumber"] for one in listed] == [plate, plate]
    told = mails(shop.vendor)
    assert told
    # In their words, not only in the calendar files that come with them.
    assert [text for text in told if plate not in text.partition("BEGIN:VCALENDAR")[0]] == []


def test_the_vendors_pages_tell_vehicles_apart(shop: Shop) -> None:
    trip = confirmed(shop)
    book(shop.customer, wanted(shop.vehicle, days=20))
    vendor, instant, named = actor(shop.vendor), clock.now(), ("Honda Activa 6G", shop.vehicle.rc_number)
    day = day_page(read(dashboard.day_of_vendor, vendor), instant)
    assert [(card.title, card.plate) for card in day.requests] == [named]
    found = read(overview, vendor)
    assert found.figures
    page = dashboard_page(found)
    assert page
    assert {(line.title, line.plate) for line in page.recent} == {named}
    rows = [booking_table_row(view, instant) for view in found.figures.recent_bookings]
    assert {(row.title, row.plate) for row in rows} == {named}
    earned = read(figures.of_vendor, vendor, EarningsRequest.model_validate({"by": "vehicle"}))
    assert [row.label for row in earned.rows] == [", ".join(named)]
    calendar = read(vendor_calendar.of_vendor, vendor, CalendarSpan())
    shown = calendar_page(calendar, clock.indian_today(instant), 14, 0, 1)
    assert [choice.label for choice in shown.choices] == [", ".join(named)]
    plain = " ".join(named)
    assert [bar.label[-len(plain) :] for bar in shown.rows[0].bars] == [plain]
    shown_trip = trip_page(read(detail.own, vendor, trip.reference, "vendor"), read(payee, vendor), instant)
    assert (shown_trip.facts.vehicle, shown_trip.plate) == named
