"""The operator's work: one queue of what waits, the oldest due first, with the ids that decisions take."""

from datetime import timedelta

import pytest
from sqlalchemy import update
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.errors import ForbiddenError, NotFoundError
from rental_app.infrastructure.db import read, write
from rental_app.models import AuditEntry, Review, Vehicle, VehicleFile
from rental_app.schemas.trips import TripView
from rental_app.services.console import papers, reading, work
from rental_app.services.console.reading import Wanted
from rental_app.services.console.work import WorkItem
from tests.conftest import Clock
from tests.support.console import acting, add_given_up, add_request
from tests.support.shop import Shop, actor, add_vehicle, count, put
from tests.support.trips import confirmed, give_up, pay


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
    assert mine["papers", other.id].ref == other.rc_number
    assert [item.due for item in found.items] == sorted(item.due for item in found.items)
    # The demo has one of each as well.
    assert {name: found.counts[name] for name in ("listings", "messages")} == {"listings": 2, "messages": 2}


def overdue(trip: TripView) -> tuple[bool, bool]:
    """Whether a booking is in the list of overdue refunds, and among the refunds in work."""
    operator = acting()
    page = read(reading.page, operator, "bookings", Wanted(q=trip.reference, filters={"money": "overdue"}))
    items = read(work.queue, operator).items
    return page.found == 1, any(item.kind == "refunds" and item.id == trip.id for item in items)


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
    assert [each.id for each in read(papers.of_listing, who, shop.vehicle.id)] == [file.id]
    for _ in range(2):
        assert write(papers.look, who, file.id).key == "k"
    entry = read(lambda session: session.get_one(AuditEntry, 1))
    assert (entry.act, entry.subject_id, entry.about) == ("operator.paper_seen", file.id, "RC")
    assert count("audit_entry") == 1
    with pytest.raises(NotFoundError):
        write(papers.look, who, 10**6)


def test_nobody_else_sees_work_or_papers(shop: Shop) -> None:
    file = put(VehicleFile(vehicle_id=shop.vehicle.id, group_name="RC", key="k", content_type="image/jpeg", size=1))
    for user in (shop.customer, shop.vendor):
        for service in (work.queue, work.counts):
            with pytest.raises(ForbiddenError):
                read(service, actor(user))
        with pytest.raises(ForbiddenError):
            write(papers.look, actor(user), file.id)
        with pytest.raises(ForbiddenError):
            read(papers.of_listing, actor(user), shop.vehicle.id)
    assert count("audit_entry") == 0
