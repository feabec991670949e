"""The vendor next to the vehicle, with a phone: from the handover to the settled account."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from rental_app.domain import clock
from rental_app.domain.uploads import PUBLIC_GROUPS
from rental_app.infrastructure.db import write
from rental_app.models import Booking, User
from rental_app.schemas.readings import PAPERS, HandoverData
from rental_app.schemas.trips import TripView
from rental_app.seed.fleet import LISTINGS
from rental_app.seed.photos import photos
from rental_app.services.files import storage
from rental_app.services.trips import readings
from tests.e2e.conftest import PHONE, Browse, Complaints
from tests.support.booking_steps import alter, ask
from tests.support.browser_listing import chooser, have_gone_up, photo, problems
from tests.support.browser_steps import ready, toast, type_moment, visit
from tests.support.shop import DAILY_PAISE, Shop, actor
from tests.support.trips import confirmed, pay, seen

pytestmark = pytest.mark.e2e
ON_THE_PHONE = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


def due_now(shop: Shop, hours: float = 1) -> TripView:
    """A confirmed booking whose pickup is this many hours ahead."""
    trip = confirmed(shop)
    pickup = clock.now().replace(second=0, microsecond=0) + timedelta(hours=hours)
    alter(Booking, trip.id, pickup_at=pickup, return_at=pickup + timedelta(days=2))
    return seen(shop.vendor, trip.id)


def hand_over(shop: Shop, trip: TripView) -> None:
    """Hand the vehicle over, with photos that can be viewed."""
    read = HandoverData(odometer=1300, fuel_eighths=8, papers_seen=list(PAPERS), helmets=1)
    taken = photos(LISTINGS[0].plate, 1300)
    with storage.storing(taken):
        write(readings.hand_over, actor(shop.vendor), trip.reference, read, taken)


def come_back(trip: TripView) -> None:
    """Make a vehicle that is out due back an hour ago."""
    back = clock.now() - timedelta(hours=1)
    alter(Booking, trip.id, pickup_at=back - timedelta(days=2), return_at=back)


def open_booking(page: Page, trip: TripView) -> None:
    visit(page, f"/vendor/bookings/{trip.reference}")
    expect(page.get_by_role("heading", name="Honda Activa 6G")).to_be_visible()


def step(page: Page, title: str) -> Locator:
    return page.get_by_role("form", name=title, exact=True)


def save(page: Page, title: str) -> None:
    step(page, title).get_by_role("button", name=f"Save {title}").click()
    done = page.get_by_role("heading", name=re.compile(rf"^\d\. {title} ?Done$"))
    expect(done).to_be_visible()


def take(page: Page, *groups: str) -> None:
    for group in groups:
        chooser(page, group).set_input_files(photo(f"{group}.jpg"))
        expect(page.get_by_role("img", name=f"{group}.jpg")).to_be_visible()
    have_gone_up(page)


def answer(page: Page, button: str) -> None:
    page.get_by_role("alertdialog").get_by_role("button", name=button, exact=True).click()


def test_a_handover_survives_a_lost_tab_and_the_customer_is_charged_what_was_shown(
    browse: Browse, complaints: Complaints, shop: Shop, script: str
) -> None:
    trip = due_now(shop)
    alter(User, shop.vendor.id, upi_id="shop@bank")
    page, other = (browse(shop.vendor, **ON_THE_PHONE) for _ in range(2))
    for phone in (other, page):
        open_booking(phone, trip)
    for paper in ("Government ID", "Driving licence", "Work proof", "Residence proof"):
        step(page, "Documents seen").get_by_label(paper).check()
    save(page, "Documents seen")
    # The camera is used, not the gallery.
    expect(chooser(page, "Front")).to_have_attribute("capture", "environment")
    take(page, "Front", "Odometer Reading")
    page.get_by_label("Odometer (km)").press_sequentially("1300")
    expect(page.get_by_role("heading", name=re.compile(r"Odometer ?Done$"))).to_be_visible()
    assert problems(page, script) == []

    for phone in (other, page):
        phone.reload()
        ready(phone)
        expect(phone.get_by_label("Odometer (km)")).to_have_value("1300")
        expect(phone.get_by_role("img", name="Front.jpg")).to_be_visible()
        expect(phone.get_by_label("Work proof")).to_be_checked()
        expect(phone.get_by_text("Still to do: Fuel or charge, Photos")).to_be_visible()
    page.get_by_role("button", name="Hand the vehicle over").click()
    answer(page, "Hand over")
    expect(toast(page, "Fuel or charge")).to_be_visible()
    expect(page.get_by_label("How full, in eighths")).to_have_accessible_description(re.compile("Please fill this in"))
    page.get_by_label("How full, in eighths").select_option("3/4")
    save(page, "Fuel or charge")
    take(page, *PUBLIC_GROUPS[1:])
    save(page, "Photos")

    rent = page.get_by_role("form", name="Rent to be paid")
    rent.get_by_role("button", name="UPI code").click()
    expect(rent.get_by_role("img", name="UPI code for ₹1,000")).to_be_visible()
    expect(rent.get_by_label("How")).to_have_value("upi")
    amount = rent.get_by_label("Amount")
    amount.fill("a lot")
    rent.get_by_role("button", name="Rent received").click()
    expect(amount).to_be_focused()
    expect(amount).to_have_accessible_description("Enter an amount in rupees")
    amount.fill("Rs 1,000")
    rent.get_by_label("How").select_option("UPI")
    rent.get_by_role("button", name="Rent received").click()
    expect(rent).to_have_count(0)
    expect(page.get_by_role("region", name="Payments")).to_be_focused()
    page.get_by_role("button", name="Hand the vehicle over").click()
    answer(page, "Hand over")
    # The deposit is unpaid.
    unpaid = page.get_by_role("form", name="Hand over with money unpaid")
    unpaid.get_by_label("Why it goes out unpaid").fill("Pays at the return")
    unpaid.get_by_role("button", name="Hand over with money unpaid").click()
    expect(toast(page, "Vehicle handed over")).to_be_visible()
    expect(page.get_by_text("On the road")).to_be_visible()
    noted = page.get_by_role("region", name="At handover")
    expect(noted.get_by_role("img", name="Odometer Reading")).to_be_visible()
    out = seen(shop.customer, trip.id)
    assert out.handover
    assert (out.stage, out.handover.odometer, out.handover.fuel_eighths) == ("out", 1300, 6)
    assert out.balance.rent == 0


def test_a_step_without_a_connection_is_kept_on_the_page(browse: Browse, complaints: Complaints, shop: Shop) -> None:
    complaints.expected += ["ERR_INTERNET_DISCONNECTED", "WebSocket"]
    trip = due_now(shop)
    page = browse(shop.vendor, **ON_THE_PHONE, fresh=True)
    open_booking(page, trip)
    expect(chooser(page, "Front")).to_be_attached()
    page.context.set_offline(True)
    chooser(page, "Front").set_input_files(photo("Front.jpg"))
    again = page.get_by_role("group", name="Front files").get_by_role("button", name="Try again")
    expect(again).to_be_visible()
    # The dialog, like the toast, is loaded on first use: both arrive once the connection is back.
    page.get_by_role("button", name="Hand the vehicle over").click()
    page.get_by_role("textbox", name="Helmets").fill("2")
    page.context.set_offline(False)
    answer(page, "Not now")
    again.click()
    have_gone_up(page)
    expect(page.get_by_role("textbox", name="Helmets")).to_have_value("2")
    expect(page.get_by_role("status", name="Connection")).to_be_empty(timeout=30_000)
    save(page, "Helmets")


def test_a_photo_that_could_not_be_sent_is_named_after_a_reload(
    browse: Browse, complaints: Complaints, shop: Shop
) -> None:
    complaints.expected.append("net::ERR_FAILED")
    trip = due_now(shop)
    page = browse(shop.vendor, **ON_THE_PHONE, fresh=True)
    page.on("dialog", lambda dialog: dialog.accept())
    open_booking(page, trip)
    page.route("**/api/vendor/uploads", lambda route: route.abort())
    chooser(page, "Front").set_input_files(photo("Front.jpg"))
    expect(page.get_by_role("group", name="Front files").get_by_role("button", name="Try again")).to_be_visible()
    page.reload()
    expect(chooser(page, "Front")).to_have_accessible_description("Choose again: Front.jpg")
    page.reload()
    expect(chooser(page, "Front")).to_be_attached()
    expect(page.get_by_text("Choose again")).to_have_count(0)


def test_a_return_is_priced_before_it_is_final_and_settled_after(browse: Browse, shop: Shop, script: str) -> None:
    trip = due_now(shop)
    hand_over(shop, trip)
    pay(shop, trip.id, trip.price)
    pay(shop, trip.id, trip.deposit, "deposit")
    come_back(trip)
    page = browse(shop.vendor, **ON_THE_PHONE)
    open_booking(page, trip)
    costs = page.get_by_role("status", name="What a return now costs")
    expect(costs).to_contain_text("Late return")
    page.get_by_label("Odometer (km)").fill("1520")
    expect(costs).to_contain_text("20 km beyond those included")
    take(page, "Odometer Reading", *PUBLIC_GROUPS)
    page.get_by_label("How full, in eighths").select_option("Full")
    save(page, "Fuel or charge")
    broken = page.get_by_role("form", name="Damage")
    broken.get_by_label("What is damaged").fill("Mirror")
    broken.get_by_label("Price (₹)").fill("350")
    take(page, "Damage")
    broken.get_by_role("button", name="Add damage").click()
    expect(costs).to_contain_text("₹350")
    expect(broken.get_by_label("What is damaged")).to_have_value("")
    assert problems(page, script) == []

    page.get_by_role("button", name="Take the vehicle back").click()
    answer(page, "Take back")
    expect(toast(page, "Vehicle taken back")).to_be_visible()
    account = page.get_by_role("region", name="Account")
    expect(account.get_by_role("img", name="Damage: Mirror")).to_be_visible()
    back = page.get_by_role("form", name="Deposit to be given back")
    back.get_by_role("button", name="Deposit given back").click()
    expect(page.get_by_role("status").filter(has_text="Settled")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Receipt").click()
    assert saved.value.suggested_filename == f"receipt-{trip.reference}.pdf"
    history = page.get_by_role("region", name="History").get_by_role("listitem")
    expect(history.last).to_contain_text("Settled")
    assert seen(shop.customer, trip.id).stage == "settled"


def test_a_wrong_line_is_taken_back_and_a_booking_extended(browse: Browse, shop: Shop) -> None:
    trip = confirmed(shop, days=4)
    pay(shop, trip.id, 40_000)
    page = browse(shop.vendor)
    visit(page, "/vendor/manage-bookings")
    expect(page.get_by_text(trip.reference)).to_be_visible()
    page.get_by_role("row").get_by_role("link", name="Honda Activa 6G").click()
    expect(page.get_by_text("The handover can be noted from")).to_be_visible()
    page.get_by_role("button", name="Take back Rent paid, ₹400").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Take back").click()
    expect(dialog.get_by_label("Why it is wrong")).to_have_accessible_description(re.compile("Please fill this in"))
    expect(dialog.get_by_label("Why it is wrong")).to_be_focused()
    dialog.get_by_label("Why it is wrong").fill("Typed twice")
    dialog.get_by_role("button", name="Take back").click()
    expect(page.get_by_text("Rent paid, taken back", exact=True)).to_be_visible()
    type_moment(page, "New return", trip.return_at + timedelta(days=1))
    page.get_by_role("button", name="Check this return").click()
    later = page.get_by_role("textbox", name="New return")
    expect(later).to_have_accessible_description(re.compile("costs the customer ₹500 more"))
    ask(shop.vehicle, DAILY_PAISE // 2)
    page.get_by_role("button", name="Check this return").click()
    expect(page.get_by_role("alertdialog")).to_contain_text("nothing more, ₹1,000 total")
    answer(page, "Extend")
    expect(toast(page, "Booking extended")).to_be_visible()


def test_a_customer_who_did_not_come(browse: Browse, shop: Shop) -> None:
    trip = due_now(shop, hours=-3)
    page = browse(shop.vendor)
    open_booking(page, trip)
    page.get_by_role("button", name="Mark a no-show").click()
    answer(page, "Not now")
    assert seen(shop.vendor, trip.id).stage == "booked"
    page.get_by_role("button", name="Mark a no-show").click()
    answer(page, "Mark a no-show")
    expect(page.get_by_role("status").filter(has_text="The customer did not come")).to_be_visible()
    visit(page, "/vendor/bookings/PH-AAAAAA")
    expect(page.get_by_role("heading", name="There is no such booking")).to_be_visible()
