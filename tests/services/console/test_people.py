"""A person's page in the console: notes, devices, their account, and what they see of their own pages."""

import json

import pytest
from sqlmodel import select

from rental_app.domain.errors import ForbiddenError, InvalidInputError, NotFoundError
from rental_app.infrastructure.db import read, write
from rental_app.models import AuditEntry, Member, User
from rental_app.schemas.operating import Blocking, NoteRequest, ReadOnlyRequest
from rental_app.services.console import lists, parts
from rental_app.services.console.lists import ListQuery
from rental_app.services.operating import people, read_only
from tests.conftest import Clock
from tests.support.booking_steps import alter, book
from tests.support.console import acting
from tests.support.operating import last_entry, letters
from tests.support.shop import Shop, actor, add_user, put, token_of, wanted
from tests.support.trips import cancel, confirmed, pay, reverse


def note(person: User, words: str = "Called twice") -> str:
    return write(people.add_note, acting(), person.id or 0, NoteRequest(text=words))


def test_notes_say_who_wrote_them_and_when_and_stay(shop: Shop, stopped_clock: Clock) -> None:
    assert note(shop.customer) == people.NOTED
    page = read(lists.page, acting(), "notes", ListQuery(filters={"person": str(shop.customer.id)}))
    (row,) = page.rows
    assert (row.values["text"], row.values["who"], row.values["at"]) == (
        "Called twice",
        "Nandini Rao",
        stopped_clock.instant,
    )
    assert (last_entry().act, last_entry().subject_id) == ("person.noted", shop.customer.id)
    # They are not what is written about people, where more eyes come.
    assert "Called twice" not in last_entry().model_dump_json()


def test_a_note_says_something_about_somebody(shop: Shop) -> None:
    with pytest.raises(InvalidInputError, match="noted"):
        note(shop.customer, " ​")
    with pytest.raises(NotFoundError):
        write(people.add_note, acting(), 99_999, NoteRequest(text="Nobody"))
    with pytest.raises(ForbiddenError):
        write(people.add_note, actor(shop.vendor), shop.customer.id or 0, NoteRequest(text="Mine"))


def test_devices_are_those_that_are_or_were_logged_in(shop: Shop) -> None:
    token_of(shop.customer)
    (device,) = read(parts.read_part, acting(), "people", shop.customer.id or 0, "devices")
    assert (device.values["state"].label, device.values["how"]) == ("Logged in", "password")
    with pytest.raises(NotFoundError, match="no such part"):
        read(parts.read_part, acting(), "people", shop.customer.id or 0, "trail")


def test_an_operator_sees_a_customers_own_list_and_the_look_is_recorded_once_an_hour(
    shop: Shop, stopped_clock: Clock
) -> None:
    made = book(shop.customer, wanted(shop.vehicle))
    operator = acting()
    seen = write(parts.see_own_pages, operator, shop.customer.id or 0)
    assert [view.reference for view in seen.trips] == [made.reference]
    assert not seen.requests
    write(parts.see_own_pages, operator, shop.customer.id or 0)
    looks = read(lambda session: session.scalars(select(AuditEntry)).all())
    assert [(entry.act, entry.subject_id) for entry in looks if entry.act == "operator.seen_as_they"] == [
        ("operator.seen_as_they", shop.customer.id)
    ]
    stopped_clock.move(hours=1, minutes=1)
    write(parts.see_own_pages, operator, shop.customer.id or 0)
    assert last_entry().at == stopped_clock.instant


def test_an_operator_sees_what_vendors_and_their_members_see(shop: Shop) -> None:
    made = book(shop.customer, wanted(shop.vehicle))
    member = add_user()
    put(Member(user_id=member.id or 0, vendor_id=shop.vendor.id or 0))
    for person in (shop.vendor, member):
        seen = write(parts.see_own_pages, acting(), person.id or 0)
        assert [view.reference for view in seen.requests] == [made.reference]
    # What a vendor may not see yet an operator does not see with their eyes.
    assert seen.requests[0].customer_phone == ""


def test_looking_goes_on_in_a_read_only_shop_and_is_for_operators_alone(shop: Shop) -> None:
    operator = acting()
    write(read_only.switch, operator, ReadOnlyRequest(on=True))
    assert write(parts.see_own_pages, operator, shop.customer.id or 0).user.name == shop.customer.name
    with pytest.raises(ForbiddenError):
        write(parts.see_own_pages, actor(shop.vendor), shop.customer.id or 0)
    with pytest.raises(NotFoundError):
        write(parts.see_own_pages, operator, 99_999)


def test_members_of_a_blocked_vendor_are_told(shop: Shop) -> None:
    member = add_user()
    put(Member(user_id=member.id or 0, vendor_id=shop.vendor.id or 0))
    write(people.block, acting(), shop.vendor.id or 0, Blocking(reason="Three complaints"))
    assert "The account you work for is blocked" in letters(member)[-1]
    # The reason is the vendor's alone.
    assert shop.vendor.name in letters(member)[-1]
    assert "Three complaints" not in letters(member)[-1]
    write(people.unblock, acting(), shop.vendor.id or 0, Blocking())
    assert "open again" in letters(member)[-1]


def test_a_bookings_timeline_joins_events_account_and_trail(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    put(
        AuditEntry(
            act="booking.cancelled", subject="booking", subject_id=trip.id, role="Operator", after=json.dumps({})
        )
    )
    rows = [row.values for row in read(parts.read_part, acting(), "bookings", trip.id, "trail")]
    words = [row["what"] for row in rows]
    assert {"Requested", "Confirmed", "Line: rental", "Operator: booking cancelled"} <= set(words)
    assert [row["at"] for row in rows] == sorted((row["at"] for row in rows), reverse=True)
    assert next(row["amount"] for row in rows if row["what"] == "Line: rental") > 0


def test_a_bookings_invoices_are_listed_with_their_tax(shop: Shop) -> None:
    alter(User, shop.vendor.id, gst_number="36ZZZFZ1001Z1ZT")
    trip = confirmed(shop)
    assert read(parts.read_part, acting(), "bookings", trip.id, "invoices") == []
    pay(shop, trip.id, 11_800)
    done = cancel(shop, trip.id, 11_800)
    reverse(shop, trip.id, next(line.id for line in done.ledger if line.kind == "cancellation"))
    rows = [row.values for row in read(parts.read_part, acting(), "bookings", trip.id, "invoices")]
    assert [(row["kind"], row["amount"], row["tax"]) for row in rows] == [
        ("Credit note", -11_800, -1_800),
        ("Invoice", 11_800, 1_800),
    ]
    assert read(parts.read_part, acting(), "bookings", 10**6, "invoices") == []


def test_the_trail_is_filtered_by_person_vehicle_and_booking(shop: Shop) -> None:
    for subject, number in (("user", 7_001), ("vehicle", 7_002), ("booking", 7_003), ("offer", 7_001)):
        put(AuditEntry(act="tried", subject=subject, subject_id=number))
    put(AuditEntry(act="tried", user_id=7_001, subject="offer", subject_id=1))
    for name, number, many in (("person", 7_001, 2), ("vehicle", 7_002, 1), ("booking", 7_003, 1)):
        page = read(lists.page, acting(), "audit", ListQuery(filters={name: str(number)}))
        assert page.total == many, name


def test_lines_are_listed_by_person_and_booking(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    for name, number in (("person", shop.customer.id), ("person", shop.vendor.id), ("booking", trip.id)):
        page = read(lists.page, acting(), "ledger", ListQuery(filters={name: str(number), "of": "rent"}))
        assert {row.values["reference"] for row in page.rows} == {trip.reference}, name
