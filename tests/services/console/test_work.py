"""The operator's work: what waits, the oldest due first, what the data say of it, and forms with something wrong."""

from contextlib import suppress
from datetime import timedelta

import pytest
from sqlalchemy import delete, select, update
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.errors import ForbiddenError, InvalidInputError, NotFoundError, RentalError
from rental_app.infrastructure.db import read, write
from rental_app.models import (
    AuditEntry,
    Booking,
    BookingEvent,
    EventPhoto,
    PricePlan,
    Review,
    Vehicle,
    VehicleFile,
    VehiclePrice,
)
from rental_app.schemas.trips import ObjectionAnswerRequest, TripView
from rental_app.services.accounts.actor import Actor
from rental_app.services.console import acts, evidence, lists, parts, tables, work
from rental_app.services.console.lists import ListQuery
from rental_app.services.console.table import Decision
from rental_app.services.console.work import WorkItem
from rental_app.services.trips import answers as trips_answers
from tests.conftest import Clock
from tests.support.catalogue_entries import MODEL
from tests.support.console import acting, add_given_up, add_request
from tests.support.rows import each
from tests.support.shop import Shop, actor, add_vehicle, count, put
from tests.support.trips import confirmed, damage_objected_to, give_up, pay


def waiting(vehicle: Vehicle, hours: int) -> None:
    """Have a vehicle wait for its approval since some hours ago."""
    values = {"is_approved": False, "created_at": clock.now() - timedelta(hours=hours)}
    write(lambda session: session.execute(update(Vehicle).where(col(Vehicle.id) == vehicle.id).values(**values)))


def test_the_demo_and_a_quiet_shop_have_nothing_of_their_own(shop: Shop) -> None:
    found = read(work.queue, acting())
    assert found.counts.keys() == work.kinds().keys()
    assert all(shop.vehicle.rc_number != item.ref for item in found.items)


def test_everything_that_waits_is_there_with_what_its_decision_takes_oldest_due_first(shop: Shop) -> None:
    other = add_vehicle(shop.vendor, insurance_expiry_date=clock.indian_today(clock.now()) + timedelta(days=3))
    waiting(shop.vehicle, 30)
    request, message = add_request(shop), add_given_up(shop)
    found = read(work.queue, acting())
    mine: dict[tuple[str, int | None], WorkItem] = {(item.kind, item.id): item for item in found.items}
    assert mine["listings", shop.vehicle.id].ref == shop.vehicle.rc_number
    assert mine["listings", shop.vehicle.id].due < clock.now()
    assert mine["requests", request.id].title == "Bank account"
    assert mine["messages", message.id].note == message.error
    assert all(isinstance(item.amount, int) is (item.kind == "objections") for item in found.items)
    assert mine["papers", other.id].ref == other.rc_number
    assert [item.due for item in found.items] == sorted(item.due for item in found.items)
    # The demo has one of each as well.
    assert {name: found.counts[name] for name in ("listings", "messages")} == {"listings": 2, "messages": 2}


def overdue(trip: TripView) -> tuple[bool, bool]:
    """Whether a booking is in the list of overdue refunds, and among the refunds in work."""
    operator = acting()
    page = read(lists.page, operator, "bookings", ListQuery(q=trip.reference, filters={"money": "overdue"}))
    items = read(work.queue, operator).items
    return page.total == 1, any(item.kind == "refunds" and item.id == trip.id for item in items)


def test_refunds_open_for_three_days_are_a_list_and_work(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop, days=20)
    pay(shop, trip.reference, 50_000)
    give_up(shop.vendor, trip.reference)
    stopped_clock.move(days=2, hours=23)
    assert overdue(trip) == (False, False)
    stopped_clock.move(hours=2)
    assert overdue(trip) == (True, True)


def test_a_reported_review_waits_until_it_is_judged(shop: Shop) -> None:
    booking = confirmed(shop)
    review = put(
        Review(
            booking_id=booking.id,
            side="customer",
            vehicle_id=shop.vehicle.id,
            vendor_id=shop.vendor.id,
            customer_id=shop.customer.id,
            stars=1,
            show_by=clock.now(),
            shown_at=clock.now(),
            reported_at=clock.now(),
            reported_by=shop.vendor.id,
        )
    )
    who = acting()
    assert review.id in [item.id for item in read(work.queue, who).items if item.kind == "reviews"]

    def judge(session: Session) -> None:
        session.execute(update(Review).where(col(Review.id) == review.id).values(judged_at=clock.now()))

    write(judge)
    assert review.id not in [item.id for item in read(work.queue, who).items if item.kind == "reviews"]


def test_a_look_at_a_paper_is_in_the_trail_once_an_hour(shop: Shop) -> None:
    who = acting()
    file = put(VehicleFile(vehicle_id=shop.vehicle.id, group_name="RC", key="k", content_type="image/jpeg", size=1))
    assert [each.id for each in read(evidence.papers_of, who, shop.vehicle.id)] == [file.id]
    for _ in range(2):
        assert write(evidence.see_paper, who, file.id).key == "k"
    entry = read(lambda session: session.get_one(AuditEntry, 1))
    assert (entry.act, entry.subject_id, entry.about) == ("operator.paper_seen", file.id, "RC")
    assert count("audit_entry") == 1
    with pytest.raises(NotFoundError):
        write(evidence.see_paper, who, 10**6)


def test_nobody_else_sees_work_or_papers(shop: Shop) -> None:
    file = put(VehicleFile(vehicle_id=shop.vehicle.id, group_name="RC", key="k", content_type="image/jpeg", size=1))
    for user in (shop.customer, shop.vendor):
        for service in (work.queue, work.counts):
            with pytest.raises(ForbiddenError):
                read(service, actor(user))
        with pytest.raises(ForbiddenError):
            write(evidence.see_paper, actor(user), file.id)
        with pytest.raises(ForbiddenError):
            read(evidence.papers_of, actor(user), shop.vehicle.id)
    assert count("audit_entry") == 0


def found(car: Vehicle) -> dict[str, tuple[str, str]]:
    """What is found against a listing: reasons and notes by the columns that they are about."""
    rows = read(parts.read_part, acting(), "listings", car.id or 0, "findings")
    return {row.values["column"]: (row.values["reason"], row.values["note"]) for row in rows}


def test_a_listing_in_order_has_nothing_against_it(shop: Shop) -> None:
    assert found(add_vehicle(shop.vendor, owner_name_as_per_rc=shop.vendor.name.upper())) == {}
    assert read(parts.read_part, acting(), "listings", 10**6, "findings") == []


def test_another_owner_numbers_used_twice_and_papers_that_run_out_are_found(shop: Shop) -> None:
    today = clock.indian_today(clock.now())
    wrong = {
        "owner_name_as_per_rc": "Kiran Reddy S",
        "engine_number": shop.vehicle.engine_number,
        "chassis_number": shop.vehicle.chassis_number,
        "insurance_expiry_date": today - timedelta(days=2),
        "pollution_expiry_date": today + timedelta(days=12),
    }
    car = add_vehicle(shop.vendor, **wrong)
    against = found(car)
    plate = shop.vehicle.rc_number
    assert against.keys() == {"owner", "engine", "chassis", "insured", "pollution"}
    titles = read(parts.read_part, acting(), "listings", car.id or 0, "findings")
    assert [row.values["title"] for row in titles][-2:] == ["Insurance expired", "Pollution expires"]
    assert against["owner"][1] == f"the vendor is {shop.vendor.name}"
    assert against["chassis"] == ("Another listing has the same chassis number", f"also on {plate}")
    assert against["engine"] == ("Another listing has the same engine number", f"also on {plate}")
    assert against["insured"][1] == "Insurance expired 2 days ago"
    assert against["insured"][0].startswith("Insurance expired on ")
    assert against["pollution"][1] == "Pollution expires in 12 days"
    # Nothing that is about this vendor's other listing names a third party's words.
    assert all(". " not in reason for reason, _ in against.values())


def test_each_price_stands_beside_what_is_advised_for_the_model(shop: Shop) -> None:
    car = add_vehicle(shop.vendor)
    plans = {"Half Day": (30_000, "Active"), "Week": (99_900_000, "Active"), "Month": (100, "Inactive")}

    def price(session: object) -> None:
        session.execute(delete(VehiclePrice).where(col(VehiclePrice.vehicle_id) == car.id))  # type: ignore[attr-defined]
        session.execute(delete(PricePlan).where(col(PricePlan.model_id) == car.model_id))  # type: ignore[attr-defined]

    write(price)
    for name, (paise, status) in plans.items():
        put(VehiclePrice(vehicle_id=car.id or 0, price_name=name, price_paise=paise, status=status))
    put(PricePlan(model_id=car.model_id, price_name="Week", recommended_paise=250_000, max_paise=300_000))
    put(PricePlan(model_id=car.model_id, price_name="Month", recommended_paise=700_000, max_paise=900_000))
    rows = [row.values for row in read(parts.read_part, acting(), "listings", car.id or 0, "prices")]
    assert [(row["plan"], row["price"], row["most"], row["state"].label) for row in rows] == [
        ("Half Day", 30_000, None, "No advice"),
        ("Week", 99_900_000, 300_000, "Above what is usual"),
        ("Month", 100, 900_000, "Switched off"),
    ]


def test_an_objection_is_judged_beside_what_both_sides_say_and_show(shop: Shop, stopped_clock: Clock) -> None:
    damage_objected_to(shop, stopped_clock)
    of = col(BookingEvent.what) == "objected"
    latest = select(BookingEvent).where(of).order_by(col(BookingEvent.id).desc())
    objection = read(lambda session: session.scalars(latest).first())
    assert objection is not None
    number, reference = objection.id or 0, read(lambda s: s.get_one(Booking, objection.booking_id)).reference
    told = ObjectionAnswerRequest(objection=number, note="It was not there at the handover")
    write(trips_answers.answer_objection, actor(shop.vendor), str(reference), told)
    answer = read(
        lambda session: session.scalars(select(BookingEvent).where(col(BookingEvent.about_id) == number)).one()
    )
    mine = put(EventPhoto(event_id=number, key="mine", content_type="image/webp"))
    theirs = put(EventPhoto(event_id=answer.id or 0, key="theirs", content_type="image/webp"))
    rows = [row.values for row in read(parts.read_part, acting(), "objections", number, "sides")]
    assert [(row["side"], row["note"]) for row in rows] == [
        ("Customer", "Not me"),
        ("Vendor", "It was not there at the handover"),
    ]
    shown = read(evidence.photos, acting(), number)
    assert [(photo.of, photo.path) for photo in shown[:2]] == [
        ("Customer", f"/api/bookings/{reference}/objection-photos/{mine.id}"),
        ("Vendor", f"/api/bookings/{reference}/objection-photos/{theirs.id}"),
    ]
    assert {photo.of for photo in shown[2:]} == {"Handover", "Return"}
    assert read(evidence.photos, acting(), 10**6) == []
    with pytest.raises(ForbiddenError):
        read(evidence.photos, actor(shop.vendor), number)


def wrong_fields(who: Actor, table: str, action: str, answers: dict[str, str]) -> dict[str, str]:
    """What is said at which field of a form; nothing if the form is not what is refused."""
    with suppress(RentalError):
        try:
            write(acts.act, who, table, action, Decision(1, "", answers))
        except InvalidInputError as error:
            return dict(error.fields)
    return {}


@each("nonsense", ["", "abc", "-1", "1,2,3,4", "9" * 400, "\x00"])
def test_nonsense_in_a_form_is_named_by_its_fields(nonsense: str, shop: Shop) -> None:
    who = acting()
    for table in tables.TABLES.values():
        for action in table.every_action:
            asked = {field.name for field in action.asks}
            said = wrong_fields(who, table.name, action.name, dict.fromkeys(asked, nonsense))
            if asked:
                assert said.keys() <= asked, (table.name, action.name, said)


@pytest.mark.parametrize(
    ("prices", "field", "words"),
    [
        ({"full_day": "500", "week": "many"}, "week", "Enter an amount in rupees"),
        ({"full_day": "500, 400"}, "full_day", "The most is less than what is recommended"),
        ({"week": "3000"}, "full_day", "Give each plan once, Full Day among them"),
        ({}, "full_day", "Please fill this in"),
    ],
)
def test_a_wrong_price_of_a_model_is_named_by_its_plan(
    prices: dict[str, str], field: str, words: str, shop: Shop
) -> None:
    typed = {name: str(value) for name, value in MODEL.items() if name != "prices"}
    assert wrong_fields(acting(), "models", "add", typed | prices) == {field: words}
