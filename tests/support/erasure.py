"""Somebody of whom much is kept, and a look at everything that is."""

import json
from pathlib import Path
from typing import Any

import obstore
from sqlmodel import Session, SQLModel

from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.uploads import OBJECTION
from rental_app.infrastructure.db import engine, read, shorten_log, write
from rental_app.infrastructure.settings import settings
from rental_app.models import (
    AccountChange,
    Favourite,
    IcalFeed,
    IdentityPaper,
    IdentityPaperFile,
    KnownDevice,
    ListingDraft,
    Outbox,
    Passkey,
    PersonNote,
    Proof,
    RememberedAnswer,
    UnclaimedFile,
    User,
)
from rental_app.schemas.trips import TripView
from rental_app.services import audit
from rental_app.services.accounts import erasure, sessions
from rental_app.services.files import storage
from rental_app.services.reviews import writing
from tests.conftest import Clock
from tests.support.booking_steps import alter
from tests.support.reviews import returned, review
from tests.support.shop import DAILY_PAISE, Shop, actor, add_user, put
from tests.support.trips import pay

# What nothing but an invoice may have after an erasure.
PERSON = {
    "name": "Zarathustra Quill",
    "email": "zarathustra.quill@example.com",
    "phone_number": "9812345670",
    "address": "77 Peacock Terrace",
    "landmark": "Beside the lighthouse",
}
ACCOUNT = {
    "bank_account_no": "55667788990011",
    "bank_ifsc": "ZQUI0001234",
    "upi_id": "zquill@upi",
    "booking_contact_no": "9812345671",
    "notes": "Ring Zarathustra at 9812345672",
    "website": "https://zarathustra-quill.example",
    "verified_phone": "9812345670",
}


def known(user: User, **more: str) -> None:
    """Give somebody an account of which there is much: details, notes, messages, proofs, drafts."""
    alter(User, user.id, **PERSON, **more)
    user_id, mail = user.id or 0, PERSON["email"]
    write(sessions.open_session, user_id)
    key = "private/quill.jpg"
    storage.put(key, b"a picture of Zarathustra Quill")
    proof: dict[str, Any] = {"nonce": "n", "expires_at": clock.now()}
    rows: tuple[SQLModel, ...] = (
        AccountChange(user_id=user_id, field="name", value="Zarathustra Quill the Second", why="I am him"),
        Favourite(user_id=user_id, vehicle_id=1),
        KnownDevice(user_id=user_id, digest="quills-device"),
        ListingDraft(
            vendor_id=user_id, typed={"owner": "Zarathustra Quill"}, created_at=clock.now(), saved_at=clock.now()
        ),
        Outbox(key=f"text {mail}", kind="x", user_id=user_id, note="Zarathustra Quill", due_at=None),
        Outbox(key=f"other {mail}", kind="x", to=mail, due_at=None),
        Passkey(user_id=user_id, name="Quill's phone", credential_id="quills-key", public_key="k"),
        PersonNote(user_id=user_id, text="Zarathustra Quill called", who_id=add_user("Operator").id),
        Proof(purpose="undo_email", user_id=user_id, digest="quill-1", payload={"email": mail}, **proof),
        Proof(purpose="invitation", user_id=add_user("Vendor").id, digest="q2", about=mail, **proof),
        RememberedAnswer(user_id=user_id, key="k", digest="d", body=json.dumps({"name": "Zarathustra Quill"})),
        UnclaimedFile(vendor_id=user_id, group_name=OBJECTION, key=key, content_type="image/jpeg", size=1),
        IcalFeed(vendor_id=user_id, digest="quills-calendar"),
    )
    for row in rows:
        put(row)
    paper = put(IdentityPaper(user_id=user_id, kind="licence", name="Zarathustra Quill", number_ends="4321"))
    storage.put(key := "private/quills-licence.jpg", b"the licence of Zarathustra Quill")
    put(IdentityPaperFile(paper_id=paper.id or 0, key=key, content_type="image/jpeg", size=1, stored_bytes=1))
    write(_note_acts, user)


def _note_acts(session: Session, user: User) -> None:
    audit.record(session, actor(user), Act.PROFILE_CHANGED, ("user", user.id or 0), "Zarathustra Quill")
    website = {"website": ACCOUNT["website"]}
    audit.record(session, actor(user), Act.PROFILE_CHANGED, ("user", user.id or 0), before=website, after=website)


def squared(shop: Shop, stopped: Clock) -> TripView:
    """A trip that is over, paid and reviewed by both sides, with a receipt, so long ago that nothing is in the way."""
    trip = returned(shop, stopped)
    pay(shop, trip.id, 2 * DAILY_PAISE)
    review(shop.customer, trip.id, 4, "Zarathustra Quill liked it")
    review(shop.vendor, trip.id, 5, "Zarathustra Quill was on time")
    write(writing.show_due, stopped.instant)
    stopped.move(days=9)
    return trip


def erase(user: User, stopped: Clock) -> None:
    """Have somebody ask for it, and let the week pass."""
    write(erasure.ask, actor(user))
    stopped.move(days=7)
    erasure.carry_out_due(stopped.instant)


def everything() -> dict[str, str]:
    """All that the database has, by table, as text."""
    tables = SQLModel.metadata.sorted_tables
    return {table.name: read(_text, table) for table in tables}


def _text(session: Session, table: Any) -> str:
    return repr([tuple(row) for row in session.execute(table.select())])


def stored() -> bytes:
    """All that the file store has, and of SQLite the bytes of its files."""
    parts = [bytes(obstore.get(storage.store(), name).bytes()) for name in sorted(every_name())]
    if settings().is_sqlite:
        shorten_log()
        path = engine().url.database or ""
        parts += [Path(f"{path}{end}").read_bytes() for end in ("", "-wal")]
    return b"".join(parts)


def every_name() -> list[str]:
    return [item["path"] for chunk in storage.store().list() for item in chunk]
