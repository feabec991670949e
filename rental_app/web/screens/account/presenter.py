"""What the page of one's own account shows."""

import re

import segno
from pydantic import BaseModel
from sqlmodel import Session

from rental_app.domain import clock
from rental_app.domain.retention import ERASED_AFTER
from rental_app.schemas.accounts import ChangeView
from rental_app.schemas.own_data import Obstacle, OwnDataAnswer
from rental_app.schemas.sign_in import PasskeyView
from rental_app.services.accounts import (
    emails,
    erasure,
    passkeys,
    passwords,
    phones,
    profile,
    recovery,
    requests,
    sessions,
)
from rental_app.services.accounts import second_step as accounts_second_step
from rental_app.services.accounts.actor import Actor
from rental_app.web.parts.presenters.bookings import booking_url
from rental_app.web.parts.presenters.texts import Link, phone_shown

# How many requests are shown.
SHOWN = 5
_PHONES = ("Android", "iPhone")
_STATES = {"open": "Waits for us", "granted": "Granted", "refused": "Not granted", "withdrawn": "Withdrawn"}


class DeviceRow(BaseModel):
    """A device that is logged in."""

    id: str
    name: str
    note: str
    is_current: bool
    is_phone: bool


class PasskeyRow(BaseModel):
    """A passkey of the account."""

    id: int
    name: str
    note: str


class RequestRow(BaseModel):
    """What a vendor has asked to have changed."""

    id: int
    title: str
    note: str
    is_open: bool


class YourData(BaseModel):
    """What may be done with one's data: whether a copy takes the password first, when there is the next one ('' for at
    once), and what stands in the way of deleting the account."""

    asks_password: bool
    copy_again: str
    obstacles: list[Link]
    deleting: str


class AccountPage(BaseModel):
    """An account's own page; the parts of the address are what the form of details starts with."""

    name: str
    initials: str
    email: str
    email_parts: list[str]
    email_verified: bool
    # Whether vehicles wait for that.
    vehicles_wait: bool
    phone: str
    phone_shown: str
    phone_verified: bool
    # Whether a code sent there logs in.
    phone_opens: bool
    second_step: bool
    # How many recovery codes are left, and whether they are still shown to whoever has not kept them.
    codes_note: str
    codes_wait: bool = False
    passkeys: list[PasskeyRow]
    # Whether a code opened this session, and the password has not been given since.
    by_code: bool
    full_address: str
    address: str
    landmark: str
    pincode: str
    city: str
    state: str
    district: str
    is_vendor: bool
    password_note: str
    devices: list[DeviceRow]
    # What an operator was asked to change, '' if nothing waits, and when it changes.
    moving: str = ""
    moves_at: str = ""
    requests: list[RequestRow]
    # None for operators, whom a command unmakes.
    data: YourData | None = None


def account_page(session: Session, actor: Actor) -> AccountPage:
    """The actor's own account."""
    user = profile.profile(session, actor)
    devices = [
        DeviceRow(
            id=view.id,
            name=view.device,
            note="This device" if view.current else f"Last used {clock.friendly(view.last_seen)}",
            is_current=view.current,
            is_phone=view.device.endswith(_PHONES),
        )
        for view in sessions.open_sessions(session, actor)
    ]
    waits = emails.waits_for_email(session, actor)
    changes = requests.of_vendor(session, actor)[:SHOWN] if actor.is_vendor else []
    changed_at = passwords.changed_at(session, actor)
    page = AccountPage(
        name=user.name,
        initials="".join(word[0].upper() for word in user.name.split()[:2]),
        email=user.email,
        email_parts=email_parts(user.email),
        email_verified=user.email_verified,
        vehicles_wait=waits,
        phone=user.phone_number,
        phone_shown=phone_shown(user.phone_number),
        phone_verified=user.phone_verified,
        second_step=user.second_step,
        codes_note=f"{user.recovery_codes_left} of {accounts_second_step.HOW_MANY} left",
        passkeys=[],
        by_code=False,
        phone_opens=False,
        full_address=user.full_address,
        address=user.address,
        landmark=user.landmark,
        pincode=user.pincode,
        city=user.city,
        state=user.state,
        district=user.county,
        is_vendor=user.role == "Vendor",
        password_note=f"Changed {clock.friendly(changed_at)}" if changed_at else "Not changed yet",
        devices=devices,
        requests=[_request(one) for one in changes],
    )
    page.passkeys = [_passkey(view) for view in passkeys.of_account(session, actor)]
    if accounts_second_step.unkept_codes(session, actor):
        page.codes_wait, page.codes_note = True, f"{page.codes_note}. You have not said that you have kept them"
    if waiting := recovery.of_account(session, actor):
        page.moving = " and ".join(requests.CALLED[each] for each in waiting.fields)
        page.moves_at = clock.friendly(waiting.changes_at)
    if user.role != "Operator":
        page.data = _your_data(erasure.state(session, actor), is_vendor=page.is_vendor)
    page.by_code, page.phone_opens = actor.by_code, phones.opens_account(session, actor)
    return page


def _your_data(own: OwnDataAnswer, *, is_vendor: bool) -> YourData:
    in_the_way = [one.reference for one in own.obstacles if one.reference]
    waits = f"Waits until {in_the_way[0]} is settled" if in_the_way else "Waits until the commission is paid"
    return YourData(
        asks_password=own.confirm_password,
        copy_again=clock.friendly(own.export_again_at) if own.export_again_at else "",
        obstacles=[_obstacle(one, is_vendor=is_vendor) for one in own.obstacles],
        deleting=waits if own.obstacles else f"Erased {ERASED_AFTER.days} days after you ask",
    )


def _obstacle(one: Obstacle, *, is_vendor: bool) -> Link:
    if one.reference is None:
        return Link(text="Earnings", href="/vendor/earnings", note=one.text)
    href = f"/vendor/bookings/{one.reference}" if is_vendor else booking_url(one.reference)
    note = one.text.removeprefix(f"{one.reference}: ")
    return Link(text=one.reference, href=href, note=note[:1].upper() + note[1:])


def email_parts(email: str) -> list[str]:
    """An address in pieces between which a line may break: before the at sign and the dots, never within a word.

    An account that has given its address up has none.
    """
    return re.split(r"(?=[@.])", email) if email else ["No email: add one"]


def _passkey(view: PasskeyView) -> PasskeyRow:
    used = f"last used {clock.friendly(view.last_used)}" if view.last_used else "not used yet"
    return PasskeyRow(id=view.id, name=view.name, note=f"Added {clock.friendly(view.created_at)}, {used}")


def _request(change: ChangeView) -> RequestRow:
    reason = f": {change.reason}" if change.reason else ""
    note = f"{_STATES[change.state]}{reason}, asked {clock.friendly(change.created_at)}"
    title = f"Another {requests.CALLED[change.field]}: {change.value}"
    return RequestRow(id=change.id, title=title, note=note, is_open=change.state == "open")


def key_picture(uri: str) -> str:
    """The key for an authenticator app as a QR code: the address of a picture."""
    # Dark on light in the dark theme too: not every reader accepts inverted codes.
    return str(segno.make(uri, error="m", micro=False).svg_data_uri(scale=5, dark="#000", light="#fff"))
