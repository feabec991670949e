"""The files of a new vehicle: sent when chosen or dropped, refused at their group, kept whatever goes wrong."""

import base64
import io
import re
from typing import Any

import obstore
import pytest
from PIL import Image
from playwright.sync_api import Route, expect
from sqlmodel import col, select

from rental_app.infrastructure.db import read
from rental_app.models import UnclaimedFile
from rental_app.services.files import storage
from tests.e2e.conftest import Browse, Complaints
from tests.support.browser_listing import (
    HERE,
    add_files,
    chooser,
    field,
    files_of,
    fill,
    have_gone_up,
    listed,
    photo,
    problems,
    submit,
)
from tests.support.browser_steps import settled, toast, visit
from tests.support.pictures import photo as heif
from tests.support.rest_helpers import pdf, png
from tests.support.shop import Shop

pytestmark = pytest.mark.e2e


def test_files_are_shown_removed_dropped_and_made_small(
    browse: Browse, complaints: Complaints, shop: Shop, script: str
) -> None:
    complaints.expected += ["status of 415", "status of 422"]
    page = browse(shop.vendor)
    visit(page, HERE)
    fill(page, **{"RC Number": "TS09EB0001"})
    add_files(page)
    scan = {"name": "scan.pdf", "mimeType": "application/pdf", "buffer": pdf()}
    chooser(page, "Insurance").set_input_files([scan, photo("second.jpg")])
    group = page.get_by_role("group", name="Insurance files")
    expect(group.get_by_role("listitem")).to_have_count(3)
    expect(group.get_by_text("scan.pdf")).to_be_visible()
    page.get_by_role("button", name="Remove Insurance.jpg from Insurance").click()
    expect(group.get_by_role("img")).to_have_count(1)
    no_picture = "this is not a picture we can read"
    no_paper = "this is not a picture (JPEG, PNG, WebP or HEIC) or a PDF"
    for title, name, content, told in (
        ("Front", "scan.pdf", pdf(), f"scan.pdf: {no_picture}"),
        ("Tyre", "notes.txt", b"x", f"notes.txt: {no_paper}"),
        ("Tyre", "empty.jpg", b"", "empty.jpg: this file is empty"),
        ("Pollution", "broken.pdf", b"%PDF-1.4 nothing", "broken.pdf: this PDF cannot be read"),
    ):
        chooser(page, title).set_input_files({"name": name, "mimeType": "image/jpeg", "buffer": content})
        expect(chooser(page, title)).to_have_accessible_description(re.compile(f"^{re.escape(told)}"))
        expect(toast(page, told)).to_be_visible()
        expect(page.get_by_role("button", name=re.compile(f"^Remove {re.escape(name)} from {title}"))).to_have_count(0)

    chooser(page, "RC").set_input_files(photo("large.jpg", (4000, 3000)))
    dropped = page.evaluate_handle(
        "base64 => { const data = new DataTransfer();"
        " data.items.add(new File([Uint8Array.from(atob(base64), c => c.charCodeAt(0))],"
        " 'dropped.png', {type: 'image/png'})); return data; }",
        base64.b64encode(png()).decode(),
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
    papers = [
        bytes(obstore.get(storage.store(), file.key).bytes()) for file in files_of(vehicle) if file.group_name == "RC"
    ]
    assert sorted(Image.open(io.BytesIO(data)).size for data in papers) == [(64, 48), (2000, 1500)]


@pytest.mark.long
def test_a_lost_connection_keeps_everything_and_two_clicks_list_once(
    browse: Browse, complaints: Complaints, shop: Shop
) -> None:
    complaints.expected.append("net::ERR_FAILED")
    page = browse(shop.vendor)
    visit(page, HERE)
    fill(page, **{"RC Number": "TS09EB0002"})
    add_files(page)
    page.route("**/api/vendor/uploads", lambda route: route.abort())
    chooser(page, "RC").set_input_files([photo("second.jpg"), photo("third.jpg")])
    expect(toast(page, "third.jpg could not be sent. Check your connection and try again.")).to_be_visible()
    expect(page.get_by_role("button", name="Try again")).to_have_count(2)
    page.unroute("**/api/vendor/uploads")
    page.get_by_role("button", name="Try again").first.click()
    expect(page.get_by_role("button", name="Try again")).to_have_count(1)
    have_gone_up(page)

    # The form is sent once its last file has been uploaded; until then a second click changes nothing.
    waiting: list[Route] = []
    page.route("**/api/vendor/uploads", lambda route: waiting.append(route))
    button = page.get_by_role("button", name="List Your Vehicle")
    button.click()
    button.click()
    expect(page.get_by_role("progressbar", name="Upload of third.jpg")).to_be_visible()
    settled(page)
    assert listed(shop) == []
    waiting[0].continue_()
    expect(toast(page, "Vehicle listed successfully")).to_be_visible()
    (vehicle,) = listed(shop)
    assert [file.group_name for file in files_of(vehicle)].count("RC") == 3
    for label in ("Vehicle Type", "Model", "Year", "Color", "RC Number", "Insurance Expiry Date"):
        expect(field(page, label)).to_have_value("")
    expect(page.get_by_role("button", name=re.compile("^Remove "))).to_have_count(0)


@pytest.mark.long
def test_what_is_transparent_is_white_where_the_browser_has_made_it_small(browse: Browse, shop: Shop) -> None:
    page, drawn = browse(shop.vendor), io.BytesIO()
    Image.new("RGBA", (3000, 2000)).save(drawn, "PNG")
    visit(page, HERE)
    chooser(page, "RC").set_input_files({"name": "logo.png", "mimeType": "image/png", "buffer": drawn.getvalue()})
    have_gone_up(page)
    (key,) = of_uploads(shop, UnclaimedFile.key)
    stored = Image.open(io.BytesIO(bytes(obstore.get(storage.store(), key).bytes())))
    assert (stored.format, stored.size, stored.getpixel((1000, 600))) == ("JPEG", (2000, 1333), (255, 255, 255))


def of_uploads(shop: Shop, column: Any) -> list[Any]:
    """Return a column of a vendor's uploads, in their order."""
    found = select(column).where(UnclaimedFile.vendor_id == shop.vendor.id).order_by(col(UnclaimedFile.id))
    return read(lambda session: list(session.exec(found)))


def test_a_photo_that_the_browser_cannot_show_is_shown_as_it_was_stored(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor)
    visit(page, HERE)
    heic = {"name": "IMG_0001.HEIC", "mimeType": "image/heic", "buffer": heif("HEIF", (640, 480))}
    expect(chooser(page, "Front")).to_have_attribute("accept", re.compile(r"image/heic.*\.heic"))
    chooser(page, "Front").set_input_files(heic)
    have_gone_up(page)
    expect(page.get_by_role("img", name="IMG_0001.HEIC")).to_have_js_property("naturalWidth", 640)
