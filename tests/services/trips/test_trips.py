"""A trip from its confirmation to the settled account, and every way it must not go."""

import pytest

from rental_app.domain.errors import ConflictError, ForbiddenError
from rental_app.infrastructure.db import read, write
from rental_app.models import Booking, User, Vehicle
from rental_app.schemas.readings import PAPERS, HandoverData, ReturnData, SettlementRequest
from rental_app.schemas.trips import CancelRequest, ObjectRequest, TripView
from rental_app.services.trips import answers, cancellations, detail, readings
from tests.conftest import Clock
from tests.support.booking_steps import alter, book, decide
from tests.support.shop import DAILY_PAISE, DEPOSIT_PAISE, Shop, actor, add_user, count, wanted
from tests.support.trips import (
    at_pickup,
    at_return,
    cancel,
    confirmed,
    hand_over,
    lines,
    owed,
    pay,
    photos,
    refusal,
    reverse,
    seen,
    take_back,
    terms,
)

PRICE = 2 * DAILY_PAISE


def test_a_trip_that_goes_well_is_settled_to_the_last_rupee(shop: Shop, trip: TripView, stopped_clock: Clock) -> None:
    ref = trip.reference
    assert (owed(trip), trip.due_at_pickup) == ((PRICE, DEPOSIT_PAISE), PRICE + DEPOSIT_PAISE)
    at_pickup(stopped_clock, trip)
    pay(shop, ref, PRICE)
    assert owed(pay(shop, ref, DEPOSIT_PAISE, "deposit")) == (0, 0)
    out = hand_over(shop, ref)
    assert (out.stage, out.handover.odometer, len(out.handover.photos)) == ("out", 1300, 5)
    assert write(answers.acknowledge, actor(shop.customer), ref).timeline[-1].what == "acknowledged"
    write(answers.acknowledge, actor(shop.customer), ref)
    at_return(stopped_clock, trip, minutes=15)
    back = take_back(shop, ref)
    assert (back.stage, owed(back)) == ("returned", (0, -DEPOSIT_PAISE))
    done = pay(shop, ref, DEPOSIT_PAISE, "deposit", "out")
    assert (done.stage, owed(done)) == ("settled", (0, 0))
    told = [happening.what for happening in done.timeline]
    assert told == [
        "requested", "confirmed", "payment", "deposit taken", "handed over", "acknowledged", "returned",
        "deposit returned", "settled",
    ]  # fmt: skip
    assert read(lambda session: session.get_one(Vehicle, shop.vehicle.id).odometer_reading) == 1400


def test_late_hours_kilometres_speeding_and_damage_come_off_the_deposit(
    shop: Shop, out: TripView, stopped_clock: Clock
) -> None:
    ref = out.reference
    at_return(stopped_clock, out, hours=2, minutes=20)
    # 200 km are included; the vendor sees the settlement before it is final.
    shown = read(readings.preview, actor(shop.vendor), ref, SettlementRequest(odometer=1530, speedings=2))
    expected = [("late", 3 * 5_000), ("kilometres", 30 * 500), ("speeding", 20_000)]
    assert [(line.kind, line.amount) for line in shown.lines] == expected
    damage = {"note": "Mirror broken", "amount": "350.50"}
    back = take_back(shop, ref, 1530, speedings=2, damages=[damage])
    due = sum(paise for _, paise in expected) + 35_050
    assert lines(back)[-5:] == [*expected, ("damage", 35_050), ("deposit kept", due)]
    assert back.ledger[-2].photo == f"/api/bookings/{ref}/photos/{count('trip_photo')}"
    assert owed(back) == (0, due - DEPOSIT_PAISE)
    assert refusal("more_than_owed", pay, shop, ref, DEPOSIT_PAISE, "deposit", "out")
    assert pay(shop, ref, DEPOSIT_PAISE - due, "deposit", "out").stage == "settled"


def test_a_customer_objects_and_the_vendor_takes_the_line_back(shop: Shop, out: TripView, stopped_clock: Clock) -> None:
    ref = out.reference
    at_return(stopped_clock, out)
    fine = next(line for line in take_back(shop, ref, speedings=1).ledger if line.kind == "speeding")
    objection = ObjectRequest(entry=fine.id, note="I was not that fast")
    marked = write(answers.object_to, actor(shop.customer), ref, objection)
    assert [line.kind for line in marked.ledger if line.objected] == ["speeding"]
    refusal("already_objected", write, answers.object_to, actor(shop.customer), ref, objection)
    even = reverse(shop, ref, fine.id)
    assert owed(even) == (-10_000, 10_000 - DEPOSIT_PAISE)
    refusal("already_reversed", reverse, shop, ref, fine.id)
    refusal("unknown_entry", reverse, shop, ref, 2**31 - 1)
    stopped_clock.move(hours=24, seconds=1)
    kept = next(line for line in even.ledger if line.kind == "deposit kept")
    late = ObjectRequest(entry=kept.id, note="Too much")
    refusal("too_late_to_object", write, answers.object_to, actor(shop.customer), ref, late)
    pay(shop, ref, 10_000, "rent", "out")
    assert pay(shop, ref, DEPOSIT_PAISE - 10_000, "deposit", "out").stage == "settled"


def test_cancelling_costs_what_was_shown_or_is_refused(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop, days=4)
    ref = trip.reference
    assert (terms(shop, ref).kept, terms(shop, ref).percent) == (0, 0)
    pay(shop, ref, PRICE)
    pay(shop, ref, DEPOSIT_PAISE, "deposit")
    stopped_clock.instant = trip.pickup
    stopped_clock.move(hours=-72, seconds=-1)
    shown = terms(shop, ref)
    assert (shown.percent, shown.kept, shown.returned, shown.deposit) == (25, PRICE // 4, PRICE * 3 // 4, DEPOSIT_PAISE)
    stopped_clock.move(seconds=1)
    assert shown.dearer_at == stopped_clock.instant
    error = refusal("terms_changed", cancel, shop, ref, shown.kept)
    assert error.details["cancellation"] == terms(shop, ref)
    done = cancel(shop, ref, PRICE * 3 // 4)
    assert (done.status, done.cancelled_by, done.stage) == ("cancelled", "customer", "booked")
    assert owed(done) == (-PRICE // 4, -DEPOSIT_PAISE)
    refusal("already_decided", cancel, shop, ref, PRICE * 3 // 4)
    # The dates are free again at once.
    assert book(add_user(), wanted(shop.vehicle, days=4, length=2)).status == "pending"
    pay(shop, ref, PRICE // 4, "rent", "out")
    assert owed(pay(shop, ref, DEPOSIT_PAISE, "deposit", "out")) == (0, 0)


def test_a_no_show_keeps_what_was_paid_from_two_hours_on(shop: Shop, trip: TripView, stopped_clock: Clock) -> None:
    ref = trip.reference
    pay(shop, ref, 30_000)
    pay(shop, ref, DEPOSIT_PAISE, "deposit")
    at_pickup(stopped_clock, trip, hours=1, minutes=59)
    refusal("too_early", write, cancellations.mark_no_show, actor(shop.vendor), ref)
    at_pickup(stopped_clock, trip, hours=2)
    gone = write(cancellations.mark_no_show, actor(shop.vendor), ref)
    assert (gone.stage, owed(gone)) == ("no_show", (0, -DEPOSIT_PAISE))
    refusal("wrong_stage", write, cancellations.mark_no_show, actor(shop.vendor), ref)
    refusal("already_decided", cancel, shop, ref, 30_000)
    assert owed(pay(shop, ref, DEPOSIT_PAISE, "deposit", "out")) == (0, 0)


def test_handovers_and_returns_that_cannot_be(shop: Shop, stopped_clock: Clock) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    refusal("not_confirmed", hand_over, shop, asked.id)
    refusal("not_confirmed", pay, shop, asked.id, 100)
    decide(shop.vendor, asked.id, "confirmed")
    trip = seen(shop.vendor, asked.id)
    at_return(stopped_clock, trip)
    refusal("too_late", hand_over, shop, asked.id)
    at_pickup(stopped_clock, trip, hours=-2, seconds=-1)
    refusal("too_early", hand_over, shop, asked.id)
    at_pickup(stopped_clock, trip, hours=-2)
    refusal("odometer_below", hand_over, shop, asked.id, 1199)
    refusal("wrong_stage", take_back, shop, asked.id)
    data = HandoverData(odometer=1300, fuel_eighths=8, papers_seen=["licence"], unpaid_reason="Later")
    refusal("papers_missing", write, readings.hand_over, actor(shop.vendor), trip.reference, data, photos())
    data = data.model_copy(update={"papers_seen": list(PAPERS)})
    refusal("missing_documents", write, readings.hand_over, actor(shop.vendor), trip.reference, data, photos()[1:])
    hand_over(shop, asked.id)
    refusal("wrong_stage", hand_over, shop, asked.id)
    refusal("odometer_below", take_back, shop, asked.id, 1299)
    # A return whose charges exceed what an account can hold leaves nothing: at ₹5 a kilometre one digit too many does.
    refusal("too_much", take_back, shop, asked.id, 1_300_000)
    scratched = ReturnData.model_validate(
        {"odometer": 1400, "fuelEighths": 8, "damages": [{"note": "Scratch", "amount": 100}]}
    )
    refusal("missing_documents", write, readings.take_back, actor(shop.vendor), trip.reference, scratched, photos())
    refusal("already_decided", cancel, shop, asked.id, 0)
    take_back(shop, asked.id)
    refusal("wrong_stage", take_back, shop, asked.id)


def test_a_booking_is_shown_to_its_two_sides_and_to_operators(shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    assert seen(shop.customer, asked.id).contact is None
    decide(shop.vendor, asked.id, "confirmed")
    alter(User, shop.vendor.id, booking_contact_no="9000000077")
    alter(Booking, asked.id, extras=["drop_off"], address="12 Lake View, Madhapur")
    mine, theirs = seen(shop.customer, asked.reference.lower()), seen(shop.vendor, asked.id)
    assert (mine.contact.phone, mine.contact.whatsapp) == ("9000000077", "https://wa.me/919000000077")
    assert (theirs.contact.phone, theirs.contact.address) == (shop.customer.phone_number, "12 Lake View, Madhapur")
    assert theirs.contact.maps.endswith("12+Lake+View%2C+Madhapur")
    assert seen(add_user("Operator"), asked.id).ledger == mine.ledger
    for stranger in (add_user(), add_user("Vendor")):
        for ref in (asked.id, asked.reference):
            for call in (detail.view_of, detail.own, cancellations.preview):
                refusal("unknown_booking", read, call, actor(stranger), str(ref))
    # A customer's own page is its customer's alone.
    assert read(detail.own, actor(shop.customer), asked.reference) == mine
    for other in (shop.vendor, add_user("Operator")):
        refusal("unknown_booking", read, detail.own, actor(other), asked.reference)
    for ref in ("PH-000000", "0", "99999999999", "nothing", "", "PH-", "\u0661"):
        refusal("unknown_booking", seen, shop.customer, ref)


def test_each_side_does_only_what_is_its_own(shop: Shop, trip: TripView) -> None:
    for call in (
        lambda: write(cancellations.cancel, actor(shop.vendor), trip.reference, CancelRequest(kept=0)),
        lambda: write(answers.acknowledge, actor(shop.vendor), trip.reference),
        lambda: write(cancellations.mark_no_show, actor(shop.customer), trip.reference),
        lambda: read(readings.preview, actor(shop.customer), trip.reference, SettlementRequest()),
    ):
        with pytest.raises(ForbiddenError):
            call()
    with pytest.raises(ConflictError):
        write(answers.acknowledge, actor(shop.customer), trip.reference)


def test_a_vehicle_goes_out_unpaid_only_for_a_reason(shop: Shop, trip: TripView, stopped_clock: Clock) -> None:
    at_pickup(stopped_clock, trip)
    pay(shop, trip.id, PRICE)
    data = HandoverData(odometer=1300, fuel_eighths=8, papers_seen=list(PAPERS), helmets=1)
    go = (write, readings.hand_over, actor(shop.vendor), trip.reference)
    refused = refusal("unpaid", *go, data, photos())
    assert ("₹2,000 of the deposit" in refused.message, list(refused.fields)) == (True, ["unpaidReason"])
    out = hand_over(shop, trip.id)
    assert out.timeline[-1].note == "With ₹2,000 of the deposit unpaid: Pays later"


def test_what_is_paid_of_all_is_rent_first(shop: Shop, trip: TripView, stopped_clock: Clock) -> None:
    refusal("more_than_owed", pay, shop, trip.id, PRICE + DEPOSIT_PAISE + 1, "all")
    part = pay(shop, trip.id, PRICE + 5_000, "all", key="twice")
    assert (owed(part), lines(part)[-2:]) == (
        (0, DEPOSIT_PAISE - 5_000),
        [("payment", PRICE), ("deposit taken", 5_000)],
    )
    assert lines(pay(shop, trip.id, PRICE + 5_000, "all", key="twice")) == lines(part)
    refusal("idempotency_key_reused", pay, shop, trip.id, PRICE, "all", key="twice")
    refusal("idempotency_key_reused", pay, shop, trip.id, PRICE, "rent", key="twice")
    rest = pay(shop, trip.id, DEPOSIT_PAISE - 5_000, "all", key="rest")
    assert (owed(rest), lines(rest)[-1]) == ((0, 0), ("deposit taken", DEPOSIT_PAISE - 5_000))
    at_pickup(stopped_clock, trip)
    # Nothing is unpaid: no reason is asked for.
    data = HandoverData(odometer=1300, fuel_eighths=8, papers_seen=list(PAPERS), helmets=1)
    out = write(readings.hand_over, actor(shop.vendor), trip.reference, data, photos())
    assert out.timeline[-1].note == ""
