"""The files of a new vehicle: chosen, dropped, sent once, kept when the network or the server refuses."""

import io
import re

import pytest
from PIL import Image
from playwright.sync_api import Request, Route, expect

from rental_app.services import files
from tests.api.helpers import pdf
from tests.e2e.conftest import Browse, Complaints
from tests.e2e.listing import (
    HERE,
    TYPED,
    add_files,
    chooser,
    field,
    files_of,
    fill,
    listed,
    photo,
    problems,
    submit,
)
from tests.e2e.steps import toast, visit
from tests.helpers import Shop

pytestmark = pytest.mark.e2e


def test_files_are_shown_removed_dropped_and_made_small(browse: Browse, shop: Shop, script: str) -> None:
    page = browse(shop.vendor)
    visit(page, HERE)
    fill(page, **{"RC Number": "TS09EB0001"})
    add_files(page)
    scan = {"name": "scan.pdf", "mimeType": "application/pdf", "buffer": pdf()}
    chooser(page, "Insurance").set_input_files([scan, photo("second.jpg")])
    group = page.get_by_role("group", name="Insurance files")
    expect(group.get_by_role("listitem")).to_have_count(4)
    expect(group.get_by_text("scan.pdf")).to_be_visible()
    page.get_by_role("button", name="Remove Insurance.jpg from Insurance").click()
    expect(group.get_by_role("img")).to_have_count(1)
    chooser(page, "Front").set_input_files(scan)
    expect(page.get_by_text("scan.pdf is a PDF: add a photo (JPEG, PNG or WebP)")).to_be_visible()
    chooser(page, "Tyre").set_input_files({"name": "notes.txt", "mimeType": "text/plain", "buffer": b"x"})
    expect(page.get_by_text("notes.txt cannot be used")).to_be_visible()
    for name, content, told in (
        ("empty.jpg", b"", "empty.jpg is empty"),
        ("lying.png", b"GIF89a\x01", "lying.png is not what its name says: add a JPEG, PNG or WebP, or a PDF"),
    ):
        mime = f"image/{name[-3:].replace('jpg', 'jpeg')}"
        chooser(page, "Tyre").set_input_files({"name": name, "mimeType": mime, "buffer": content})
        expect(chooser(page, "Tyre")).to_have_accessible_description(told)
    chooser(page, "Back").set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": pdf()})
    expect(chooser(page, "Back")).to_have_accessible_description("a.png is a PDF: add a photo (JPEG, PNG or WebP)")

    chooser(page, "RC").set_input_files(photo("large.jpg", (4000, 3000)))
    dropped = page.evaluate_handle(
        "() => { const data = new DataTransfer();"
        " data.items.add(new File([Uint8Array.from(atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNg+M"
        "/wHwAEAQH/cetIrQAAAABJRU5ErkJggg=='), c => c.charCodeAt(0))],"
        " 'dropped.png', {type: 'image/png'})); return data; }"
    )
    engine = page.get_by_role("group", name="Engine files")
    engine.dispatch_event("drop", {"dataTransfer": dropped})
    remove = page.get_by_role("button", name="Remove dropped.png from Engine")
    expect(remove).to_be_visible()
    assert "\n".join(problems(page, script)) == ""
    remove.click()
    submit(page)
    expect(toast(page, "Vehicle listed successfully")).to_be_visible()

    (vehicle,) = listed(shop)
    kept = {(file.group_name, file.content_type): file for file in files_of(vehicle)}
    assert ("Insurance", "application/pdf") in kept
    papers = [files.load(file.key) for file in files_of(vehicle) if file.group_name == "RC"]
    assert sorted(Image.open(io.BytesIO(data)).size for data in papers) == [(64, 48), (2000, 1500)]


def test_a_failed_upload_keeps_everything_and_two_clicks_list_once(
    browse: Browse, complaints: Complaints, shop: Shop
) -> None:
    complaints.expected.append("net::ERR_FAILED")
    page = browse(shop.vendor)
    visit(page, HERE)
    fill(page, **{"RC Number": "TS09EB0002"})
    add_files(page)
    page.route("**/api/vendor/add-vehicle", lambda route: route.abort())
    submit(page)
    expect(toast(page, "The connection failed. Nothing you entered is lost: please try again.")).to_be_visible()
    expect(field(page, "Model").locator("option:checked")).to_have_text("Activa 6G")
    for label in ("Color", "Owner Name (as per RC)"):
        expect(field(page, label)).to_have_value(TYPED[label])
    expect(page.get_by_role("button", name=re.compile("^Remove "))).to_have_count(10)
    page.unroute("**/api/vendor/add-vehicle")

    sent: list[Request] = []
    waiting: list[Route] = []
    page.route("**/api/vendor/add-vehicle", lambda route: waiting.append(route))
    page.on("request", lambda request: sent.append(request) if "add-vehicle" in request.url else None)
    submit(page)
    button = page.get_by_role("button", name="Listing...")
    expect(button).to_be_visible()
    expect(page.get_by_role("progressbar", name="Upload")).to_be_visible()
    button.click(force=True)
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    waiting[0].continue_()
    expect(toast(page, "Vehicle listed successfully")).to_be_visible()
    assert len([request for request in sent if request.method == "POST"]) == 1
    assert len(listed(shop)) == 1
    for label in ("Vehicle Type", "Model", "Year", "Color", "RC Number", "Insurance Expiry Date"):
        expect(field(page, label)).to_have_value("")
    expect(page.get_by_role("button", name=re.compile("^Remove "))).to_have_count(0)


def test_what_the_server_refuses_stands_beside_the_field(browse: Browse, complaints: Complaints, shop: Shop) -> None:
    complaints.expected += ["status of 409", "status of 415"]
    page = browse(shop.vendor)
    visit(page, HERE)
    fill(page, **{"RC Number": shop.vehicle.rc_number})
    add_files(page)
    submit(page)
    told = f"A vehicle with the RC number {shop.vehicle.rc_number} is already listed"
    expect(toast(page, told)).to_be_visible()
    expect(field(page, "RC Number")).to_have_accessible_description(told)
    expect(field(page, "RC Number")).to_be_focused()
    field(page, "RC Number").fill("TS09EB0003")
    broken = {"name": "broken.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.4 nothing"}
    chooser(page, "Pollution").set_input_files(broken)
    submit(page)
    expect(chooser(page, "Pollution")).to_have_accessible_description(re.compile("this PDF cannot be read"))
    page.get_by_role("button", name="Remove broken.pdf from Pollution").click()
    submit(page)
    expect(toast(page, "Vehicle listed successfully")).to_be_visible()
