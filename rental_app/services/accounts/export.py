"""A copy of all that is kept about somebody, as a ZIP: JSON and CSV for programs, and the files themselves.

Of other people it has name and reference alone. Nothing that opens the account is in it, no mark by which devices or
networks are recognised, and not what operators note among themselves.
"""

import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import PurePath
from typing import IO, Any, NamedTuple

import obstore
import orjson
from sqlalchemy import Select, or_, select
from sqlmodel import Session, SQLModel, col

from rental_app.content.account_words import word_of
from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.errors import ConflictError, RentalError, TooManyRequestsError, UnavailableError
from rental_app.domain.money import PAISE_PER_RUPEE
from rental_app.domain.retention import EXPORTED_EVERY
from rental_app.infrastructure.db import even_if_read_only, read, read_or_store, write
from rental_app.infrastructure.settings import settings
from rental_app.models import (
    AccountChange,
    AuditEntry,
    Block,
    Booking,
    BookingEvent,
    Columns,
    Favourite,
    IcalImport,
    IdentityPaper,
    KnownDevice,
    LedgerEntry,
    ListingDraft,
    LoginSession,
    MaintenanceEntry,
    Member,
    Outbox,
    Passkey,
    PriceRule,
    Proof,
    Review,
    SecondStep,
    Snapshot,
    TripPhoto,
    TripReading,
    User,
    Vehicle,
    VehicleFile,
    VehiclePrice,
    titled,
)
from rental_app.models.vehicle import TITLE
from rental_app.services import audit, throttle
from rental_app.services.accounts import sessions
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import invoices
from rental_app.services.bookings.access import find
from rental_app.services.earnings import figures, statements
from rental_app.services.files import storage
from rental_app.services.files.csv import Cell, csv_file
from rental_app.services.identity import papers as identity_papers
from rental_app.services.identity import stored as identity
from rental_app.services.trips import documents, papers

# A copy ends here: what of the files and PDFs does not fit is named in it. The newest come first.
MOST_BYTES = 500 * 1024 * 1024
MOST_PDFS = 400
ONCE_AN_HOUR = "A copy is made once an hour"
# What opens an account or recognises devices, and columns that only join tables.
_NEVER = {
    *("password_hash", "last_login_from", "digest", "nonce", "codes_nonce", "jti", "public_key", "credential_id"),
    *("user_id", "vendor_id", "customer_id", "who_id", "decided_by", "reported_by", "passkey_id", "asked_by"),
    *("request_key", "payload", "about_id", "proof_id", "joined_to", "booking_id", "photo_id", "key"),
}
README = """This is what {product} keeps about your account, as of {at}.

account.json     your account, what you asked to have changed, how you log in, who looked at your documents
bookings.json    your bookings: what they cost, their accounts, what happened
reviews.json     what you wrote about trips, and what vendors wrote about you
favourites.json  the vehicles that you marked
sessions.json    where you are logged in
audit.json       what you did that changed something, and when
messages.json    which emails and texts we sent you, and when
documents/       your picture, the documents you sent us, photographs of your trips, receipts, invoices, agreements
{vendors}
Amounts are rupees, instants UTC. Of other people there are names and references alone. What is not in here: your
password, of which we keep only a hash that cannot be turned back; keys and marks that would open your account or
recognise your devices; what our people note among themselves when somebody calls or writes. To see such a note, write
to {email}.
{left_out}"""
VENDORS = """
As a vendor you find as well:
vehicles.json    your vehicles with prices, maintenance and blocked dates, price rules, other calendars, drafts
bookings.csv     the bookings of your vehicles, with the customer's name and the reference
invoices.csv     your tax invoices, credit and debit notes
statements/      your statements by month
vehicles/        the documents and photographs of your vehicles
"""


class StoredFile(NamedTuple):
    """A file of the store, and its name in the copy."""

    name: str
    key: str


class PdfMaker(NamedTuple):
    """What makes a PDF in a transaction, and what it is about."""

    of: Callable[..., bytes]
    about: tuple[Any, ...]


class CopyContent(NamedTuple):
    """What a copy holds: texts by their names, PDFs that are made one by one, and files of the store."""

    texts: dict[str, bytes]
    pdfs: list[tuple[str, PdfMaker]]
    files: list[StoredFile]


def make(actor: Actor) -> IO[bytes]:
    """Make the copy in a temporary file without a name, which is gone once it is closed; opens its own transactions.

    Raises ForbiddenError (`confirm_password`), TooManyRequestsError (one an hour) and UnavailableError.
    """
    throttle.count("change", actor)
    before = write(_begin, actor)
    try:
        return _write(read(_content, actor))
    except BaseException as error:
        write(_take_back, actor, before)
        if isinstance(error, OSError):
            raise UnavailableError("There is no room to make the copy just now, please try again later") from error
        raise


@even_if_read_only
def _begin(session: Session, actor: Actor) -> datetime | None:
    """Note that a copy is made; returns when the last one was."""
    sessions.require_proved(session, actor)
    own = select(User).where(col(User.id) == actor.id).with_for_update(key_share=True)
    user = session.scalars(own.execution_options(populate_existing=True)).one()
    before, instant = user.exported_at, clock.now()
    if before and before + EXPORTED_EVERY > instant:
        wait = int((before + EXPORTED_EVERY - instant).total_seconds()) + 1
        raise TooManyRequestsError(ONCE_AN_HOUR, code="exported_lately", retry_after=wait)
    user.exported_at = instant
    session.flush()
    audit.record(session, actor, Act.DATA_EXPORTED, ("user", actor.id))
    return before


@even_if_read_only
def _take_back(session: Session, actor: Actor, before: datetime | None) -> None:
    session.get_one(User, actor.id).exported_at = before


def _write(content: CopyContent) -> IO[bytes]:
    file = tempfile.TemporaryFile()  # noqa: SIM115 - whoever sends it closes it
    try:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as copy:
            left_out = [*_add_pdfs(copy, content.pdfs), *_add_files(copy, content.files)]
            for name, text in content.texts.items():
                copy.writestr(name, text)
            copy.writestr("README.txt", _readme(content, left_out))
    except BaseException:
        file.close()
        raise
    return file


def _add_pdfs(copy: zipfile.ZipFile, pdfs: Sequence[tuple[str, PdfMaker]]) -> Iterator[str]:
    """Make the PDFs, each in a transaction of its own; yields the names of those beyond the limit."""
    for name, made in pdfs[:MOST_PDFS]:
        try:
            copy.writestr(name, read_or_store(made.of, *made.about))
        except (ConflictError, LookupError):
            # There is none: a receipt of a booking that was never confirmed, an invoice of a vendor without GST.
            continue
        except RentalError as error:
            if error.status != 404:
                raise
    yield from (name for name, _ in pdfs[MOST_PDFS:])


def _add_files(copy: zipfile.ZipFile, files: Iterable[StoredFile]) -> Iterator[str]:
    """Add files as they are, compressed already; yields the names of those that are beyond the limit, or lost."""
    room = MOST_BYTES
    for file in files:
        try:
            data = bytes(obstore.get(storage.store(), file.key).bytes()) if room > 0 else b""
        except FileNotFoundError:
            data = b""
        room -= len(data)
        if data and room >= 0:
            copy.writestr(file.name, data, zipfile.ZIP_STORED)
        else:
            yield file.name


def _readme(content: CopyContent, left_out: Sequence[str]) -> str:
    missing = "\nThis copy would have been too large. Left out, ask us for them:\n" + "\n".join(left_out)
    return README.format(
        product=settings().product_name,
        at=clock.friendly(clock.now()),
        email=settings().support_email,
        vendors=VENDORS if "vehicles.json" in content.texts else "",
        left_out=missing if left_out else "",
    )


def _content(session: Session, actor: Actor) -> CopyContent:
    user = session.get_one(User, actor.id)
    bookings = _own_bookings(session, actor)
    texts = {
        "account.json": _json(_account(session, user)),
        "bookings.json": _json([_booking(session, booking, vendor) for booking, vendor in bookings]),
        "reviews.json": _json(_reviews(session, user)),
        "favourites.json": _json(_favourites(session, user)),
        "sessions.json": _json(_rows(session, LoginSession, col(LoginSession.user_id) == user.id)),
        "audit.json": _json(_rows(session, AuditEntry, col(AuditEntry.user_id) == user.id)),
        "messages.json": _json(_rows(session, Outbox, col(Outbox.user_id) == user.id, but={"note", "error", "to"})),
    }
    pdfs = [pdf for booking, _ in bookings for pdf in _pdfs(session, actor, booking)]
    files = [*_picture(user), *_identity(session, user), *_trip_photos(session, col(Booking.customer_id) == user.id)]
    if actor.is_vendor:
        texts |= _vendors_texts(session, user)
        pdfs += _statements(session, actor)
        files += [*_vehicle_files(session, user), *_trip_photos(session, col(Vehicle.vendor_id) == user.id)]
    return CopyContent(texts, pdfs, files)


def _json(data: object) -> bytes:
    return orjson.dumps(data, option=orjson.OPT_INDENT_2, default=str)


def _plain(row: SQLModel, but: Iterable[str] = ()) -> dict[str, Any]:
    """A row as others may read it: without what opens or joins, amounts in rupees."""
    values = {name: value for name, value in row.model_dump().items() if name not in _NEVER.union(but)}
    return dict(_in_rupees(name, value) for name, value in values.items())


def _in_rupees(name: str, value: Any) -> tuple[str, Any]:
    if name != "paise" and not name.endswith("_paise"):
        return name, value
    bare = name.removesuffix("_paise") if name != "paise" else "rupees"
    return bare, None if value is None else value / PAISE_PER_RUPEE


def _rows(session: Session, model: type[SQLModel], which: Any, but: Iterable[str] = ()) -> list[dict[str, Any]]:
    keys = tuple(SQLModel.metadata.tables[str(model.__tablename__)].primary_key.columns)
    chosen: Select[Any] = select(model).where(which).order_by(*keys)
    return [_plain(row, but) for row in session.scalars(chosen)]


def _account(session: Session, user: User) -> Mapping[str, Any]:
    own = user.id
    team: Columns = select(col(User.name), col(Member.role)).join(User, col(User.id) == Member.user_id)
    work: Columns = select(col(User.name), col(Member.role)).join(User, col(User.id) == Member.vendor_id)
    return {
        "account": _plain(user),
        "change_requests": _rows(session, AccountChange, col(AccountChange.user_id) == own),
        "second_step": _rows(session, SecondStep, col(SecondStep.user_id) == own),
        "passkeys": _rows(session, Passkey, col(Passkey.user_id) == own),
        "devices": _rows(session, KnownDevice, col(KnownDevice.user_id) == own),
        "documents": _rows(session, IdentityPaper, col(IdentityPaper.user_id) == own),
        "looks_at_documents": [look.model_dump(by_alias=True) for look in identity_papers.looks_at(session, own or 0)],
        "links_and_codes": _rows(session, Proof, col(Proof.user_id) == own, but={"about"}),
        "works_for": _named(session, work.where(col(Member.user_id) == own)),
        "work_for_you": _named(session, team.where(col(Member.vendor_id) == own)),
    }


def _named(session: Session, people: Columns) -> list[dict[str, str]]:
    return [{"name": name, "role": role} for name, role in session.execute(people)]


def _own_bookings(session: Session, actor: Actor) -> list[tuple[Booking, str]]:
    """The actor's bookings, the newest first, each with its vendor's name."""
    vendors = select(Booking, col(User.name)).join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
    own = vendors.join(User, col(User.id) == Vehicle.vendor_id).where(col(Booking.customer_id) == actor.id)
    return [(row[0], row[1]) for row in session.execute(own.order_by(col(Booking.id).desc()))]


def _booking(session: Session, booking: Booking, vendor: str) -> dict[str, Any]:
    of_it = booking.id
    left_out = {"booked", "lines", "held_from", "held_until", "commission_bps", "follows_id", "guest_email"}
    lines = [{"what": line["label"], "rupees": line["amount"] / PAISE_PER_RUPEE} for line in booking.lines]
    return _plain(booking, left_out) | {
        "vendor": vendor,
        "vehicle": Snapshot(**booking.booked).title,
        "lines": lines,
        "account": [
            _plain(line, {"id", "reverses", "vehicle_id"}) | {"what": word_of(line.shown_kind)}
            for line in session.scalars(select(LedgerEntry).where(col(LedgerEntry.booking_id) == of_it))
        ],
        "events": _rows(session, BookingEvent, col(BookingEvent.booking_id) == of_it, but={"id", "entry_id"}),
        "readings": _rows(session, TripReading, col(TripReading.booking_id) == of_it, but={"id"}),
    }


def _reviews(session: Session, user: User) -> dict[str, Any]:
    own, of_vendor = col(Review.customer_id) == user.id, col(Review.vendor_id) == user.id
    by_customer, by_vendor = col(Review.side) == "customer", col(Review.side) == "vendor"
    shown = col(Review.shown_at).is_not(None)
    return {
        "written": _rows(session, Review, or_(own & by_customer, of_vendor & by_vendor), but={"report_note"}),
        "received": _rows(session, Review, shown & or_(own & by_vendor, of_vendor & by_customer), but={"report_note"}),
    }


def _favourites(session: Session, user: User) -> list[dict[str, Any]]:
    own = titled(select(TITLE, col(Favourite.added_at)).join(Vehicle, col(Vehicle.id) == Favourite.vehicle_id))
    rows = session.execute(own.where(col(Favourite.user_id) == user.id).order_by(col(Favourite.added_at)))
    return [{"vehicle": title, "added_at": added_at} for title, added_at in rows]


def _picture(user: User) -> Iterator[StoredFile]:
    if user.image:
        yield StoredFile("documents/picture.jpg", user.image.removeprefix("/media/"))


def _identity(session: Session, user: User) -> Iterator[StoredFile]:
    """The pages of the person's documents, as they are stored: pictures."""
    for file in identity.files_of(session, user.id or 0):
        for number, name in enumerate(storage.objects_of(file.key), 1):
            yield StoredFile(f"documents/{file.kind}-{file.paper_id}/{number}.jpg", name)


def _trip_photos(session: Session, which: Any) -> Iterator[StoredFile]:
    rows = (
        select(col(Booking.reference), col(TripReading.kind), col(TripPhoto.id), col(TripPhoto.key))
        .join(TripReading, col(TripReading.id) == TripPhoto.reading_id)
        .join(Booking, col(Booking.id) == TripReading.booking_id)
        .join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
    )
    for reference, kind, number, key in session.execute(rows.where(which).order_by(col(TripPhoto.id).desc())):
        yield StoredFile(f"documents/{reference}/{kind}-{number}.jpg", key)


def _pdfs(session: Session, actor: Actor, booking: Booking) -> Iterator[tuple[str, PdfMaker]]:
    """What a booking's customer can read as a PDF, named as in the copy."""
    folder, ref = f"documents/{booking.reference}", booking.reference
    made: dict[str, Callable[..., bytes]] = {
        "receipt": papers.receipt,
        "agreement": documents.agreement,
        "invoice": documents.invoice,
    }
    for name, pdf in made.items():
        yield f"{folder}/{name}.pdf", PdfMaker(_pdf, (actor, ref, pdf))
    trip = find(session, actor, ref)
    for paper in invoices.of_booking(session, trip.vendor_id, ref):
        _, _, entry = paper.about.partition("/")
        if entry:
            yield f"{folder}/note-{entry}.pdf", PdfMaker(_pdf, (actor, ref, documents.note, int(entry)))


def _pdf(session: Session, actor: Actor, ref: str, made: Callable[..., bytes], *more: int) -> bytes:
    return made(session, find(session, actor, ref), *more)


def _vendors_texts(session: Session, user: User) -> dict[str, bytes]:
    own = select(col(Vehicle.id)).where(col(Vehicle.vendor_id) == user.id)
    of_vehicles: dict[str, tuple[type[SQLModel], Any]] = {
        "vehicles": (Vehicle, col(Vehicle.vendor_id) == user.id),
        "prices": (VehiclePrice, col(VehiclePrice.vehicle_id).in_(own)),
        "price_rules": (PriceRule, col(PriceRule.vendor_id) == user.id),
        "maintenance": (MaintenanceEntry, col(MaintenanceEntry.vehicle_id).in_(own)),
        "blocked": (Block, col(Block.vehicle_id).in_(own)),
        "other_calendars": (IcalImport, col(IcalImport.vehicle_id).in_(own)),
        "drafts": (ListingDraft, col(ListingDraft.vendor_id) == user.id),
    }
    vehicles = {name: _rows(session, model, which) for name, (model, which) in of_vehicles.items()}
    begin, end = user.created_at, clock.now()
    issued: list[list[Cell]] = [
        [f"{clock.indian_today(one.at)}", one.number, one.kind, one.booking, one.total / PAISE_PER_RUPEE]
        for one in invoices.issued_within(session, user.id or 0, begin, end)
    ]
    return {
        "vehicles.json": _json(vehicles),
        "bookings.csv": _bookings_csv(session, user),
        "invoices.csv": csv_file(("Date", "Number", "Kind", "Booking", "Total"), issued),
    }


def _bookings_csv(session: Session, user: User) -> bytes:
    columns = (
        *(col(Booking.reference), col(User.name), col(Vehicle.rc_number), col(Booking.pickup_at)),
        *(col(Booking.return_at), col(Booking.status), col(Booking.stage), col(Booking.price_paise)),
    )
    rows = select(*columns).join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
    own = rows.join(User, col(User.id) == Booking.customer_id).where(col(Vehicle.vendor_id) == user.id)
    head = ("Reference", "Customer", "RC number", "Pickup", "Return", "Status", "Stage", "Price")
    cells: Iterator[list[Cell]] = (
        [*row[:3], *(f"{clock.indian(at):%Y-%m-%d %H:%M}" for at in row[3:5]), *row[5:7], row[7] / PAISE_PER_RUPEE]
        for row in session.execute(own.order_by(col(Booking.id)))
    )
    return csv_file(head, cells)


def _statements(session: Session, actor: Actor) -> Iterator[tuple[str, PdfMaker]]:
    """Those of all months, the latest first."""
    instant = clock.now()
    months = figures.months_of(figures.joined(session, actor), clock.indian_today(instant))
    for month in reversed(months):
        first = clock.indian_today(month.pickup)
        yield f"statements/{first:%Y-%m}.pdf", PdfMaker(statements.as_pdf, (actor.id, first, instant))


def _vehicle_files(session: Session, user: User) -> Iterator[StoredFile]:
    rows = select(VehicleFile, col(Vehicle.rc_number)).join(Vehicle, col(Vehicle.id) == VehicleFile.vehicle_id)
    own = rows.where(col(Vehicle.vendor_id) == user.id).order_by(col(VehicleFile.id).desc())
    for file, plate in session.execute(own):
        yield StoredFile(f"vehicles/{plate}/{file.group_name}-{file.id}{PurePath(file.key).suffix}", file.key)
