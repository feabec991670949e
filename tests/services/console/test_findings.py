"""What the data say against a listing, its prices beside what is advised, and what both sides of an objection show."""

from datetime import timedelta

import pytest
from sqlalchemy import delete, select
from sqlmodel import col

from rental_app.domain import clock
from rental_app.domain.errors import ForbiddenError
from rental_app.infrastructure.db import read, write
from rental_app.models import Booking, BookingEvent, EventPhoto, PricePlan, Vehicle, VehiclePrice
from rental_app.schemas.trips import ObjectionAnswerRequest
from rental_app.services.console import evidence, parts
from rental_app.services.trips import objections
from tests.conftest import Clock
from tests.support.console import acting
from tests.support.shop import Shop, actor, add_vehicle, put
from tests.support.trips import damage_objected_to


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
    assert [(row["plan"], row["price"], row["most"], row["state"]) for row in rows] == [
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
    write(objections.answer, actor(shop.vendor), str(reference), told)
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
