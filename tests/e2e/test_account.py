"""A forgotten password and one's own account, in the browser."""

import re
from datetime import timedelta
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zipfile import is_zipfile

import pyotp
import pytest
from playwright.sync_api import Locator, Page, expect
from sqlalchemy import select, update
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.infrastructure.db import read, write
from rental_app.models import LoginSession, Outbox, User
from tests.e2e.conftest import PHONE, Browse
from tests.support.app import App
from tests.support.browser_steps import ready, reload, visit
from tests.support.rest_helpers import jpeg
from tests.support.shop import PASSWORD, Shop
from tests.support.within import until

pytestmark = pytest.mark.e2e
NEW, NEWER = "a quite different secret", "yet another long secret"


def link_sent(app: App, user: User) -> str:
    """Wait for the message with a link, and return the link."""
    newest = select(col(Outbox.id)).where(col(Outbox.user_id) == user.id).order_by(col(Outbox.id).desc())
    file = app.folder / "mail" / f"{read(lambda session: session.scalars(newest).first())}.eml"
    return re.search(r"http\S+token=[\w-]+", _text(file))[0]  # type: ignore[index]


def _text(file: Path) -> str:
    until(file.exists)
    body = message_from_bytes(file.read_bytes(), policy=policy.default).get_body(("plain",))
    assert body
    return str(body.get_content())


def log_in(page: Page, user: User, password: str) -> None:
    page.get_by_label("Email").fill(user.email)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("dialog").get_by_role("button", name="Login").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def e_mails_fit_a_phone_and_lead_to_us_alone(app: App, page: Page) -> None:
    """Check all that have been sent."""
    for file in sorted((app.folder / "mail").glob("*.eml")):
        message = message_from_bytes(file.read_bytes(), policy=policy.default)
        plain, shown = message.get_body(("plain",)), message.get_body(("html",))
        assert plain
        assert shown
        assert plain.get_content().strip()
        page.set_content(shown.get_content())
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, message["Subject"]
        links = page.evaluate("[...document.links].map((link) => new URL(link.href).host)")
        assert set(links) == {urlsplit(app.url).netloc}, message["Subject"]


def test_a_forgotten_password_is_set_anew_by_link(app: App, browse: Browse, shop: Shop) -> None:
    page = browse(viewport=PHONE)
    visit(page, "/")
    page.get_by_role("button", name="Menu", exact=True).click()
    page.get_by_role("button", name="Login").click()
    page.get_by_role("link", name="Forgot password?").click()
    expect(page.get_by_role("heading", name="Forgot your password?")).to_be_visible()
    page.get_by_label("Email").fill(shop.customer.email)
    page.get_by_role("button", name="Send me a link").click()
    expect(page.get_by_text("a message with a link is on its way")).to_be_visible()
    link = link_sent(app, shop.customer)
    visit(page, link)
    # Neither the history nor anybody who looks at the screen has the token.
    expect(page).to_have_url(re.compile(r"/reset-password/?$"))
    expect(page.get_by_label("Link from the message")).to_be_hidden()
    box = page.get_by_label("New password", exact=True)
    box.fill("password1")
    page.get_by_role("button", name="Set the new password").click()
    expect(page.get_by_text("easy to guess", exact=False).last).to_be_visible()
    expect(box).to_be_focused()
    assert box.get_attribute("type") == "password"
    page.get_by_role("button", name="Show password").click()
    assert (box.get_attribute("type"), box.input_value()) == ("text", "password1")
    box.fill(NEW)
    page.get_by_role("button", name="Set the new password").click()
    expect(page.get_by_text("Your new password is set")).to_be_visible()
    # A tab that has used one link opens the next one, too.
    visit(page, link)
    box.fill(NEWER)
    expect(page.get_by_label("Link from the message")).to_be_hidden()
    page.get_by_role("button", name="Set the new password").click()
    expect(page.get_by_text("This link no longer works")).to_be_visible()
    visit(page, "/")
    page.get_by_role("button", name="Menu", exact=True).click()
    page.get_by_role("button", name="Login").click()
    log_in(page, shop.customer, NEW)
    e_mails_fit_a_phone_and_lead_to_us_alone(app, browse(viewport=PHONE))


def test_an_account_is_looked_after_on_its_page(browse: Browse, shop: Shop) -> None:
    page = browse(shop.customer)
    visit(page, "/")
    page.get_by_role("button", name=shop.customer.name).click()
    page.get_by_role("link", name="Account", exact=True).click()
    expect(page.get_by_role("heading", name="Devices")).to_be_visible()
    page.get_by_role("button", name="Change", exact=True).click()
    page.get_by_label("Name").fill("Asha Rao")
    page.get_by_label("Pincode").fill("500081")
    expect(page.get_by_label("State")).to_have_value("Telangana")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Asha Rao")).to_be_visible()
    page.get_by_role("button", name="Change password").click()
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_label("New password", exact=True).fill(NEWER)
    page.get_by_role("dialog").get_by_role("button", name="Change password").click()
    # What it says in the dialog is there before it is so.
    expect(page.get_by_role("dialog")).to_have_count(0)
    reload(page)
    ready(page)
    expect(page.get_by_role("button", name="Asha Rao")).to_be_visible()
    other = page.context.new_page()
    visit(other, "/account")
    other.get_by_role("button", name="Change password").click()
    other.get_by_label("Current password").fill("half typed")
    page.get_by_role("button", name="Logout").click()
    # The other tab of this browser shows nothing private any more, and asks nothing.
    expect(other.get_by_role("dialog")).to_have_count(0)
    expect(other.get_by_role("heading", name="Log in to see your account")).to_be_visible()
    assert other.evaluate("localStorage.token") is None
    other.close()


def text_sent(app: App) -> str:
    """Wait for the text message that is sent last, and return its code."""
    newest = select(col(Outbox.id)).where(col(Outbox.channel) == "sms").order_by(col(Outbox.id).desc())
    file = app.folder / "sms" / f"{read(lambda session: session.scalars(newest).first())}.txt"
    until(file.exists)
    return re.search(r"\b[0-9]{6}\b", file.read_text(encoding="utf-8").split("\n\n", 1)[1])[0]  # type: ignore[index]


def test_a_number_is_confirmed_and_logs_in_by_a_code(app: App, browse: Browse, shop: Shop) -> None:
    page = browse(shop.customer, viewport=PHONE)
    visit(page, "/account")
    page.get_by_role("button", name="Verify mobile number").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Send me a code").click()
    expect(dialog.get_by_label("Code from the text message")).to_be_focused()
    dialog.get_by_label("Code from the text message").fill(text_sent(app))
    dialog.get_by_role("button", name="Confirm").click()
    expect(page.get_by_text("Confirmed: you can log in with a code sent to it")).to_be_visible()
    visitor = browse(viewport=PHONE)
    visit(visitor, "/account")
    visitor.get_by_role("main").get_by_role("button", name="Log in").click()
    visitor.get_by_role("button", name="Log in with a code by text").click()
    expect(visitor.get_by_label("Mobile number")).to_be_focused()
    visitor.get_by_label("Mobile number").fill(shop.customer.phone_number)
    visitor.get_by_role("dialog").get_by_role("button", name="Text me a code").click()
    box = visitor.get_by_label("Code from the text message")
    expect(box).to_be_focused()
    assert (box.input_value(), box.get_attribute("autocomplete")) == ("", "one-time-code")
    box.fill(text_sent(app))
    visitor.get_by_role("dialog").get_by_role("button", name="Login").click()
    expect(visitor.get_by_text("You have logged in with a code")).to_be_visible()
    visitor.get_by_role("button", name="Give password").click()
    visitor.get_by_label("Current password").fill(PASSWORD)
    visitor.get_by_role("dialog").get_by_role("button", name="Confirm").click()
    expect(visitor.get_by_text("You have logged in with a code")).to_have_count(0)


def recovery_codes_can_be_kept(page: Page, dialog: Locator, user: User, shown: list[str]) -> None:
    """Check what is saved of the codes in a dialog, and that nothing else is printed."""
    with page.expect_download() as saved:
        dialog.get_by_role("button", name="Download").click()
    assert saved.value.suggested_filename == "recovery-codes.txt"
    assert saved.value.path().read_text().split()[-len(shown) :] == shown
    page.evaluate("window.print = () => { window.printed = true; }")
    dialog.get_by_role("button", name="Print").click()
    assert page.evaluate("window.printed")
    page.emulate_media(media="print")
    expect(page.get_by_text(f": recovery codes of {user.email}")).to_be_visible()
    expect(page.get_by_text(shown[9])).to_be_visible()
    expect(page.get_by_role("button")).to_have_count(0)
    expect(page.get_by_role("heading", name="Account", exact=True)).to_have_count(0)
    page.emulate_media(media="screen")


def test_a_second_step_is_set_up_and_asked_for(browse: Browse, shop: Shop) -> None:
    page = browse(shop.customer)
    visit(page, "/account")
    page.get_by_role("button", name="Set up app").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Current password").fill(PASSWORD)
    dialog.get_by_role("button", name="Continue").click()
    expect(dialog.get_by_role("img", name="QR code with the key for your app")).to_be_visible()
    key = pyotp.TOTP(dialog.get_by_label("Key", exact=True).inner_text())
    dialog.get_by_label("Code that the app shows").fill(key.at(clock.now()))
    dialog.get_by_role("button", name="Confirm").click()
    codes = dialog.get_by_role("list", name="Recovery codes").get_by_role("listitem")
    expect(codes).to_have_count(10)
    shown = codes.all_inner_texts()
    # Closed by mistake, or reloaded, they are shown again.
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_text("On: you need its code to log in, too")).to_be_visible()
    reload(page)
    page.get_by_role("button", name="Show recovery codes").click()
    expect(codes).to_have_count(10)
    assert codes.all_inner_texts() == shown
    recovery_codes_can_be_kept(page, dialog, shop.customer, shown)
    dialog.get_by_role("button", name="I have kept them").click()
    expect(page.get_by_text("10 of 10 left", exact=True)).to_be_visible()
    page.get_by_role("button", name="New recovery codes").click()
    dialog.get_by_label("Current password").fill(PASSWORD)
    dialog.get_by_label("Code from the app, or a recovery code").fill(shown[1])
    dialog.get_by_role("button", name="Make new codes").click()
    expect(codes).to_have_count(10)
    code = codes.first.inner_text()
    assert code not in shown
    dialog.get_by_role("button", name="I have kept them").click()
    expect(dialog).to_have_count(0)
    visitor = browse()
    visit(visitor, "/account")
    visitor.get_by_role("main").get_by_role("button", name="Log in").click()
    visitor.get_by_label("Email").fill(shop.customer.email)
    visitor.get_by_label("Password", exact=True).fill(PASSWORD)
    visitor.get_by_role("dialog").get_by_role("button", name="Login").click()
    visitor.get_by_label("Code from your app").fill("000000")
    visitor.get_by_role("dialog").get_by_role("button", name="Login").click()
    expect(visitor.get_by_role("dialog").get_by_text("This code is not right")).to_be_visible()
    visitor.get_by_label("Code from your app").fill(code)
    visitor.get_by_role("dialog").get_by_role("button", name="Login").click()
    expect(visitor.get_by_role("heading", name="Devices")).to_be_visible()


# A browser without WebAuthn's helpers for JSON (Safari before 18.4), and password managers that answer in its place:
# with what only looks like a browser's answer, whose own helper refuses it, or with a plain object.
WITHOUT_HELPERS = """
for (const name of ["parseCreationOptionsFromJSON", "parseRequestOptionsFromJSON"]) delete PublicKeyCredential[name];
delete PublicKeyCredential.prototype.toJSON;
"""
MANAGER = """
const NAMES = ["clientDataJSON", "attestationObject", "authenticatorData", "signature"];
for (const act of ["create", "get"]) {
  const own = navigator.credentials[act].bind(navigator.credentials);
  navigator.credentials[act] = async (options) => {
    const { id, rawId, type, response: real } = await own(options);
    const response = Object.fromEntries(NAMES.filter((name) => real[name]).map((name) => [name, real[name]]));
    const told = Object.entries({ id, rawId, type, response });
    const made = Object.create(LIKE);
    for (const [name, value] of told) Object.defineProperty(made, name, { value, enumerable: true });
    return made;
  };
}
"""
BROWSERS = {
    "new": "",
    "old": WITHOUT_HELPERS,
    "lookalike": MANAGER.replace("LIKE", "PublicKeyCredential.prototype"),
    "plain": MANAGER.replace("LIKE", "Object.prototype"),
}


@pytest.mark.parametrize(
    "made", ["new", "old", *(pytest.param(one, marks=pytest.mark.long) for one in ("lookalike", "plain"))]
)
def test_a_passkey_is_added_and_logs_in(browse: Browse, shop: Shop, made: str) -> None:
    page = browse(shop.customer, fresh=True)
    page.context.add_init_script(f"if (window.PublicKeyCredential) {{ {BROWSERS[made]} }}")
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    kind = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    held = kind | {"isUserVerified": True, "automaticPresenceSimulation": True}
    device.send("WebAuthn.addVirtualAuthenticator", {"options": held})
    visit(page, "/account")
    page.get_by_role("button", name="Add passkey").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("What to call it").fill("My phone")
    dialog.get_by_label("Current password").fill(PASSWORD)
    dialog.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Remove passkey My phone")).to_be_visible()
    page.get_by_role("button", name="Add passkey").click()
    dialog.get_by_label("What to call it").fill("The same phone")
    dialog.get_by_label("Current password").fill(PASSWORD)
    dialog.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("This device has a passkey for this account already")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Logout").click()
    # The home page, where it leads to, would take a dialog along that was opened before.
    page.wait_for_url("**/")
    page.get_by_role("button", name="Login").click()
    page.get_by_role("dialog").get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name=shop.customer.name)).to_be_visible()


def test_a_document_is_sent_from_a_phone_and_deleted(browse: Browse, shop: Shop) -> None:
    picture: Any = {"name": "front.jpg", "mimeType": "image/jpeg", "buffer": jpeg()}
    page = browse(shop.customer, viewport=PHONE)
    visit(page, "/account")
    page.get_by_role("button", name="Add: Driving licence").click()
    dialog = page.get_by_role("dialog", name="Driving licence")
    # A whole number is taken as it is pasted: cut off, its first characters would pass for the last.
    dialog.get_by_label("Last four characters of its number").focus()
    page.keyboard.insert_text("TS09 20110015518")
    dialog.get_by_label("Name on it").fill("Asha Rao")
    dialog.get_by_label("Car (LMV)").check()
    page.reload()
    ready(page)
    # What was typed is there again once the form is open.
    page.get_by_role("button", name="Add: Driving licence").click()
    expect(dialog.get_by_label("Name on it")).to_have_value("Asha Rao")
    expect(dialog.get_by_label("Car (LMV)")).to_be_checked()
    dialog.get_by_label("Valid until").fill("9.5.34")
    dialog.get_by_label("Add files to Document").set_input_files(picture)
    expect(dialog.get_by_role("img", name="front.jpg")).to_be_visible()
    dialog.get_by_role("button", name="Send it to us").click()
    expect(dialog.get_by_label("Valid until")).to_be_focused()
    dialog.get_by_label("Valid until").fill("09-05-2034")
    dialog.get_by_role("button", name="Send it to us").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    documents = page.get_by_role("region", name="Documents")
    expect(documents.get_by_text("ends 5518, to 9 May 2034")).to_be_visible()
    documents.get_by_role("button", name="Look at: Driving licence").click()
    expect(dialog.get_by_role("img", name="Driving licence, picture 1")).to_be_visible()
    dialog.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog", name="Delete this document?").get_by_role("button", name="Delete").click()
    expect(documents.get_by_role("button", name="Add: Driving licence")).to_be_visible()


def test_a_copy_takes_the_password_and_is_downloaded(browse: Browse, shop: Shop) -> None:
    page = browse(shop.customer)
    write(_lapse)
    visit(page, "/account")
    page.get_by_role("button", name="Download everything").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Current password").fill(PASSWORD)
    dialog.get_by_role("button", name="Continue").click()
    with page.expect_download() as saved:
        dialog.get_by_role("button", name="Download the ZIP").click()
    assert saved.value.suggested_filename == "your-data.zip"
    assert is_zipfile(saved.value.path())
    expect(dialog.get_by_text("the next one from")).to_be_visible()


def _lapse(session: Session) -> None:
    """Let what was given to log in count no more."""
    session.execute(update(LoginSession).values(proved_at=clock.now() - timedelta(hours=1)))


def test_an_account_is_deleted_and_kept_by_a_login(browse: Browse, shop: Shop) -> None:
    page = browse(shop.customer, viewport=PHONE, fresh=True)
    visit(page, "/account")
    page.get_by_role("link", name="Delete account").click()
    expect(page.get_by_role("heading", name="What stays, and why")).to_be_visible()
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_role("button", name="Delete my account").click()
    expect(page.get_by_role("heading", name="Your account will be erased on")).to_be_focused()
    assert page.evaluate("localStorage.token") is None
    page.get_by_role("button", name="Menu", exact=True).click()
    page.get_by_role("button", name="Login").click()
    log_in(page, shop.customer, PASSWORD)
    expect(page.get_by_text("your account is kept")).to_be_visible()
