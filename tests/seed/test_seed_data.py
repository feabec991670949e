"""The demo data before it meets a database: complete, well-formed, and consistent on any day of the year."""

import hashlib
import re
from collections import Counter
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import pairwise
from typing import Any

import indian_pincode
import pytest
from PIL import Image
from stdnum.in_ import gstin

from rental_app.content.faq import RANGE
from rental_app.content.figures import figures_of
from rental_app.content.marketing import LISTER, LISTER_RANGE
from rental_app.domain import clock, registration
from rental_app.domain.clock import Window
from rental_app.domain.policies import FIRST
from rental_app.domain.pricing import FULL_DAY, PLAN_NAMES
from rental_app.domain.uploads import PUBLIC_GROUPS
from rental_app.models import Booking, Snapshot, Vehicle
from rental_app.seed import fetch_banks, fleet, tables
from rental_app.seed.bookings import LISTING_BY_PLATE, STORIES, Story, booking
from rental_app.seed.catalogue import MODELS, SeedModel, bank_list
from rental_app.seed.fleet import LISTINGS, SeedListing
from rental_app.seed.people import CUSTOMER_EMAIL, CUSTOMERS, VENDOR_EMAIL, VENDORS
from rental_app.seed.photos import FOLDER, file_of
from rental_app.seed.places import CITY, PLACES
from tests.support.rows import each

# The size limits of a card's picture, and of all photos in the repository.
CARD_BYTES, ALL_PHOTOS_BYTES = 60 * 1024, 2 * 1024 * 1024
PLATE_OWNER = {listing.plate: listing.vendor for listing in LISTINGS}
NOON = datetime(2026, 11, 20, 6, 30, tzinfo=UTC)
# Every weekday and every other month, month ends and New Year, both sides of midnight in India (18:30 UTC).
MOMENTS = [
    *(datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=58 * step, hours=7 * step) for step in range(7)),
    *(datetime(2026, 11, 16 + day, 18, 29, tzinfo=UTC) for day in range(7)),
    *(datetime(2026, 12, 31, 18, minute, 30, tzinfo=UTC) for minute in (29, 30)),
    datetime(2027, 2, 28, 18, 45, tzinfo=UTC),
]
any_moment = each("now", MOMENTS)


def vehicle_of(listing: SeedListing, now: datetime = NOON) -> Vehicle:
    return fleet.vehicle(listing, now, vendor_id=1, model_id=1, location_id=1)


# What is booked does not matter here.
_NOTHING: dict[str, Any] = {}
NO_VEHICLE = Snapshot.model_construct(**_NOTHING)


@cache
def booking_of(story: Story, now: datetime) -> Booking:
    return booking(story, now, vehicle_id=1, customer_id=1, deposit=100_000, booked=NO_VEHICLE)


def test_the_twelve_localities_have_valid_pincodes_and_lie_in_hyderabad() -> None:
    assert len({place.slug for place in PLACES}) == len({place.name for place in PLACES}) == 12
    for place in PLACES:
        assert place.county.upper() in indian_pincode.get_details(place.pincode)["districts"]
        assert 17.2 < place.latitude < 17.6
        assert 78.2 < place.longitude < 78.7


def test_banks_are_the_checked_list_and_a_choice_of_it() -> None:
    content = fetch_banks.TARGET.read_bytes()
    assert hashlib.sha256(content).hexdigest() == fetch_banks.SHA256
    assert len(bank_list()) == len(set(bank_list())) >= 20
    assert "State Bank of India" in bank_list()


@each("facts", MODELS)
def test_model_facts_and_prices_are_plausible(facts: SeedModel) -> None:
    electric, car = facts.engine_type == "Electric", facts.seats > 2
    assert (facts.type == "Electric") == electric == (facts.cc is None)
    assert 70 <= facts.top_speed_kmph <= 190
    assert (60 <= facts.mileage <= 500) if electric else (12 <= facts.mileage <= 75)
    assert facts.cc is None or ((900 if car else 90) <= facts.cc <= (2500 if car else 650))
    assert (1500 if car else 350) <= facts.full_day_rupees <= (4500 if car else 1800)
    # Recommended prices rise with the length and fall by the day.
    assert tuple(facts.plans) == PLAN_NAMES
    half, full, week, month = (recommended for recommended, _ in facts.plans.values())
    assert half < full < week < month
    assert full > week / 7 > month / 30
    assert all(recommended < highest for recommended, highest in facts.plans.values())


def test_six_vendors_with_full_profiles() -> None:
    assert len(VENDORS) == 6
    assert VENDOR_EMAIL in {profile["email"] for profile in VENDORS.values()}
    names = tables.bank_names()
    for profile in VENDORS.values():
        assert gstin.is_valid(profile["gst_number"])
        assert profile["bank_name"] in bank_list()
        assert re.fullmatch(r"[A-Z]{4}0[A-Z0-9]{6}", profile["bank_ifsc"])
        assert names[profile["bank_ifsc"][:4]] == profile["bank_name"]
        assert 5 <= len(profile["notes"].strip().splitlines()) <= 8
        assert profile["website"].startswith("https://") or not profile["website"]


def test_people_are_reachable_and_distinct() -> None:
    people = [*VENDORS.values(), *CUSTOMERS]
    assert len(CUSTOMERS) == 8
    assert CUSTOMER_EMAIL in {customer["email"] for customer in CUSTOMERS}
    assert len({one["email"] for one in people}) == len({one["phone"] for one in people}) == 14
    assert all(re.fullmatch(r"[6-9]\d{9}", one["phone"]) for one in people)
    for customer in CUSTOMERS:
        assert customer["county"].upper() in indian_pincode.get_details(customer["pincode"])["districts"]


def test_sixty_vehicles_ten_a_vendor_and_five_a_locality() -> None:
    assert Counter(listing.vendor for listing in LISTINGS) == dict.fromkeys(VENDORS, 10)
    assert Counter(listing.place for listing in LISTINGS) == {place.name: 5 for place in PLACES}
    kinds = Counter(listing.facts.type for listing in LISTINGS)
    assert kinds == {"Scooter": 24, "Motorcycle": 18, "Electric": 8, "Car": 10}


def test_what_the_specification_names_is_among_the_vehicles_to_rent() -> None:
    offered = [listing for listing in LISTINGS if listing.is_active]
    assert {"Hybrid", "Diesel"} <= {listing.facts.engine_type for listing in offered}
    assert {"Semi-Automatic", "Manual", "Automatic"} == {listing.facts.transmission for listing in offered}
    assert {"SUV", "Sedan"} <= {listing.facts.body_type for listing in offered}
    asked = [price for listing in offered for price in fleet.prices(listing, 1) if price.price_name == FULL_DAY]
    assert {13_000, 20_000, 20_900, 30_000} <= {price.price_paise for price in asked}


def test_what_the_faq_says_of_ranges_is_true_of_some_vehicles() -> None:
    assert "terms on the vehicle's page say so" in RANGE.answer
    near = [listing for listing in LISTINGS if f"{figures_of(FIRST)['range']} of {CITY}" in vehicle_of(listing).terms]
    assert sum(listing.is_active for listing in near) >= 3
    assert len(near) <= len(LISTINGS) / 2


def test_vehicle_numbers_are_well_formed_and_unique() -> None:
    vehicles = [vehicle_of(listing) for listing in LISTINGS]
    for vehicle in vehicles:
        assert vehicle.rc_number == registration.rc_number(vehicle.rc_number)
        assert vehicle.rc_number.startswith("TG" if vehicle.year >= 2024 else "TS")
        assert vehicle.chassis_number == registration.chassis_number(vehicle.chassis_number)
        assert vehicle.engine_number == registration.engine_number(vehicle.engine_number)
    for column in ("rc_number", "chassis_number", "engine_number"):
        assert len({getattr(vehicle, column) for vehicle in vehicles}) == 60


@any_moment
def test_papers_are_valid_for_months_but_for_one(now: datetime) -> None:
    today = clock.indian_today(now)
    vehicles = [vehicle_of(listing, now) for listing in LISTINGS]
    insured = sorted((vehicle.insurance_expiry_date - today).days for vehicle in vehicles)
    assert 0 < insured[0] <= 30
    assert insured[1] >= 60
    assert all(60 <= (vehicle.pollution_expiry_date - today).days <= 335 for vehicle in vehicles)
    assert all(0 <= today.year - vehicle.year <= 7 and vehicle.last_serviced_date < today for vehicle in vehicles)


def test_what_vehicles_are_let_for() -> None:
    for vehicle in map(vehicle_of, LISTINGS):
        assert 5_000 <= vehicle.late_penalty_paise <= 20_000
        assert 300 <= vehicle.distance_penalty_paise <= 1_200
        assert 100_000 <= vehicle.deposit_paise <= 1_000_000
        assert 70 <= vehicle.speed_limit_kmph <= 100
        assert len(vehicle.terms.splitlines()) >= 4
    assert 1 <= sum(not listing.is_active for listing in LISTINGS) <= 5
    assert 3 <= sum(fleet.prices(listing, 1)[0].kms_limit == 0 for listing in LISTINGS) <= 20


@each("listing", LISTINGS)
def test_asked_prices_rise_with_the_length_and_stay_below_the_maximum(listing: SeedListing) -> None:
    asked = {price.price_name: price for price in fleet.prices(listing, vehicle_id=1)}
    assert tuple(asked) == PLAN_NAMES
    assert all(a.price_paise < b.price_paise for a, b in pairwise(asked.values()))
    assert all(price.price_paise <= listing.facts.plans[name][1] for name, price in asked.items())
    assert asked[FULL_DAY].status == "Active"
    limits = [price.kms_limit for price in asked.values()]
    assert limits == sorted(set(limits)) or set(limits) == {0}


@any_moment
def test_windows_are_inside_the_vendors_hours_and_of_bookable_length(now: datetime) -> None:
    for story in STORIES:
        window = story.window(now)
        assert story.opening_hours.refusal(window) is None, story
        assert timedelta(hours=24) <= window.return_at - window.pickup <= timedelta(days=6), story
        assert clock.indian(window.pickup).minute == clock.indian(window.return_at).minute == 0
        clock.check_window(window, story.requested(now))


@any_moment
def test_bookings_of_a_vehicle_never_overlap(now: datetime) -> None:
    windows: dict[str, list[Window]] = {}
    for story in STORIES:
        if story.outcome in ("confirmed", "pending"):
            windows.setdefault(story.plate, []).append(story.window(now))
    for of_one in windows.values():
        ordered = sorted(of_one, key=lambda window: window.pickup)
        assert all(earlier.return_at <= later.pickup for earlier, later in pairwise(ordered))


@pytest.mark.long
@any_moment
def test_every_story_is_told_in_order_on_its_side_of_now(now: datetime) -> None:
    rows = [booking_of(story, now) for story in STORIES]
    for row in rows:
        assert row.created_at < now
        assert row.created_at < row.pickup_at
        if row.status == "pending":
            assert row.decided_at is None
            assert now + timedelta(hours=4) <= row.answer_by <= row.pickup_at
        else:
            assert row.decided_at is not None
            assert row.created_at < row.decided_at <= min(now, row.pickup_at)
    held = [row for row in rows if row.status == "confirmed"]
    assert sum(row.return_at <= now for row in held) >= 15
    assert sum(row.pickup_at <= now < row.return_at for row in held) >= 1
    assert sum(row.pickup_at > now for row in held) >= 5
    assert all((story.window(now).pickup > now) == (story.day > 0) for story in STORIES)


def test_there_are_bookings_of_every_outcome_and_the_demo_customer_has_them_all() -> None:
    outcomes = {"confirmed", "pending", "vendor", "system", "customer"}
    assert len(STORIES) >= 40
    assert {story.outcome for story in STORIES} == outcomes
    assert {story.outcome for story in STORIES if story.customer == CUSTOMER_EMAIL} == outcomes
    assert {story.customer for story in STORIES} == {customer["email"] for customer in CUSTOMERS}


@any_moment
def test_the_demo_vendor_has_requests_to_answer_and_revenue_this_month(now: datetime) -> None:
    first, following = clock.month_bounds(now)
    own = [story for story in STORIES if VENDORS[PLATE_OWNER[story.plate]]["email"] == VENDOR_EMAIL]
    assert sum(story.outcome == "pending" for story in own) >= 3
    confirmed = [booking_of(story, now) for story in own if story.outcome == "confirmed"]
    assert sum(row.price_paise for row in confirmed if first <= row.pickup_at < following) > 0


def test_bikes_of_the_demo_bring_what_listers_are_promised() -> None:
    """The promise itself is the specification's: up to 15,000 rupees a month, from 10,000 on when well kept."""
    earned: Counter[tuple[str, int]] = Counter()
    for story in STORIES:
        if story.outcome == "confirmed" and LISTING_BY_PLATE[story.plate].facts.seats <= 2:
            earned[story.plate, story.day // 30] += booking_of(story, NOON).price_paise
    promised, best = re.findall(r"₹([\d,]+)", LISTER_RANGE.title), max(earned.values()) // 100
    assert LISTER.title == f"Earn up to ₹{promised[1]} per month per bike"
    assert best >= int(promised[0].replace(",", ""))


def test_prices_follow_the_product_rule() -> None:
    listing = next(one for one in LISTINGS if one.plate == "09GA7731")
    story = next(one for one in STORIES if one.plate == listing.plate)
    asked = {price.price_name: price.price_paise for price in fleet.prices(listing, 1)}
    half, daily = asked["Half Day"], asked[FULL_DAY]
    row = booking_of(story, NOON)
    assert (story.days, story.hours) == (1, 4)
    assert row.price_paise == daily + half
    assert row.lines == [
        {"label": FULL_DAY, "quantity": 1, "rate": daily, "amount": daily, "kind": "plan"},
        {"label": "Half Day", "quantity": 1, "rate": half, "amount": half, "kind": "plan"},
    ]


def test_each_listing_has_small_photos_of_its_four_sides() -> None:
    photos = {file_of(listing.plate, side) for listing in LISTINGS for side in PUBLIC_GROUPS}
    assert set(FOLDER.iterdir()) == photos
    for photo in photos:
        assert Image.open(photo).size == (960, 600)
        assert photo.stat().st_size <= CARD_BYTES
    assert sum(photo.stat().st_size for photo in photos) <= ALL_PHOTOS_BYTES
