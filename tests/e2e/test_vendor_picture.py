"""The vendor's profile picture: previewed, sent, shown, refused, kept while the connection is lost."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from rental_app.infrastructure.db import read
from rental_app.services.accounts import profile
from tests.e2e.conftest import Browse, Complaints
from tests.support.browser_steps import toast, visit
from tests.support.profile_picture import choose, named
from tests.support.shop import Shop, actor

pytestmark = pytest.mark.e2e
MEGABYTE = 1024 * 1024
PNG = b"\x89PNG\r\n\x1a\n"


def test_the_picture_is_previewed_sent_and_shown(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor)
    visit(page, "/vendor")
    dialog = choose(page, named("other.png"))
    expect(dialog.get_by_text("JPEG, PNG, WebP or HEIC, at most 12 MB")).to_be_visible()
    dialog = choose_another(page, "me.png")
    expect(dialog.get_by_role("img", name="me.png")).to_be_visible()
    expect(dialog.get_by_role("img", name="other.png")).to_have_count(0)
    dialog.get_by_role("button", name="Save picture").click()
    expect(toast(page, "Profile picture updated")).to_be_visible()
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("button", name="Change profile picture").locator("img")).to_have_attribute(
        "src", re.compile("^/media/public/")
    )
    assert read(profile.profile, actor(shop.vendor)).image


def choose_another(page: Page, name: str) -> Locator:
    """Choose a picture in the open dialog; return the dialog."""
    dialog = page.get_by_role("dialog", name="Profile picture")
    dialog.get_by_label("Add files to Profile picture").set_input_files(named(name))
    return dialog


def test_what_is_no_picture_is_refused(browse: Browse, shop: Shop, complaints: Complaints, tmp_path: Path) -> None:
    complaints.expected += ["status of 415", "status of 422"]
    page = browse(shop.vendor)
    visit(page, "/vendor")
    no_picture = "this is not a picture we can read (JPEG, PNG, WebP or HEIC)"
    for name, data, message in (
        ("notes.txt", b"text", no_picture),
        ("empty.png", b"", "this file is empty"),
        ("paper.png", b"%PDF-1.7", no_picture),
        ("huge.png", PNG + bytes(13 * MEGABYTE), "a file can have at most 12 MB"),
        ("broken.png", PNG + b"no picture at all", no_picture),
    ):
        # From a file: passing 13 MB as bytes would take ten seconds.
        (tmp_path / name).write_bytes(data)
        dialog = choose(page, tmp_path / name)
        expect(dialog.get_by_text(f"{name}: {message}")).to_be_visible()
        expect(toast(page, f"{name}: {message}")).to_be_visible()
        dialog.get_by_role("button", name="Save picture").click()
        expect(toast(page, "Choose a picture first")).to_be_visible()
        dialog.get_by_role("button", name="Cancel").click()
        expect(dialog).to_be_hidden()
    assert read(profile.profile, actor(shop.vendor)).image == ""


def test_back_closes_the_picture_and_a_reload_does_not_open_it(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor)
    visit(page, "/vendor")
    dialog = choose(page, named("me.png"))
    expect(dialog.get_by_role("img", name="me.png")).to_be_visible()
    page.go_back()
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("heading", name="Dashboard")).to_be_visible()
    dialog = choose(page, named("me.png"))
    expect(dialog).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Dashboard")).to_be_visible()
    expect(dialog).to_be_hidden()


def test_a_lost_connection_keeps_the_chosen_picture(browse: Browse, shop: Shop, complaints: Complaints) -> None:
    complaints.expected.append("ERR_INTERNET_DISCONNECTED")
    page = browse(shop.vendor)
    visit(page, "/vendor")
    page.route("**/api/vendor/uploads", lambda route: route.abort("internetdisconnected"))
    dialog = choose(page, named("me.png"))
    expect(dialog.get_by_text("me.png could not be sent")).to_be_visible()
    page.unroute_all()
    dialog.get_by_role("button", name="Save picture").click()
    expect(toast(page, "Profile picture updated")).to_be_visible()
